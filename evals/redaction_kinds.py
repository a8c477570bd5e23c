"""Further kinds of secrets, as people and programs write them: two halves.

Both halves were written before the mechanism that finds them, by the same hand. The first is what
it was made with; the second is only played (``python -m macla.evals.redaction --held``), and no
rule may be made for a kind of it: move the kind to the first half, and write another. Eight kinds
that were not found when the second half was first played have moved since.
"""

from __future__ import annotations

import json
import random
import string
from collections.abc import Callable, Mapping

__all__ = ["FIRST", "FIRST_ORDINARY", "HELD", "HELD_ORDINARY"]

Make = Callable[[random.Random], str]
_LOWER, _UPPER, _DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
_MIXED = _LOWER + _UPPER + _DIGITS
_HEX = "0123456789abcdef"
# Some words of the list of BIP 39 from which recovery phrases are drawn.
_RECOVERY = """abandon ability able about above absent absorb abstract absurd abuse access accident
    account accuse achieve acid acoustic acquire across act action actor actress actual adapt add
    addict address adjust admit adult advance advice aerobic affair afford afraid again age agent
    agree ahead aim air airport aisle alarm album alcohol alert alien all alley allow almost alone
    vacant vacuum vague valid valley valve van vanish vapor various vast vault vehicle velvet vendor
    venture venue verb verify version very vessel veteran viable vibrant vicious victory video view
    zebra zero zone zoo""".split()  # noqa: SIM905 (a table)
_NOUNS = [
    "invoice",
    "parcel",
    "ticket",
    "station",
    "harbour",
    "recipe",
    "window",
    "bicycle",
    "lantern",
    "meadow",
]


def _of(signs: str, length: int) -> Make:
    return lambda r: "".join(r.choices(signs, k=length))


def _password(r: random.Random) -> str:
    """A word with a figure and a sign in it, as people are told to choose."""
    word = "".join(r.choices(_LOWER, k=r.randrange(4, 8)))
    return f"{word.title()}{r.choice('!#$%*+')}{r.randrange(10, 9999)}{r.choice(_LOWER)}"


def _plain(r: random.Random) -> str:
    return (
        "".join(r.choices(_LOWER, k=5)) + str(r.randrange(10, 99)) + "".join(r.choices(_LOWER, k=3))
    )


def _phrase(count: int, between: str = " ") -> Make:
    return lambda r: between.join(r.sample(_RECOVERY, k=count))


def _grouped(signs: str, size: int, count: int, between: str) -> Make:
    return lambda r: between.join("".join(r.choices(signs, k=size)) for _ in range(count))


def _nine(r: random.Random) -> str:
    return f"{r.randrange(1, 665):03}{r.randrange(1, 100):02}{r.randrange(1, 10000):04}"


def _spaced_nine(r: random.Random) -> str:
    nine = _nine(r)
    return f"{nine[:3]} {nine[3:5]} {nine[5:]}"


def _wide(make: Make) -> Make:
    """Return a value as a Japanese keyboard writes it: in signs of full width."""
    return lambda r: "".join(chr(ord(each) + 0xFEE0) for each in make(r))


def _iban(between: str, country: str = "DE", length: int = 18) -> Make:
    def make(r: random.Random) -> str:
        body = "".join(r.choices(_DIGITS, k=length))
        figures = "".join(str(int(c, 36)) for c in body + country + "00")
        whole = f"{country}{98 - int(figures) % 97:02}{body}"
        return between.join(whole[n : n + 4] for n in range(0, len(whole), 4))

    return make


def _card(prefix: str, between: str) -> Make:
    def make(r: random.Random) -> str:
        body = prefix + "".join(r.choices(_DIGITS, k=15 - len(prefix)))
        digits = [int(c) * (2 - n % 2) for n, c in enumerate(reversed(body))]
        whole = body + str(-sum(d - 9 * (d > 9) for d in digits) % 10)
        return between.join(whole[n : n + 4] for n in range(0, 16, 4))

    return make


Kinds = Mapping[str, tuple[Make, tuple[str, ...], bool]]
"""Kind → values, contexts, and whether it is weak: only its context tells what it is."""

