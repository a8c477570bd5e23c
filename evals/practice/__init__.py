"""Practice: play, learn, play again (``practice_loop.py``), or by reward (``rewarding.py``)."""
