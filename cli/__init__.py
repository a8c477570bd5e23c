"""The `macla` command: one module a verb, loaded only when it is called."""
