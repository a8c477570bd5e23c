"""How many secrets reach a file, and how much that is none is taken out, beside detect-secrets.

``python -m macla.evals.redaction`` makes random values of each kind, puts each alone and in a
sentence or a result as tools and people write it, and looks whether it is still there.
detect-secrets is run as its own command does, with all its detectors and filters; it finds a value
if it names anything in its line.
"""

from __future__ import annotations

import base64
import json
import random
import string
import tempfile
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from ..procedures.redaction.redactor import Redactor
from .redaction_kinds import FIRST, FIRST_ORDINARY, HELD, HELD_ORDINARY

__all__ = ["ORDINARY", "SECRETS", "Rate", "command", "missed", "of_library", "of_macla", "taken"]

Make = Callable[[random.Random], str]
Finds = Callable[[Sequence[tuple[str, str]]], list[bool]]
_LOWER, _UPPER, _DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
_MIXED = _LOWER + _UPPER + _DIGITS
_HEX = "0123456789abcdef"
_HEADER = b'{"alg":"HS256"}'
_WORDS = """apple anchor basket blossom candle canyon copper desert dolphin engine ember feather
    forest garden glacier hammer harbor island jacket jungle kettle ladder lantern marble meadow
    needle ocean orchard paddle pebble pencil pepper planet puzzle quarter rabbit ribbon rocket
    saddle shadow silver spider stable summer sunset tackle timber tunnel velvet violin walnut
    window winter wizard zebra cactus burger cradle muffin""".split()  # noqa: SIM905 (a table)


def _of(signs: str, length: int, before: str = "", after: str = "") -> Make:
    return lambda r: before + "".join(r.choices(signs, k=length)) + after


def _b64(length: int, *, url: bool = False) -> Make:
    encode = base64.urlsafe_b64encode if url else base64.b64encode
    return lambda r: encode(r.randbytes(length)).decode()


def _luhn(prefix: str, length: int) -> Make:
    def make(r: random.Random) -> str:
        body = prefix + "".join(r.choices(_DIGITS, k=length - len(prefix) - 1))
        digits = [int(c) * (2 - n % 2) for n, c in enumerate(reversed(body))]
        return body + str(-sum(d - 9 * (d > 9) for d in digits) % 10)

    return make


def _iban(r: random.Random) -> str:
    country, length = r.choice((("DE", 18), ("GB", 18), ("FR", 23), ("NL", 14), ("ES", 20)))
    bank = "".join(r.choices(_UPPER, k=4)) if country in ("GB", "NL") else ""
    body = bank + "".join(r.choices(_DIGITS, k=length - len(bank)))
    figures = "".join(str(int(c, 36)) for c in body + country + "00")
    return f"{country}{98 - int(figures) % 97:02}{body}"


def _jwt(r: random.Random) -> str:
    def part(data: bytes) -> str:
        return base64.urlsafe_b64encode(data).decode().rstrip("=")

    body = json.dumps({"sub": str(r.randrange(10**9)), "iat": r.randrange(10**9)}).encode()
    return f"{part(_HEADER)}.{part(body)}.{part(r.randbytes(32))}"


def _pem(r: random.Random) -> str:
    body = "\n".join(base64.b64encode(r.randbytes(48)).decode() for _ in range(4))
    return f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"


def _word_password(r: random.Random) -> str:
    return f"{r.choice(_WORDS).title()}{r.randrange(10, 9999)}{r.choice('!#$%*')}"


def _phrase(count: int) -> Make:
    return lambda r: " ".join(r.choices(_WORDS, k=count))


def _ssn(r: random.Random) -> str:
    return f"{r.randrange(1, 665):03}-{r.randrange(1, 100):02}-{r.randrange(1, 10000):04}"


def _email(r: random.Random) -> str:
    return f"{r.choice(_WORDS)}.{r.choice(_WORDS)}{r.randrange(99)}@{r.choice(_WORDS)}.example.org"


@dataclass(frozen=True)
class Kind:
    """Values of a kind, and how tools and people write them: texts with ``{}``."""

    make: Make
    contexts: tuple[str, ...]


