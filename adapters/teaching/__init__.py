"""Teaching a library: episodes become programs, plans and evidence in a folder, all or nothing.

Begin with ``teaching.py``. A lesson (``lesson.py``) is learned, and proof chooses between programs
and plans (``choosing.py``). ``reviewed_learning.py`` writes proposals instead of the folder.
"""
