"""Passwords in command lines, by what the manuals of programs say of their options.

A short option says nothing by itself: ``-p`` is a password to ``sshpass``, a port to ``ssh`` and
"make parents" to ``mkdir``. So programs are named here. Long options have telling names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator


def _options_by_program(programs: str, *options: str) -> dict[str, tuple[str, ...]]:
    return dict.fromkeys(programs.split(), options)


_ATTACHED = _options_by_program(
    "mysql mysqldump mysqladmin mysqlimport mariadb mariadb-dump 7z 7za 7zr", "-p"
)
"""Programs whose ``-p`` has its value in the same word; by itself it asks for one."""
_SEPARATE = (
    _options_by_program("login az", "-p")
    | _options_by_program("keytool jarsigner", "-storepass", "-keypass")
    | _options_by_program("ssh-keygen", "-N", "-P")
    | _options_by_program("openssl", "-k", "-K")
    | {"secret set": ("-b", "--body")}
    | _options_by_program("pdftk", "input_pw", "owner_pw", "user_pw")
)
"""Programs, or subcommands, whose option stands alone; what begins with it is another one."""
_OPTIONS = {
    **_ATTACHED,
    **_SEPARATE,
    **_options_by_program(
        "sshpass mongo mongosh mongodump mongorestore cqlsh beeline rdesktop rar unrar", "-p"
    ),
    **_options_by_program("plink pscp psftp putty", "-pw"),
    **_options_by_program("zip unzip sqlcmd bcp isql tsql ipmitool", "-P"),
    **_options_by_program("ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami", "-w"),
    **_options_by_program("snmpget snmpwalk snmpset", "-A", "-X", "-c"),
    **_options_by_program("redis-cli valkey-cli", "-a"),
    **_options_by_program("ncftpput ncftpget", "-p"),
    **_options_by_program("xfreerdp wfreerdp", "/p:"),
}
"""Program → options that take a password; long ones have telling names."""
_USERS = {
    **dict.fromkeys(("smbclient", "rpcclient", "winexe", "smbget"), (("-U", "--user"), "%")),
    **dict.fromkeys(("lftp", "ncftpput"), (("-u", "--user"), ",")),
    "curl": (("-u", "--user"), ":"),
}
"""Program → options that take a user and a password, and what stands between the two."""
_NAMES = sorted(sorted({*_OPTIONS, *_USERS}), key=len, reverse=True)
_PROGRAM = re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, _NAMES))})(?![\w-])")
_READ = re.compile(
    r"(?<![\w-])(?:echo|printf) (?:-\w{1,3} |'%s(?:\\n)?' )?"
    r"(?P<said>'[^'\n]{3,200}'|\"[^\"\n]{3,200}\"|[^\s\"'|]{3,200})"
    r"\s{0,3}\|\s{0,3}(?P<program>[^\n|]{1,120})"
)
_READS = re.compile(
    r"(?<![\w-])(?:sudo [\w -]{0,20}-S|--(?:[a-z]{1,20}-)?stdin|su|cryptsetup)(?![\w-])"
)
"""Programs that read a password from what is given to them."""
_PLACED = re.compile(
    r"(?i)(?<![\w-])(?:net (?:use [^\n]{0,80}?\\\\\S{1,80}|user [\w.-]{1,40})"
    r"|htpasswd -\w{0,6}b\w{0,6} \S{1,80} [\w.@-]{1,60}|rclone obscure|su [^\n<]{0,40}<<<)"
    r" (?P<said>[^\s/]\S{2,100})"
)
"""Programs whose passwords stand in a place of their own, without an option."""
_PAIRED = re.compile(r"(?<![\w-])chpasswd(?![\w-])")
_WORD = re.compile(r"'[^'\n]*'|\"(?:[^\"\\\n]|\\.)*\"|[^\s'\"]+(?:'[^'\n]*'|\"[^\"\n]*\")?")
_LONGEST_LINE = 400
"""Signs behind a program's name that are read; bounds the time."""
_PORT = re.compile(r"\d{1,5}(?::\d{1,5})?")


def in_commands(text: str) -> Iterator[str]:
    """Yield the passwords that a text passes to programs.

    Args:
        text: Command lines, or a text with some.
    """
    for match in _PROGRAM.finditer(text):
        line = re.split(r"[\n|;]|&&", text[match.end() : match.end() + _LONGEST_LINE], maxsplit=1)[
            0
        ]
        yield from _options(match[0], _WORD.findall(line))
    for match in _PLACED.finditer(text):
        yield match["said"].strip("'\"")
    for match in _READ.finditer(text):
        value = match["said"].strip("'\"")
        if _PAIRED.search(match["program"]):
            yield value.partition(":")[2]
        elif _READS.search(match["program"]):
            yield value


def _options(program: str, words: list[str]) -> Iterator[str]:
    """Yield the passwords among the words behind a program's name."""
    options = _OPTIONS.get(program, ())
    users, between = _USERS.get(program, ((), ""))
    for number, word in enumerate(words):
        after = words[number + 1] if number + 1 < len(words) else ""
        for option in options:
            if word == option and program not in _ATTACHED:
                yield from _value(after)
            elif word.startswith(option) and program not in _SEPARATE:
                yield from _value(word.removeprefix(option))
        for option in users:
            if word == option or (word.startswith(option) and not word.startswith("--")):
                pair = after if word == option else word.removeprefix(option)
                yield from _value(pair.strip("'\"").partition(between)[2])


def _value(word: str) -> Iterator[str]:
    value = word.removeprefix("=").strip("'\"")
    if value and not value.startswith("-") and not _PORT.fullmatch(value):
        yield value