SECRETS: Mapping[str, Kind] = {
    "aws key id": Kind(_of(_UPPER + "234567", 16, "AKIA"), ("AWS_ACCESS_KEY_ID={}", "id {} works")),
    "aws secret": Kind(_b64(30), ("aws_secret_access_key = {}", "The secret is {}.")),
    "aws secret, no label": Kind(_b64(30), ("use {} for the upload", '["s3", "{}"]')),
    "aws session token": Kind(_b64(120), ("aws_session_token={}", '{{"SessionToken": "{}"}}')),
    "azure storage key": Kind(_b64(64), ("AccountName=a;AccountKey={}", "key: {} (storage)")),
    "azure client secret": Kind(
        _of(_MIXED + "~._-", 37, "8Q~"), ("client_secret={}", "clientSecret: {}")
    ),
    "azure sas": Kind(
        _b64(32), ("https://x.example/?sv=2022&sig={}", "SharedAccessSignature sig={}")
    ),
    "google api key": Kind(_of(_MIXED + "_-", 35, "AIza"), ("key={}", "the maps key is {}")),
    "google oauth secret": Kind(_of(_MIXED, 28, "GOCSPX-"), ("client_secret: {}", "use {} now")),
    "google access token": Kind(
        _of(_MIXED + "_-", 60, "ya29."), ("Authorization: Bearer {}", "{} ok")
    ),
    "github token": Kind(
        _of(_MIXED, 36, "ghp_"), ("git clone https://{}@github.com/a/b", "use {}")
    ),
    "github fine token": Kind(_of(_MIXED, 59, "github_pat_"), ("GH_TOKEN={}", "token {}")),
    "gitlab token": Kind(_of(_MIXED, 20, "glpat-"), ("PRIVATE-TOKEN: {}", "as {} says")),
    "slack bot token": Kind(_of(_DIGITS, 12, "xoxb-", "-abcdEFGH1234"), ("SLACK={}", "with {}")),
    "slack webhook": Kind(
        _of(_MIXED, 24, "https://hooks.slack.com/services/T01/B02/"), ("post to {}", '"url": "{}"')
    ),
    "stripe key": Kind(_of(_MIXED, 24, "sk_live_"), ("STRIPE={}", "pay with {}")),
    "stripe webhook": Kind(_of(_MIXED, 32, "whsec_"), ("endpoint {}", "secret {}")),
    "openai key": Kind(_of(_MIXED, 40, "sk-proj-"), ("OPENAI_API_KEY={}", "key {} please")),
    "anthropic key": Kind(_of(_MIXED + "_-", 90, "sk-ant-api03-"), ("x-api-key: {}", "with {}")),
    "hugging face": Kind(_of(_MIXED, 34, "hf_"), ("HF_TOKEN={}", "login {}")),
    "npm token": Kind(_of(_MIXED, 36, "npm_"), ("//registry.npmjs.org/:_authToken={}", "npm {}")),
    "pypi token": Kind(
        _of(_MIXED + "_-", 90, "pypi-AgEIcHlwaS5vcmc"), ("password = {}", "upload {}")
    ),
    "sendgrid": Kind(_of(_MIXED, 43, "SG.abcdefghij0123456789ab."), ("SENDGRID={}", "mail {}")),
    "mailgun": Kind(_of(_HEX, 32, "key-"), ("api:{}", "MAILGUN_API_KEY={}")),
    "mailchimp": Kind(_of(_HEX, 32, "", "-us12"), ("apikey {}", "MAILCHIMP={}")),
    "twilio": Kind(_of(_HEX, 32, "SK"), ("TWILIO={}", "sid {}")),
    "telegram bot": Kind(_of(_MIXED, 33, "123456789:AA"), ("bot{}/getMe", "token {}")),
    "discord bot": Kind(
        _of(_MIXED, 27, "MTA1NjU0MzIxMDk4NzY1NA.GaBcDe."), ("Bot {}", "DISCORD={}")
    ),
    "digitalocean": Kind(_of(_HEX, 64, "dop_v1_"), ("DO_TOKEN={}", "droplet {}")),
    "shopify": Kind(_of(_HEX, 32, "shpat_"), ("X-Shopify-Access-Token: {}", "shop {}")),
    "square": Kind(_of(_MIXED, 43, "sq0csp-"), ("square {}", "SQUARE={}")),
    "hashicorp vault": Kind(_of(_MIXED, 24, "hvs."), ("VAULT_TOKEN={}", "vault login {}")),
    "docker token": Kind(_of(_MIXED, 27, "dckr_pat_"), ("docker login -p {}", "as {}")),
    "databricks": Kind(_of(_HEX, 32, "dapi"), ("DATABRICKS_TOKEN={}", "host {}")),
    "jwt": Kind(_jwt, ("Authorization: Bearer {}", '{{"t": "{}"}}')),
    "private key": Kind(_pem, ("{}", "The file:\n{}\nends.")),
    "age key": Kind(_of(_UPPER + _DIGITS, 58, "AGE-SECRET-KEY-1"), ("# {}", "key {}")),
    "basic auth url": Kind(
        _of(_MIXED, 14), ("https://ada:{}@host.example/x", "postgres://u:{}@db/x")
    ),
    "basic auth header": Kind(
        _b64(18), ("Authorization: Basic {}", '{{"authorization": "Basic {}"}}')
    ),
    "bearer": Kind(
        _of(_MIXED, 32), ("Authorization: Bearer {}", "curl -H 'Authorization: Bearer {}'")
    ),
    "session cookie": Kind(_of(_HEX, 26), ("Cookie: sessionid={}", "Set-Cookie: sid={}; Path=/")),
    "csrf token": Kind(_of(_MIXED, 32), ("csrf_token={}", '{{"csrfToken": "{}"}}')),
    "hex key of 32": Kind(_of(_HEX, 32), ("API key: {}", '{{"id": 7, "value": "{}"}}')),
    "hex key of 64": Kind(_of(_HEX, 64), ("encryption key {}", '{{"k": "{}"}}')),
    "16 bytes in base64": Kind(_b64(16), ("secret: {}", '{{"value": "{}"}}')),
    "24 bytes in base64url": Kind(_b64(24, url=True), ("refresh_token={}", "it is {} today")),
    "32 bytes in base64": Kind(_b64(32), ("signing key = {}", '["{}"]')),
    "20 letters and figures": Kind(_of(_MIXED, 20), ("token={}", "the key is {}")),
    "uuid key": Kind(
        lambda r: str(uuid.UUID(int=r.getrandbits(128), version=4)), ("api_key={}", "key {}")
    ),
    "totp seed": Kind(
        _of(_UPPER + "234567", 32), ("otpauth://totp/a?secret={}", "TOTP secret: {}")
    ),
    "client secret": Kind(_of(_MIXED, 24), ('{{"client_secret": "{}"}}', "client secret is {}")),
    "password": Kind(_word_password, ("password: {}", "my password is {}", '{{"pwd": "{}"}}')),
    "mysql -p": Kind(_of(_MIXED, 10), ("mysql -u root -p{} shop", "mysqldump -h db -p{} x")),
    "passphrase": Kind(_phrase(4), ('passphrase: "{}"', '{{"passphrase": "{}"}}')),
    "database password": Kind(_of(_MIXED, 12), ("DB_PASS={}", "PGPASSWORD='{}' psql")),
    "pin": Kind(_of(_DIGITS, 4), ("PIN: {}", '{{"pin": "{}"}}')),
    "one-time code": Kind(
        _of(_DIGITS, 6),
        ("Your verification code is {}.", "Your code is {}.", "{} is your login code", "otp: {}"),
    ),
    "backup code": Kind(
        _of(_LOWER + _DIGITS, 10), ("backup code: {}", '{{"recovery_code": "{}"}}')
    ),
    "seed phrase of 12": Kind(_phrase(12), ("seed phrase: {}", "My recovery phrase is {}.")),
    "seed phrase of 24": Kind(_phrase(24), ("mnemonic = {}", '{{"mnemonic": "{}"}}')),
    "visa card": Kind(_luhn("4", 16), ("card {}", '{{"number": "{}"}}')),
    "mastercard": Kind(_luhn("53", 16), ("pay with {} please", "card: {}")),
    "amex card": Kind(_luhn("37", 15), ("amex {}", "charged to {}")),
    "card code": Kind(_of(_DIGITS, 3), ("cvv: {}", '{{"cvc": "{}"}}')),
    "iban": Kind(_iban, ("transfer to {}", '{{"to": "{}"}}')),
    "social security number": Kind(_ssn, ("SSN {}", "her number is {}")),
    "e-mail address": Kind(_email, ("write to {}", "to={}")),
    **{name: Kind(make, contexts) for name, (make, contexts, _) in FIRST.items()},
}
"""Kind → values and contexts. Alone, some cannot be told from anything else: see WEAK."""

