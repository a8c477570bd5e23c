"""WebShop, live: a shop of text pages, its tasks and its reward. See ``docs/benchmarks.md``."""
