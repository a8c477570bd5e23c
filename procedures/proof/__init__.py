"""What a library reproduces of demonstrations, and the floor that it must not fall below.

Begin with :mod:`.predictions` and :mod:`.proof`; :mod:`.coding` says what a step costs, and
:mod:`.rebound` is the floor: the nearest demonstration with the new task's names. Values and
mathematics only: who predicts is outside.
"""
