"""Proposals as branches, versions as commits: everything that runs git."""
