"""Ten trades written by a stranger: an agent with memory against the policy alone."""
