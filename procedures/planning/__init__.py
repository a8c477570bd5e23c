"""Plan from a procedure's step to an action that is possible now: entities, places, ways.

Begin with :mod:`.binding_search` (which entities) and :mod:`.place_planner` (how to get there).
Programs have a planner of their own: :mod:`macla.procedures.programs.planning`.
"""