FIRST: Kinds = {
    # Kinds of a stranger who tried to get secrets past the rules.
    "sql insert": (
        _plain,
        (
            "INSERT INTO users (name, password) VALUES ('ada', '{}');",
            "insert into u(pwd) values('{}')",
        ),
        True,
    ),
    "python auth": (
        _plain,
        ("requests.get(u, auth=('ada', '{}'))", "s.auth = HTTPBasicAuth('ada', '{}')"),
        True,
    ),
    "redis AUTH": (_plain, ("127.0.0.1:6379> AUTH {}\nOK", "AUTH {}\n+OK"), True),
    "prompt": (
        _plain,
        ("Password for ada@host: {}\nWelcome", "[sudo] Passwort f\u00fcr ada: {}"),
        True,
    ),
    "gh secret": (_plain, ("gh secret set DEPLOY -b {}", 'gh secret set DEPLOY --body "{}"'), True),
    "in its place": (_plain, ("htpasswd -b .htpasswd ada {}", "su - ada <<< {}"), True),
    "openssl -k": (
        _plain,
        ("openssl enc -aes256 -k {} -in a", "ssh-keygen -t ed25519 -N '{}' -f k"),
        True,
    ),
    "read from a pipe": (
        _plain,
        ("printf '%s' '{}' | cryptsetup open d x -", "echo '{}' | su -c id ada"),
        True,
    ),
    "pgpass": (_plain, ("db1:5432:shop:app:{}", "*:*:*:app:{}"), True),
    "multipart": (
        _plain,
        (
            '--b\nContent-Disposition: form-data; name="password"\n\n{}\n--b--',
            'Content-Disposition: form-data; name="secret"\n\n{}',
        ),
        True,
    ),
    "pw is": (_plain, ("hey, pw is {} btw", "creds: ada/{}"), True),
    "code of a login": (
        lambda r: str(r.randrange(10**5, 10**6)),
        ("{} - valid for 10 minutes. Never share this code.", "To confirm your login type {}"),
        True,
    ),
    "TAN": (lambda r: str(r.randrange(10**5, 10**6)), ("Ihre mobileTAN: {}", "smsTAN {}"), True),
    "reset link": (
        _of(_LOWER + _DIGITS, 24),
        ("https://acme.example/reset-password/{}", "https://acme.example/u/verify/{}"),
        True,
    ),
    "sshpass -p": (_plain, ("sshpass -p {} ssh ada@host", "sshpass -p'{}' scp a b:"), True),
    "redis-cli -a": (_plain, ("redis-cli -h cache -a {} ping", "redis-cli -a '{}'"), True),
    "ldapsearch -w": (
        _plain,
        ("ldapsearch -x -D cn=admin -w {} -b dc=x", "ldapsearch -w '{}'"),
        True,
    ),
    "smbclient user%": (
        _password,
        ("smbclient //nas/share -U ada%{}", "smbclient -U 'ada%{}' //n/s"),
        True,
    ),
    "zip -P": (_plain, ("zip -P {} out.zip a.txt", "unzip -P {} out.zip"), True),
    "7z -p": (_plain, ("7z x backup.7z -p{}", "7z a -p{} b.7z x"), True),
    "sudo -S": (_plain, ("echo {} | sudo -S ls", "echo '{}' | sudo -S apt update"), True),
    "chpasswd": (_plain, ("echo ada:{} | chpasswd", "echo 'ada:{}' | sudo chpasswd"), True),
    "openssl pass:": (
        _plain,
        ("openssl enc -pass pass:{} -in a", "openssl rsa -passin pass:{}"),
        True,
    ),
    "rdp /p:": (_password, ("xfreerdp /u:ada /p:{} /v:host", "wfreerdp /v:h /u:a /p:{}"), True),
    "full-width colon": (
        _plain,
        ("password\uff1a{}", "\u30d1\u30b9\u30ef\u30fc\u30c9\uff1a{}"),
        True,
    ),
    "full-width label": (
        _plain,
        ("\uff30\uff41\uff53\uff53\uff57\uff4f\uff52\uff44: {}", "\uff50\uff49\uff4e\uff1d{}"),
        True,
    ),
    "full-width value": (_wide(_of(_MIXED, 24)), ("token: {}", "the key is {}"), False),
    "zero width in label": (_plain, ("pass\u200bword: {}", "pass\u00adword={}"), True),
    "curly quotes": (_plain, ("password \u201c{}\u201d", "password: \u00ab{}\u00bb"), True),
    "German": (_plain, ("das Passwort lautet {}", "Kennwort: {}", "Ihr Passwort ist {}."), True),
    "French": (_plain, ("le mot de passe est {}", "Mot de passe : {}"), True),
    "Spanish": (_plain, ("la contrase\u00f1a es {}", "Contrase\u00f1a: {}"), True),
    "Russian": (
        _plain,
        (
            "\u043f\u0430\u0440\u043e\u043b\u044c: {}",
            "\u0412\u0430\u0448 \u043f\u0430\u0440\u043e\u043b\u044c \u2014 {}",
        ),
        True,
    ),
    "Chinese": (_plain, ("\u5bc6\u7801\uff1a{}", "\u5bc6\u7801\u662f{}"), True),
    "Polish": (_plain, ("has\u0142o: {}", "Twoje has\u0142o to {}"), True),
    "Swedish": (_plain, ("l\u00f6senord: {}", "L\u00f6senordet \u00e4r {}"), True),
    "value before label": (_password, ("use {} as the password", "{} is the password"), True),
    "label far off": (
        _password,
        (
            "The password for the staging box, should you need it, is {}.",
            "password (do not share): {}",
        ),
        True,
    ),
    "number without dashes": (
        _nine,
        ("SSN {}", "social security number is {}", "her SSN: {}"),
        True,
    ),
    "number with spaces": (_spaced_nine, ("SSN {}", "social security: {}"), False),
    "hex with colons": (_grouped(_HEX, 2, 16, ":"), ("key {}", '{{"k": "{}"}}'), False),
    "HEX with colons": (_grouped("0123456789ABCDEF", 2, 32, ":"), ("it is {}", "{} ok"), False),
    "hex with 0x": (lambda r: "0x" + r.randbytes(32).hex(), ("wallet {}", '"{}"'), False),
    "key in groups": (
        _grouped(_UPPER + _DIGITS, 5, 5, "-"),
        ("licence key {}", "product key: {}"),
        False,
    ),
    "phrase in a sentence": (_phrase(12), ("write down {} and keep it", "words: {}."), False),
    "phrase with commas": (_phrase(24, ", "), ("seed: {}", "The words are {}"), False),
    "German code": (
        _of(_DIGITS, 6),
        ("Ihr Best\u00e4tigungscode lautet {}", "Sicherheitscode: {}"),
        True,
    ),
    "French code": (
        _of(_DIGITS, 6),
        ("Votre code de v\u00e9rification est {}", "code de s\u00e9curit\u00e9 : {}"),
        True,
    ),
    "code before": (
        _of(_DIGITS, 6),
        ("{} is your Acme verification code", "Use {} as your login code"),
        True,
    ),
    "iban in groups": (_iban(" "), ("transfer to {}", "{} please"), False),
    "iban with dashes": (_iban("-"), ("IBAN {}", "to {}"), False),
    "card with dots": (_card("4", "."), ("card {}", "{} exp 12/27"), False),
    "card with dashes": (_card("53", "-"), ("pay with {}", "card: {}"), False),
    "xml attribute": (_plain, ('<user name="ada" password="{}"/>', "<db pass='{}' />"), True),
    "yaml block": (_plain, ("user: ada\npassword: |\n  {}\n", "password: >-\n  {}"), True),
    "table": (
        _plain,
        ("| user | password |\n|---|---|\n| ada | {} |", "user,password\nada,{}"),
        True,
    ),
    "ini": (_plain, ("[db]\npasswd = {}\n", "pwd={}"), True),
    "toml": (_password, ('password = "{}"', "db.password = '{}'"), True),
    # Held back until they were played once, and not found then.
    "net use": (_password, ("net use Z: \\\\nas\\x {} /user:ada", "net user ada {} /add"), True),
    "Italian": (_plain, ("la parola d'ordine \u00e8 {}", "La password \u00e8 {}"), True),
    "Japanese": (
        _plain,
        ("\u30d1\u30b9\u30ef\u30fc\u30c9\u306f{}\u3067\u3059", "\u6697\u8a3c\u756a\u53f7\uff1a{}"),
        True,
    ),
    "Arabic": (
        _plain,
        (
            "\u0643\u0644\u0645\u0629 \u0627\u0644\u0645\u0631\u0648\u0631: {}",
            "\u0643\u0644\u0645\u0629 \u0627\u0644\u0633\u0631 \u0647\u064a {}",
        ),
        True,
    ),
    "Greek": (
        _plain,
        (
            "κωδικός πρόσβασης: {}",
            "\u039f \u03ba\u03c9\u03b4\u03b9\u03ba\u03cc\u03c2 \u03b5\u03af\u03bd\u03b1\u03b9 {}",
        ),
        True,
    ),
    "credentials pair": (_password, ("log in with ada / {}", "credentials: ada {}"), True),
    "html input": (
        _plain,
        ('<input type="password" value="{}">', '<input name="pwd" value="{}"/>'),
        True,
    ),
    "vault yaml": (
        _plain,
        ("- name: db_password\n  value: {}\n", "env:\n  - name: API_TOKEN\n    value: {}"),
        True,
    ),
    "tax number": (_of(_DIGITS, 11), ("tax id: {}", '{{"taxId": "{}"}}'), True),
    "passport": (
        lambda r: r.choice(_UPPER) + _of(_DIGITS, 8)(r),
        ("passport number {}", "passport: {}"),
        True,
    ),
}

