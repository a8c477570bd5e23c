"""Programs from demonstrations: cover, order, guard. Begin with :mod:`.learner`."""
