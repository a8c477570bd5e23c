"""Learning composed texts from demonstrations."""