FIRST_ORDINARY: Mapping[str, Make] = {
    "EAN": lambda r: f"item 4{r.randrange(10**11, 10**12)} in stock",
    "verify page": lambda r: f"see https://acme.example/verify/how-it-works-{r.choice(_NOUNS)}",
    "login as": lambda r: f"log in as ada{r.randrange(99)} with the usual device",
    "host and port": lambda r: f"db{r.randrange(9)}:5432:shop is up since {r.randrange(99)} days",
    "mkdir -p": lambda r: f"mkdir -p build/{r.choice(_NOUNS)}{r.randrange(99)}",
    "ssh -p": lambda r: f"ssh -p {r.randrange(1000, 65000)} ada@host{r.randrange(9)}",
    "forgot the password": lambda r: (
        f"user {r.choice(_NOUNS)}{r.randrange(99)} forgot the password"
    ),
    "reset the password": lambda r: f"reset the password of ada{r.randrange(99)} and tell her",
    "German talk": lambda r: (
        f"Das Passwort von {r.choice(_NOUNS)}{r.randrange(99)} ist abgelaufen."
    ),
    "French talk": lambda r: f"mot de passe oubli\u00e9, ticket {r.randrange(10**5)}",
    "password ticket": lambda r: (
        f"Ticket {r.randrange(10**5)}: password reset for room {r.randrange(999)}"
    ),
    "error code": lambda r: f"error code {r.randrange(100, 10**6)} in {r.choice(_NOUNS)}",
    "zip code": lambda r: f"zip code {r.randrange(10000, 99999)}, {r.choice(_NOUNS)}",
    "mac address": lambda r: "dev " + ":".join(f"{r.randrange(256):02x}" for _ in range(6)),
    "ip address": lambda r: f"10.{r.randrange(256)}.{r.randrange(256)}.{r.randrange(256)}:8080",
    "ipv6": lambda r: "2001:db8:" + ":".join(f"{r.randrange(65536):x}" for _ in range(6)),
    "commit": lambda r: f"commit {r.randbytes(4).hex()} by ada",
    "colour": lambda r: f"background: #{r.randbytes(3).hex()};",
    "recipe": lambda r: (
        f"add {r.randrange(9)} eggs, mix well and bake {r.randrange(60)} minutes until brown"
    ),
    "number of nine": lambda r: f"order number {r.randrange(10**8, 10**9)}",
    "population": lambda r: f"population {r.randrange(10**5, 10**7)} in {r.randrange(1900, 2024)}",
    "wide text": lambda r: f"\u96fb\u8a71\uff1a{r.randrange(10**6)} \uff21\uff22\uff23",
    "Chinese text": lambda r: f"\u8ba2\u5355\uff1a{r.randrange(10**8)}\u5df2\u53d1\u8d27",
    "pass rate": lambda r: json.dumps(
        {"pass_rate": r.random(), "passed": r.randrange(99), "failed": 3}
    ),
    "first pass": lambda r: (
        f"pass {r.randrange(9)} of {r.randrange(9, 20)} took {r.randrange(99)} ms"
    ),
    "access control": lambda r: f"access level {r.randrange(9)} for gate B{r.randrange(99)}",
    "table of users": lambda r: (
        f"| user | room |\n|---|---|\n| ada{r.randrange(99)} | {r.randrange(999)} |"
    ),
}

