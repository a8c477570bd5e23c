"""Settings of the command line: a key of an option, or an option of its own."""

from __future__ import annotations

import json
from typing import Any

import click
import pytest
from click.testing import CliRunner
from macla.cli.keyed import Key, Keyed, keyed


@click.command(cls=Keyed)
@click.argument("suite")
@keyed(
    "--world",
    "The world.",
    {
        "protocol": Key("How.", click.Choice(["ipr", "intercode"])),
        "shown": Key("Whether.", click.BOOL, False),
        "leave-out": Key("What not.", many=True),
    },
)
@keyed("--model", "The model.", {"timeout": Key("Seconds.", click.FLOAT, name="model_timeout")})
@click.option("--limit", type=int)
def _command(**given: Any) -> None:
    click.echo(json.dumps(given))


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("--world protocol=ipr", {"protocol": "ipr"}),
        ("--protocol ipr", {"protocol": "ipr"}),
        ("--protocol=ipr --limit 3", {"protocol": "ipr", "limit": 3}),
        ("--shown", {"shown": True}),
        ("--no-shown", {"shown": False}),
        ("--leave-out a --world leave-out=b", {"leave_out": ["a", "b"]}),
        ("--model-timeout 2.5", {"model_timeout": 2.5}),
        ("--limit 3 -- --protocol", {"limit": 3, "suite": "--protocol"}),
    ],
)
def test_a_key_may_be_an_option_of_its_own(words: str, given: dict[str, Any]) -> None:
    suite = [] if "--" in words.split() else ["alfworld"]
    result = CliRunner().invoke(_command, [*words.split(), *suite])
    assert result.exit_code == 0, result.output
    document = json.loads(result.output)
    assert {key: document[key] for key in given} == given


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("--protocol", "requires an argument"),
        ("--protocol rpi", "protocol: 'rpi' is not one of"),
        ("--no-protocol", "No such option"),
        ("--protocl ipr", "No such option"),
        ("--world protocl=ipr", "did you mean 'protocol'?"),
    ],
)
def test_what_is_no_setting_is_said(words: str, problem: str) -> None:
    result = CliRunner().invoke(_command, ["alfworld", *words.split()])
    assert result.exit_code == 2
    assert problem in result.output
