"""ALFWorld: official game files, two engines that answer alike, a generator, and the suite.

Begin with :mod:`.suite` and :mod:`.environment`.
"""