HELD: Kinds = {
    "docker login -p": (
        _plain,
        ("docker login -u ada -p {} reg.example", "docker login --username a -p '{}'"),
        True,
    ),
    "sqlcmd -P": (_plain, ("sqlcmd -S db -U sa -P {} -Q x", "bcp t out f -U sa -P '{}'"), True),
    "mongo -p": (_plain, ("mongo -u ada -p {} db", "mongosh --username a -p '{}'"), True),
    "keytool -storepass": (
        _plain,
        ("keytool -list -storepass {} -keystore a", "keytool -keypass '{}'"),
        True,
    ),
    "lftp user,": (_plain, ("lftp -u ada,{} ftp.example.org", "lftp -u 'ada,{}' host"), True),
    "passwd --stdin": (
        _plain,
        ("echo {} | passwd --stdin ada", "echo '{}' | passwd --stdin bob"),
        True,
    ),
    "ipmitool -P": (
        _plain,
        ("ipmitool -H h -U admin -P {} power status", "ipmitool -I lan -P '{}'"),
        True,
    ),
    "kubectl literal": (
        _plain,
        ("kubectl create secret generic x --from-literal=password={}", "--from-literal=pwd={}"),
        True,
    ),
    "curl -u": (_plain, ("curl -u ada:{} https://x.example", "curl --user ada:{} https://x"), True),
    "full-width equals": (
        _plain,
        ("password\uff1d{}", "\u30d1\u30b9\u30ef\u30fc\u30c9\uff1d{}"),
        True,
    ),
    "full-width code": (_wide(_of(_DIGITS, 6)), ("verification code: {}", "otp={}"), True),
    "bold label": (
        _plain,
        (
            "\U0001d429\U0001d41a\U0001d42c\U0001d42c\U0001d430\U0001d428\U0001d42b\U0001d41d: {}",
            "**Password:** {}",
        ),
        True,
    ),
    "no-break space": (_plain, ("password\u00a0:\u00a0{}", "password\u00a0is\u00a0{}"), True),
    "low quotes": (_plain, ("password \u201e{}\u201c", "Passwort: \u201a{}\u2018"), True),
    "Portuguese": (_plain, ("a senha \u00e9 {}", "palavra-passe: {}"), True),
    "Dutch": (_plain, ("het wachtwoord is {}", "Wachtwoord: {}"), True),
    "Turkish": (_plain, ("parola: {}", "\u015fifreniz {}"), True),
    "Czech": (_plain, ("heslo: {}", "Va\u0161e heslo je {}"), True),
    "Korean": (_plain, ("\ube44\ubc00\ubc88\ud638: {}", "\ube44\ubc00\ubc88\ud638\ub294 {}"), True),
    "Finnish": (_plain, ("salasana: {}", "Salasanasi on {}"), True),
    "label in brackets": (_password, ("[password] {}", "(password) {}"), True),
    "arrow": (_plain, ("password -> {}", "password \u2192 {}"), True),
    "said later": (
        _password,
        (
            "The new admin password, which expires on Friday, will be {}",
            "set {} for the root password",
        ),
        True,
    ),
    "number with dots": (
        lambda r: _spaced_nine(r).replace(" ", "."),
        ("SSN {}", "social security no. {}"),
        False,
    ),
    "hex with spaces": (_grouped(_HEX, 2, 16, " "), ("key {}", "bytes: {}"), False),
    "hex in fours": (_grouped(_HEX, 4, 16, "-"), ("key {}", "recovery {}"), False),
    "figures in groups": (
        _grouped(_DIGITS, 6, 8, "-"),
        ("BitLocker recovery key {}", "recovery key: {}"),
        False,
    ),
    "base32 in groups": (
        _grouped(_UPPER + "234567", 4, 8, " "),
        ("setup key {}", "enter {} in the app"),
        False,
    ),
    "phrase, numbered": (
        lambda r: " ".join(f"{n}. {w}" for n, w in enumerate(r.sample(_RECOVERY, 12), 1)),
        ("wallet\n{}", "{}"),
        False,
    ),
    "phrase by lines": (_phrase(15, "\n"), ("my words\n{}\nend", "wallet:\n{}"), False),
    "Spanish code": (
        _of(_DIGITS, 6),
        ("Su c\u00f3digo de verificaci\u00f3n es {}", "c\u00f3digo de seguridad: {}"),
        True,
    ),
    "Chinese code": (
        _of(_DIGITS, 6),
        ("\u9a8c\u8bc1\u7801\uff1a{}", "\u60a8\u7684\u9a8c\u8bc1\u7801\u662f{}"),
        True,
    ),
    "iban, small": (lambda r: _iban("")(r).lower(), ("to {}", "iban: {}"), False),
    "card, no-break spaces": (_card("4", "\u00a0"), ("card {}", "{}"), False),
    "tab table": (_plain, ("user\tpassword\nada\t{}", "host;user;password\nh;ada;{}"), True),
    "properties": (
        _plain,
        ("spring.datasource.password={}", "javax.net.ssl.keyStorePassword={}"),
        True,
    ),
    "gradle property": (_plain, ("signing.keyPassword={}", "-PstorePassword={}"), True),
    "membership number": (
        lambda r: str(r.randrange(10**9, 10**10)),
        ("health card number {}", "medical record number: {}"),
        True,
    ),
}

