"""Documents as plain data, and as YAML that people edit.

Begin with :mod:`.plain_data` (what a document says) and :mod:`.yaml_io` (how a file is read).
"""
