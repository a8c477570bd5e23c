"""Running an evaluation: each task once, in one process or several (``runner.py``)."""
