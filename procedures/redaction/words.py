"""Words for secrets in many languages, folded as :mod:`.folding` does, in small letters."""

from __future__ import annotations

import re

from .folding import fold

__all__ = [
    *("CODES", "COPULAS", "LABELS", "NUMBERS"),
    *("says_code", "says_number", "says_password", "within_a_word"),
]

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
_NUMBERS = """ssn; social security; national insurance; national id; tax id; tax number; passport;
reisepass; passeport; pasaporte; paszport; passaporto; paspoort; driver's license; drivers license;
driver license; driving licence; driver's licence; fuhrerschein; personalausweis; steuer-id;
steueridentifikationsnummer; steuernummer; sozialversicherungsnummer; securite sociale;
seguridad social; codice fiscale; cpf; aadhaar; aadhar; pesel; bsn; curp; nhs number;
medicare number; insurance number; bank account"""
_COPULAS = "is lautet ist est es e jest to ar er on je este olan adalah la هي هو это είναι है"
_PURPOSES = """one.time einmal verif confirm bestatig bekraft bevestig sicherheit securit segur
sicurez veiligheid authent autent log.?in sign.?in anmelde zugangs potwierdz weryfik dogrul onay
подтвержд провероч 验证 驗證 認証 인증 (?<![a-z])(?:2fa|mfa|otp|door|gate|alarm|entry)(?![a-z])"""


def _folded(words: str, between: str | None = None) -> tuple[str, ...]:
    """Return words, folded, the longest first."""
    folded_words = {fold(each.strip()) for each in words.replace("\n", " ").split(between)}
    return tuple(sorted(folded_words, key=lambda each: (-len(each), each)))


CODES = _folded(_CODES)
"""Words for a code, which is a secret where a word beside says that it lets somebody in."""

COPULAS = _folded(_COPULAS)
"""How languages say that something is something."""


LABELS = _folded(f"{_PASSWORDS}; {_MORE}", ";")
"""Words for a password."""


NUMBERS = _folded(_NUMBERS, ";")
"""Names of numbers that identify a person."""
_SAID_NUMBER = re.compile(rf"(?<![a-z])(?:{'|'.join(map(re.escape, NUMBERS))})(?![a-z])")


def says_number(text: str) -> bool:
    """Whether a text, folded and in small letters, names what tells who somebody is."""
    return _SAID_NUMBER.search(text) is not None


def within_a_word(text: str, start: int, label: str) -> bool:
    """Whether a short word for a password is but a part of another word, as in a hasenhaus.

    Thai, and what stands behind it in Unicode, has no spaces between words.
    """
    spaced = len(label) < 6 and label[0] <= "\u0e00"
    return spaced and start > 0 and text[start - 1].isalnum()


def says_password(name: str) -> bool:
    """Whether a name, folded and in small letters, has a word for a password in it."""
    return any(
        (start := name.find(each)) >= 0 and not within_a_word(name, start, each) for each in LABELS
    )


_PURPOSE = re.compile("|".join(_folded(_PURPOSES)))


def says_code(around: str) -> bool:
    """Whether the words beside a word for a code say that it lets somebody in.

    Args:
        around: They, folded and in small letters.
    """
    return _PURPOSE.search(around) is not None
