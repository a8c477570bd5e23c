"""Reasoners behind the core's protocol; the symbolic one needs no model."""
