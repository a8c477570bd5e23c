"""The ladder: small worlds of one difficulty each, offered in several forms.

Begin with :mod:`.world`. The worlds of :mod:`.development` may be looked at while the learner is
worked on; those of :mod:`.sealed` may not: they are played when a change of the learner is
finished, and nobody reads their code or their traces in between.
"""