HELD_ORDINARY: Mapping[str, Make] = {
    "cp -p": lambda r: f"cp -p {r.choice(_NOUNS)}{r.randrange(99)}.txt /tmp/x{r.randrange(9)}",
    "docker run -p": lambda r: f"docker run -p {r.randrange(1000, 9999)}:80 shop{r.randrange(9)}",
    "grep -w": lambda r: f"grep -w {r.choice(_NOUNS)}{r.randrange(99)} log.txt",
    "ls -a": lambda r: f"ls -a dir{r.randrange(99)}",
    "Spanish talk": lambda r: f"olvid\u00e9 la contrase\u00f1a de mi cuenta {r.randrange(10**5)}",
    "Italian talk": lambda r: f"La password di ada{r.randrange(99)} \u00e8 scaduta",
    "password policy": lambda r: (
        f"Passwords have {r.randrange(8, 20)} signs and change every {r.randrange(30, 99)} days"
    ),
    "password page": lambda r: (
        f"see https://example.org/help/{r.randrange(999)}/password for room {r.randrange(99)}"
    ),
    "password changed": lambda r: (
        f"Password of user-{r.randrange(10**4)} changed at 10:{r.randrange(10, 60)}"
    ),
    "status code": lambda r: f"status code: {r.randrange(100, 600)}",
    "promotion code": lambda r: f"the product code is P{r.randrange(10**4)}",
    "country code": lambda r: f"country code {r.choice(['DE', 'FR'])}, dial {r.randrange(10**5)}",
    "time": lambda r: f"at {r.randrange(24):02}:{r.randrange(60):02}:{r.randrange(60):02}",
    "chess": lambda r: (
        f"{r.randrange(9)}. Nf3 d{r.randrange(1, 9)} {r.randrange(9)}. g3 Bg{r.randrange(1, 9)}"
    ),
    "dna": lambda r: "gene " + "".join(r.choices("ACGT", k=40)),
    "sizes": lambda r: (
        f"{r.randrange(9999)}x{r.randrange(9999)} px, {r.randrange(99)}.{r.randrange(9)} MB"
    ),
    "address": lambda r: f"{r.randrange(999)} Vault Street, Access Road {r.randrange(99)}",
    "story": lambda r: (
        f"all about able actors who admit that they act again at age {r.randrange(99)}"
    ),
    "Korean text": lambda r: f"\uc8fc\ubb38 {r.randrange(10**8)}: \ubc1c\uc1a1\ub428",
    "yaml": lambda r: f"- name: room\n  value: B{r.randrange(999)}\n",
    "csv": lambda r: f"user;floor\nada{r.randrange(99)};{r.randrange(99)}",
    "secret santa": lambda r: f"secret santa {r.randrange(2000, 2030)} in room {r.randrange(99)}",
    "token count": lambda r: f"{r.randrange(9999)} tokens used, token limit {r.randrange(9999)}",
}