HELD_KINDS: Mapping[str, Kind] = {
    name: Kind(make, contexts) for name, (make, contexts, _) in HELD.items()
}
"""Kinds for which no rule was made."""

WEAK = frozenset(
    {"password", "mysql -p", "passphrase", "database password", "pin", "one-time code"}
    | {"backup code", "card code", "basic auth url"}
    | {name for name, (_, _, weak) in (*FIRST.items(), *HELD.items()) if weak}
)
"""Kinds that are short or made of words: alone nothing tells them from a name or a number."""

ORDINARY: Mapping[str, Make] = {
    "words": lambda r: " ".join(r.choices(_WORDS, k=r.randrange(2, 9))),
    "order": lambda r: f"Order {r.randrange(10**6)} ships on {r.randrange(1, 28)} May.",
    "order id": lambda r: f"ORD-{r.randrange(2020, 2030)}-{r.randrange(10**5):05}",
    "sku": lambda r: f"{r.choice(_WORDS)[:3].upper()}-{r.randrange(999)}-{r.choice('SML')}",
    "product number": lambda r: "B0" + "".join(r.choices(_UPPER + _DIGITS, k=8)),
    "date": lambda r: (
        f"2024-{r.randrange(1, 13):02}-{r.randrange(1, 29):02}T10:{r.randrange(60):02}:00Z"
    ),
    "price": lambda r: f"costs {r.randrange(10**4)}.{r.randrange(100):02} euros",
    "phone": lambda r: f"+49 30 {r.randrange(10**6, 10**7)}",
    "flight": lambda r: (
        f"flight {r.choice('ABF')}{r.choice('ABF')}{r.randrange(10, 9999)} to {r.choice(_WORDS).title()}"
    ),
    "path": lambda r: f"/home/ada/{r.choice(_WORDS)}/{r.choice(_WORDS)}_{r.randrange(99)}.csv",
    "url": lambda r: (
        f"https://example.org/{r.choice(_WORDS)}/{r.randrange(9999)}?page={r.randrange(99)}"
    ),
    "camel case": lambda r: (
        "".join(w.title() for w in r.choices(_WORDS, k=4)) + str(r.randrange(9))
    ),
    "snake case": lambda r: "_".join(r.choices(_WORDS, k=4)),
    "sql": lambda r: (
        f"SELECT {r.choice(_WORDS)} FROM {r.choice(_WORDS)} WHERE id = {r.randrange(10**6)}"
    ),
    "version": lambda r: (
        f"{r.choice(_WORDS)} {r.randrange(20)}.{r.randrange(20)}.{r.randrange(99)}"
    ),
    "counts": lambda r: json.dumps({"tokens": r.randrange(9999), "max_tokens": r.randrange(9999)}),
    "coordinates": lambda r: f"{r.uniform(-90, 90):.6f}, {r.uniform(-180, 180):.6f}",
    "isbn": lambda r: f"978-3-{r.randrange(10, 99)}-{r.randrange(10**6):06}-{r.randrange(10)}",
    "file name": lambda r: (
        f"IMG_2024{r.randrange(1, 13):02}{r.randrange(1, 29):02}_{r.randrange(10**6):06}.jpg"
    ),
    "tracking number": lambda r: (
        "1Z" + "".join(r.choices(_UPPER + _DIGITS, k=6)) + f"{r.randrange(10**10):010}"
    ),
    "talk of passwords": lambda r: (
        f"The password is {r.choice(('required', 'wrong', 'expired'))}; see {r.choice(_WORDS)}."
    ),
    "action": lambda r: (
        f"take {r.choice(_WORDS)} {r.randrange(9)} from {r.choice(_WORDS)} {r.randrange(9)}"
    ),
    "room": lambda r: (
        f"Room {r.randrange(999)} ({r.choice(_WORDS)}): {r.randrange(99)} square metres, {r.randrange(400)} euros"
    ),
    "model name": lambda r: f"{r.choice(_WORDS)}-{r.randrange(9)}b-instruct-v{r.randrange(9)}",
    **FIRST_ORDINARY,
}
"""Kind → texts without a secret."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A share: how many of how many."""

    count: int
    of: int

    def __str__(self) -> str:
        from scipy.stats import binomtest  # type: ignore[import-untyped]

        interval = binomtest(self.count, self.of).proportion_ci(method="wilson")
        low, high = interval.low, interval.high
        return f"{self.count / self.of:6.1%} of {self.of} [{low:.1%}, {high:.1%}]"


