"""ALFWorld: official game files, two engines that answer alike, and a generator of small games."""
