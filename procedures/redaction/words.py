"""What secrets are called in many languages, folded as :mod:`.folding` does, in small letters."""

from __future__ import annotations

import re

from .folding import fold

__all__ = ["CODES", "COPULAS", "LABEL", "says_code"]

_PASSWORDS = """adgangskode; awal n uɛeddi; awal uffir; contrasena; contrasenya; contrasigno;
contrasinal; cyfrinair; facal-faire; fjalekalim; focal faire; ger-tremen; geslo; gronidło; hasło;
heslo; hesło; jelszo; kata laluan; losenord; lozinka; lykilorð; mat khau; mot de passe; nenosiri;
palavra-passe; parola; pasahitza; passord; password; passwort; pasvorto; salasana; salasona; senha;
sifrə; slaptazodis; wachtwoord; wagwoord; συνθηματικο; лозинка; нууц үг; парола; пароль; рамз;
серсүз; сырсөз; құпия сөз; գաղտնաբառ; סיסמה; تێپەڕەوشە; كلمة المرور; لفظ اجازت; پارول; گذرواژه;
कटशबद; गपतशबद; पासवरड; शबदकट; পাসওযারড; ਪਾਸਵਰਡ; கடவுசசொல; సంకతపదం; ಪರವೕಶಪದ; പാസസവേഡ; รหสผาน;
စကားဝက; პაროლი; 비밀번호; ពាកយសងាត; ハスワート; 密码; 密碼"""  # noqa: RUF001 - they are letters of other scripts
"""Those of Django's translators; see ``scripts/password_words.py``."""
_MORE = """kennwort; motdepasse; mot_de_passe; clave secreta; sifre; 口令; 암호; passwd; passphrase;
passcode; pwd; κωδικος; κωδικος προσβασης; 暗証番号; كلمة السر; parola d'ordine"""
_CODES = "code codice codigo koodi kod код 码 碼 コード 번호"
_COPULAS = "is lautet ist est es e jest to ar er on je este olan adalah la هي هو это είναι है"
_PURPOSES = """one.time einmal verif confirm bestatig bekraft bevestig sicherheit securit segur
sicurez veiligheid authent autent log-?in sign-?in anmelde zugangs potwierdz weryfik dogrul onay
подтвержд провероч 验证 驗證 認証 인증 (?<![a-z])(?:2fa|mfa|otp)"""


def _folded(words: str, between: str | None = None) -> tuple[str, ...]:
    """Return words, folded, the longest first."""
    found = {fold(each.strip()) for each in words.replace("\n", " ").split(between)}
    return tuple(sorted(found, key=lambda each: (-len(each), each)))


CODES = _folded(_CODES)
"""Words for a code, which is a secret where a word beside says that it lets somebody in."""

COPULAS = _folded(_COPULAS)
"""How languages say that something is something."""


def _label(words: tuple[str, ...]) -> re.Pattern[str]:
    short = [each for each in words if len(each) < 6 and each[0] <= "\u0e00"]
    long = [re.escape(each) for each in words if each not in short]
    return re.compile(rf"{'|'.join(long)}|(?<![^\W_])(?:{'|'.join(map(re.escape, short))})")


LABEL = _label(_folded(f"{_PASSWORDS}; {_MORE}", ";"))
"""A word for a password, also as part of another one; a short one only at the beginning of a word.

Thai, and what stands behind it in Unicode, has no spaces between words.
"""

_PURPOSE = re.compile("|".join(_folded(_PURPOSES)))


def says_code(around: str) -> bool:
    """Whether the words beside a word for a code say that it lets somebody in.

    Args:
        around: They, folded and in small letters.
    """
    return _PURPOSE.search(around) is not None
