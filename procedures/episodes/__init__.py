"""Episodes as calls and facts: readers of texts and JSON, and what is known at a moment."""
