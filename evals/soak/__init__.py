"""Libraries under fire: kills, full disks, clocks that go backwards, two learners, an editor."""
