"""Programs from demonstrations: cover, order, guard. Begin with :mod:`.program_learner`."""
