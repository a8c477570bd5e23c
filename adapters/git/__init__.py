"""Git around a library, through its plumbing commands."""
