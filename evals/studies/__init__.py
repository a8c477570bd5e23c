"""Studies: comparisons with a name, each by one command; what they write a report shows."""
