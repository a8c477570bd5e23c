"""A library: the folder of YAML files that holds what an agent knows.

Begin with :mod:`.library`; what its files say is the matter of :mod:`macla.procedures.files`.
"""
