"""One node a file; each is a plain function of the state and the runtime context."""
