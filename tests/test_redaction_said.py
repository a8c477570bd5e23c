# ruff: noqa: RUF001 - signs of other languages and widths
"""Secrets in any language, in command lines, in tables and in groups; and what is none of them."""

from __future__ import annotations

import pytest
from macla.procedures.redaction.folding import fold, places
from macla.procedures.redaction.redactor import Redactor

HIDDEN = "hunter2xyz"
REDACTOR = Redactor(b"k" * 16)

SAID = [
    "das Passwort lautet {}", "Adminpasswort: {}", "le mot de passe est {}", "Mot de passe : {}",
    "la contraseña es {}", "Ваш пароль — {}", "密码是{}", "パスワード：{}", "Twoje hasło to {}",
    "Lösenordet är {}", "password：{}", "ｐａｓｓｗｏｒｄ: {}", "pass\u200bword: {}",
    "pass\u00adword={}", "password (do not share): {}", "use {} as the password",
    "password: |\n  {}", "user,password\nada,{}", "| user | pwd |\n|---|---|\n| ada | {} |",
    "sshpass -p {} ssh ada@host", "sshpass -p'{}' scp a b:", "redis-cli -h c -a {} ping",
    "mysql -u root -p{} shop", "ldapsearch -x -w {} -b dc=x", "smbclient //n/s -U ada%{}",
    "zip -P {} out.zip a", "7z x b.7z -p{}", "echo {} | sudo -S ls", "echo ada:{} | chpasswd",
    "net use Z: \\\\nas\\x {} /user:ada", "- name: db_password\n  value: {}\n",
    '<input type="password" value="{}">', "Ο κωδικός είναι {}", "暗証番号：{}", "كلمة السر هي {}",
    "xfreerdp /u:ada /p:{} /v:h", "keytool -storepass {} -list",
    "the admin password for the router is {}", "Password for ada is now {}", "WPA2 key: {}",
    "type {} into the password field", "page.fill('#password', '{}')", "user ada pass {}",
    "find(By.ID,'password').send_keys('{}')", "SET PASSWORD FOR ada = PASSWORD('{}')",
    'ConvertTo-SecureString "{}" -AsPlainText', "WIFI:T:WPA;S:net;P:{};;", "requirepass {}",
    "USER ada\r\nPASS {}\r\n230 ok", "a1 LOGIN ada {}", "AUTH {}\r\n+OK",
    "username a password 7 {}",
]  # fmt: skip

FORMED = [
    "SSN 123456789", "her social security number is 123456789", "SSN 123 45 6789",
    "key 9f:3a:01:c7:5e:88:2b:d4:6a:0f:e1:93:7c:b5:48:d0", "DE89-3704-0044-0532-0130-00",
    "card 4111.1111.1111.1111", "Ihr Bestätigungscode lautet 482913",
    "482913 is your Acme login code", "Your code is 341736", "your code: 341 736",
    "I wrote down abandon ability able about above absent absorb abstract absurd abuse access zoo.",
    "1. abandon 2. ability 3. able 4. about 5. above 6. absent 7. absorb 8. abstract 9. absurd "
    "10. abuse 11. access 12. zoo",
    "setup JBSW-Y3DP-EHPK-3PXP-AB2C-7D4E", "CPF 123.456.789-09", "Steuer-ID 12345678901",
    "passport no. C01X00T47", "codice fiscale RSSMRA85T10A562S", "driver's license D1234567",
    "NHS number 943 476 5919", "CVV 123", "the door code is 4821#", "Use code 482913 to sign in",
    "G-482913 is your code", "AUTH PLAIN AGFkYQBoNHg5",
]  # fmt: skip

PLAIN = [
    "mkdir -p build/x9", "ssh -p 2222 ada@h", "docker run -p 8080:80 shop1", "cp -p a1 b2",
    "user ada99 forgot the password", "Das Passwort von ada12 ist abgelaufen.",
    "Ticket 4711: password reset for room 12", "error code 40404", "zip code 12345",
    "your zip code is 10115",
    "dev 9f:3a:01:c7:5e:88", "2001:db8:85a3:1234:af03:8a2e:0370:7334", "订单：12345678已发货",
    "user,room\nada,a1b2c3", "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "pin wheel12 to the board", "pin wheel==1.2", "passport control at gate 12", "PASS tests/a1.py",
    "the password for room 12 is expired", "press key F12", "pass apple12 to the function",
    'print("Step 2", "done")', "sort key: name2", "status code 4040", "indoor code 4040",
    "_check(year, month, day): year, month, day = index(year), index(month), index(day)",
]  # fmt: skip


@pytest.mark.parametrize("text", SAID)
def test_what_is_said_to_be_a_secret(text: str) -> None:
    told = REDACTOR.text(text.format(HIDDEN))
    assert HIDDEN not in told
    assert REDACTOR.text(told) == told


@pytest.mark.parametrize("text", FORMED)
def test_what_has_the_form_of_one(text: str) -> None:
    assert "redacted_" in REDACTOR.text(text)


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_none(text: str) -> None:
    assert REDACTOR.text(text) == text


def test_one_value_in_another_spelling_has_the_same_mark() -> None:
    wide = "".join(chr(ord(each) + 0xFEE0) for each in HIDDEN)
    told = REDACTOR.text(f"password: {HIDDEN}, again: {wide}!")
    assert told.count("redacted_secret_") == 2
    assert wide not in told
    assert told.endswith("!")
    assert len({each.strip(",!") for each in told.split() if "redacted" in each}) == 1


def test_what_was_harmless_is_a_secret_under_a_telling_name() -> None:
    assert REDACTOR.value({"state": HIDDEN}) == {"state": HIDDEN}
    assert HIDDEN not in str(REDACTOR.value({"password": HIDDEN}))
    assert REDACTOR.value({"state": HIDDEN}) == {"state": HIDDEN}


def test_the_rest_of_a_text_stays_as_it_was() -> None:
    assert REDACTOR.text(f"Größe: ３　ｍ²; Passwort: {HIDDEN}").startswith(
        "Größe: ３　ｍ²; Passwort: re"
    )


def test_places_of_folded_signs() -> None:
    text = "a\u200bﬁé e\u0301№"
    assert fold(text) == "afie eNo"
    assert [text[at] for at in places(text)[:-1]] == ["a", "ﬁ", "ﬁ", "é", " ", "e", "№", "№"]
