"""The outside world: environments, embeddings and reasoners behind the core's protocols."""
