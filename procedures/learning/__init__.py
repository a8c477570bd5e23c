"""From trajectories to procedures: entities, operators, segments, guards, plans, evidence."""
