"""Fresh worlds: 326 small worlds written by people who had not read the learner, and 18 by others.

They are worlds of :mod:`..ladder`, kept apart from it; :mod:`.parts` names their parts. Those of a
held part are not looked at: nobody who works on the learner reads them, and of what is played there
only totals are told.
Eighteen of :mod:`.dev` (the last in its list) were written by people who work on the learner, for
what it lacked.
"""
