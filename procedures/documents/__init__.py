"""Documents as plain data, and as YAML that people edit.

Begin with :mod:`.plain_data` (content of documents) and :mod:`.yaml_io` (reading of files).
"""