def _texts(kind: Kind, count: int, seed: str, *, context: bool) -> Iterator[tuple[str, str]]:
    """Yield (value, text that holds it)."""
    r = random.Random(seed)  # noqa: S311 - values of a measurement
    for number in range(count):
        value = kind.make(r)
        shown = kind.contexts[number % len(kind.contexts)]
        text = shown.format(json.dumps(value)[1:-1] if shown.startswith(("{{", "[")) else value)
        yield value, text if context else value


def of_macla(texts: Sequence[tuple[str, str]]) -> list[bool]:
    """Say of each (value, text) whether the value is taken out."""
    redactor = Redactor(b"k" * 16)
    return [value not in redactor.text(text) for value, text in texts]


def of_library(texts: Sequence[tuple[str, str]]) -> list[bool]:
    """Say of each (value, text) whether detect-secrets finds something, in a file of all of them."""
    from detect_secrets.core.scan import scan_file
    from detect_secrets.settings import default_settings

    with tempfile.TemporaryDirectory() as folder, default_settings():
        file = Path(folder) / "texts.txt"
        file.write_text("\n".join(text for _, text in texts), encoding="utf-8")
        lines = {each.line_number for each in scan_file(str(file))}
    found = []
    line = 1
    for _, text in texts:
        count = text.count("\n") + 1
        found.append(any(number in lines for number in range(line, line + count)))
        line += count
    return found


