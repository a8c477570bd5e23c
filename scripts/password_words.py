"""Print the words for "password" that `redaction/words.py` holds.

``python scripts/password_words.py DJANGO`` reads the catalogues of an unpacked release of Django
(`django/contrib/auth/locale`), which translators of some ninety languages keep.
"""

from __future__ import annotations

import gettext
import sys
from pathlib import Path

from macla.procedures.redaction.folding import fold

ORDINARY = frozenset({"parole", "sandi"})
"""Words for it that are ordinary words of a larger language."""


def words(folder: Path) -> list[str]:
    """Return the words, folded and in small letters, each once."""
    found: set[str] = set()
    for file in folder.glob("django/contrib/auth/locale/*/LC_MESSAGES/django.mo"):
        with file.open("rb") as stream:
            told = gettext.GNUTranslations(stream)
        found |= {fold(told.gettext(each)).casefold().strip() for each in ("password", "Password")}
    return sorted(found - ORDINARY)


if __name__ == "__main__":
    print(*words(Path(sys.argv[1])), sep="\n")
