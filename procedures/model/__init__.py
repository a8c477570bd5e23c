"""A library's content as immutable values: procedures, plans, the ontology, the settings.

Begin with :mod:`.procedure`; :mod:`.semantics` checks that its parts fit together.
"""