def missed(
    finds: Finds, count: int, *, context: bool, kinds: Mapping[str, Kind] = SECRETS
) -> dict[str, int]:
    """Return how many values of each kind are not found."""
    return {
        name: finds(list(_texts(kind, count, name, context=context))).count(False)
        for name, kind in kinds.items()
    }


def taken(finds: Finds, count: int, kinds: Mapping[str, Make] = ORDINARY) -> dict[str, int]:
    """Return of how many ordinary texts of each kind something is taken out."""
    counts = {}
    for name, make in kinds.items():
        r = random.Random(name)  # noqa: S311 - texts of a measurement
        counts[name] = finds([(text, text) for text in (make(r) for _ in range(count))]).count(True)
    return counts


@click.command()
@click.option("--values", default=100, show_default=True, help="Random values of each kind.")
@click.option("--all", "every", is_flag=True, help="Name every kind, not only those with a miss.")
@click.option("--held", is_flag=True, help="The kinds for which no rule was made, and no others.")
def command(values: int, every: bool, held: bool) -> None:
    """Measure misses and false alarms of the redactor, and of detect-secrets alone."""
    secrets, ordinary = (HELD_KINDS, HELD_ORDINARY) if held else (SECRETS, ORDINARY)
    columns = {
        "macla, in context": missed(of_macla, values, context=True, kinds=secrets),
        "macla, alone": missed(of_macla, values, context=False, kinds=secrets),
        "detect-secrets, in context": missed(of_library, values, context=True, kinds=secrets),
        "detect-secrets, alone": missed(of_library, values, context=False, kinds=secrets),
    }
    alarms = {
        "macla": taken(of_macla, values, ordinary),
        "detect-secrets": taken(of_library, values, ordinary),
    }
    weak = WEAK & set(secrets)
    click.echo(f"{len(secrets)} kinds of secrets x {values}; missed:")
    for name, counts in columns.items():
        whole = Rate(sum(counts.values()), values * len(counts))
        strong = Rate(
            sum(n for kind, n in counts.items() if kind not in weak),
            values * (len(counts) - len(weak)),
        )
        kinds = sum(n > values / 20 for n in counts.values())
        click.echo(
            f"  {name:28}{whole}; kinds missed in more than 5 %: {kinds}; without weak {strong}"
        )
    click.echo(f"{len(ordinary)} kinds of ordinary texts x {values}; changed:")
    for name, counts in alarms.items():
        click.echo(f"  {name:28}{Rate(sum(counts.values()), values * len(counts))}")
    click.echo("by kind, per hundred (macla in context, alone | detect-secrets in context, alone):")
    for kind in secrets:
        row = [round(100 * counts[kind] / values) for counts in columns.values()]
        if every or any(row[:2]):
            click.echo(f"  {kind:28}{row[0]:4}{row[1]:4} |{row[2]:4}{row[3]:4}")
    for kind in ordinary:
        row = [round(100 * counts[kind] / values) for counts in alarms.values()]
        if every or any(row):
            click.echo(f"  ordinary: {kind:18}{row[0]:4}     |{row[1]:4}")


if __name__ == "__main__":
    command()
