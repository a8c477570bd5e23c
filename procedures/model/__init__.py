"""What is known, as immutable values: procedures, plans, the ontology, the settings.

Begin with :mod:`.procedure`; :mod:`.semantics` says what makes sense in it.
"""
