"""The runtime loop: a LangGraph state machine, one node a file, and the protocols it needs."""
