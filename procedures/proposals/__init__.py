"""Changes of a library as proposals: made, replayed, reviewed, accepted or rejected.

Nothing here knows git; where proposals are kept on branches is the matter of ``adapters.git``.

Begin with :mod:`.proposal` and :mod:`.policy`.
"""
