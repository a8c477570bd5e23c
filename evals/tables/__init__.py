"""Tables of results as files: what is learned, what is played, and what is compared."""
