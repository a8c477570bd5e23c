"""From a step of a procedure to an action that is possible now: things, places, ways.

Begin with :mod:`.binding_search` (with which things) and :mod:`.place_planner` (how to get there).
Programs have a planner of their own: :mod:`macla.procedures.programs.planning`.
"""
