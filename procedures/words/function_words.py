"""Function words of English: they name neither entities nor actions.

Embeddings put them near each other (*some*, *them*), although none stands for another. The list
holds closed word classes, so it fits any domain; in other languages it has no effect.
"""

from __future__ import annotations

_DETERMINERS = (
    "a an the this that these those some any all both each every either neither no none another "
    "other such much many more most few several enough"
)
_NUMERALS = "one two three four five six seven eight nine ten first second third"
_PRONOUNS = (
    "i me my mine you your yours he him his she her hers it its we us our ours they them their "
    "theirs who whom whose which what myself yourself itself themselves something anything"
)
_PREPOSITIONS = (
    "about above across after against along among around as at before behind below beneath beside "
    "between by down during for from in inside into of off on onto out outside over past through "
    "to toward towards under until up upon with within without away back"
)
_JOINING = (
    "and or nor but if then than so because while when where why how not too also again there here "
    "now just only very"
)
_AUXILIARIES = (
    "am is are was were be been being do does did done have has had having can could may might "
    "must shall should will would let please"
)
FUNCTION_WORDS = frozenset(
    " ".join((_DETERMINERS, _NUMERALS, _PRONOUNS, _PREPOSITIONS, _JOINING, _AUXILIARIES)).split()
)
"""Articles, quantifiers, numerals, pronouns, prepositions, conjunctions and auxiliaries."""
