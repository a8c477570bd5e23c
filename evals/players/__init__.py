"""Players: arms of an evaluation, baselines and rivals (``arms.py``)."""
