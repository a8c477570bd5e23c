"""Fresh worlds: 296 small worlds written by people who had not read the learner, and 18 by others.

They are worlds of :mod:`..ladder`, kept apart from it. Those of :mod:`.dev`, :mod:`.third`,
:mod:`.fourth`, :mod:`.fifth`, :mod:`.sixth`, :mod:`.seventh`, :mod:`.eighth`, :mod:`.tenth`,
:mod:`.eleventh`, :mod:`.twelfth`, :mod:`.thirteenth`, :mod:`.fourteenth` and :mod:`.fifteenth` may
be looked at; those of :mod:`.held`, :mod:`.held2`, :mod:`.fifth_held`, :mod:`.sixth_held`,
:mod:`.seventh_held`, :mod:`.eighth_held`, :mod:`.eleventh_held`, :mod:`.twelfth_held`,
:mod:`.thirteenth_held` and :mod:`.fourteenth_held` may not: nobody who works on the learner reads
them, and of what is played there only totals are told.
Eighteen of :mod:`.dev` (the last in its list) were written by people who work on the learner, for
what it lacked.
"""
