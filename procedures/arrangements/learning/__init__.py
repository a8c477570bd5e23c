"""Learning an arrangement from demonstrations that hand one in as JSON."""
