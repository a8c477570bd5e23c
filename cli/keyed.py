"""Options that take settings of one sort, ``--world max-steps=20``, each given by its key.

A command has few options; what is special to a world, to the method or to a model is a key of one
of them. A key arrives at the command as a parameter of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from ..schemas.meant import meant

_F = TypeVar("_F", bound=Callable[..., Any])

PATH = click.Path(path_type=Path)
"""A file or a folder."""


@dataclass(frozen=True, slots=True)
class Key:
    """One setting.

    Attributes:
        about: Text of the help.
        type: Type of the value; a boolean where the key alone means yes.
        default: Default value.
        many: Whether it may be given again, so that the value is a tuple.
        name: Name of the parameter; empty where the key is its name.
        form: Form of the value in the help; empty where the type tells it.
    """

    about: str
    type: click.ParamType[Any] = click.STRING
    default: Any = None
    many: bool = False
    name: str = ""
    form: str = ""


class KeyedOption(click.Option):
    """An option that takes settings.

    Attributes:
        keys: Key → setting.
        bare: Key of a value without a key; empty where each value needs one.
    """

    def __init__(
        self, *arguments: Any, keys: Mapping[str, Key], bare: str = "", **settings: Any
    ) -> None:
        super().__init__(  # type: ignore[misc]  # what is unpacked is names alone
            *arguments,
            multiple=True,
            expose_value=False,
            callback=self._spread,
            metavar="KEY=VALUE",
            **settings,
        )
        self.keys = keys
        self.bare = bare

    def parameter(self, key: str) -> str:
        """Return the name of the parameter of a key."""
        return self.keys[key].name or key.replace("-", "_")

    def _spread(self, ctx: click.Context, _: click.Parameter, values: tuple[str, ...]) -> None:
        """Set one parameter of the command for each key."""
        for key, setting in self.keys.items():
            ctx.params[self.parameter(key)] = () if setting.many else setting.default
        for text in values:
            key, value = self._parted(ctx, text)
            setting, name = self.keys[key], self.parameter(key)
            try:
                setting_value = setting.type.convert(value, self, ctx)
            except click.BadParameter as error:
                raise click.BadParameter(f"{key}: {error.message}", ctx, self) from None
            ctx.params[name] = (*ctx.params[name], setting_value) if setting.many else setting_value
            ctx.set_parameter_source(name, ParameterSource.COMMANDLINE)

    def _parted(self, ctx: click.Context, text: str) -> tuple[str, str]:
        """Return the key and the value of a text."""
        key, equals_sign, value = text.partition("=")
        if key in self.keys and (equals_sign or _is_truth(self.keys[key])):
            return key, value if equals_sign else "yes"
        if self.bare and not equals_sign and key not in self.keys:
            return self.bare, text
        if key in self.keys:
            raise click.BadParameter(f"write {key}=…", ctx, self)
        hint = meant(key, self.keys, f"it takes {', '.join(self.keys)}")
        raise click.BadParameter(f"no key {key[:80]!r}; {hint}", ctx, self)


def keyed(option: str, about: str, keys: Mapping[str, Key], bare: str = "") -> Callable[[_F], _F]:
    """Return an option that takes settings."""
    return click.option(option, cls=KeyedOption, keys=keys, bare=bare, help=about)


class Keyed(click.Command):
    """A command whose help lists the keys of its options of settings.

    ``--KEY VALUE`` is short for ``--world KEY=VALUE``, and likewise for the other such options.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse arguments in which a key may stand as an option of its own."""
        plain_options, short_options = self._own(ctx), self._short(ctx)
        expanded: list[str] = []
        remaining = iter(args)
        for text in remaining:
            if text == "--":
                return super().parse_args(ctx, [*expanded, text, *remaining])
            name, sign, value = text.partition("=")
            negated = name.startswith("--no-") and f"--{name[5:]}" in short_options
            option, key, setting = short_options.get(
                f"--{name[5:]}" if negated else name, ("", "", None)
            )
            if setting is None or name in plain_options or (negated and not _is_truth(setting)):
                expanded.append(text)
            elif _is_truth(setting):
                expanded += [option, f"{key}={value if sign else 'no' if negated else 'yes'}"]
            elif sign:
                expanded += [option, f"{key}={value}"]
            else:
                argument = next(remaining, None)
                if argument is None:
                    raise click.BadOptionUsage(name, f"Option '{name}' requires an argument.", ctx)
                expanded += [option, f"{key}={argument}"]
        return super().parse_args(ctx, expanded)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, and below them the keys of each that takes some, in short."""
        super().format_options(ctx, formatter)
        plain_options, short_options = self._own(ctx), self._short(ctx)
        for option in self._keyed(ctx):
            rows = []
            for key, setting in option.keys.items():
                names = (f"--{text}" for text in (key, setting.name.replace("_", "-")) if text)
                is_short = (
                    n
                    for n in names
                    if n not in plain_options and short_options[n][:2] == (option.opts[0], key)
                )
                rows.append(
                    (_shown(next(is_short, ""), option.opts[0], key, setting), setting.about)
                )
            heading = f"{option.opts[0]} KEY=VALUE, or in short"
            with formatter.section(heading):
                formatter.write_dl(rows)

    def _own(self, ctx: click.Context) -> set[str]:
        """Return the names of options that are no keys."""
        return {
            text for each in self.get_params(ctx) for text in (*each.opts, *each.secondary_opts)
        }

    def _keyed(self, ctx: click.Context) -> list[KeyedOption]:
        return [each for each in self.get_params(ctx) if isinstance(each, KeyedOption)]

    def _short(self, ctx: click.Context) -> dict[str, tuple[str, str, Key]]:
        """Return name of a short option → the option that it is short for, key and setting."""
        return {
            f"--{text}": (option.opts[0], key, each)
            for option in self._keyed(ctx)
            for key, each in option.keys.items()
            for text in (key, each.name.replace("_", "-"))
            if text
        }


def spelled(command: click.Command) -> dict[str, str]:
    """Return parameter of a command → its spelling on the command line."""
    spelling_by_name: dict[str, str] = {}
    for parameter in command.params:
        if parameter.name is not None:
            spelling_by_name[parameter.name] = parameter.opts[0]
        if isinstance(parameter, KeyedOption):
            spelling_by_name |= {
                parameter.parameter(key): f"{parameter.opts[0]} {key}" for key in parameter.keys
            }
    return spelling_by_name


def _is_truth(key: Key) -> bool:
    return isinstance(key.type, click.types.BoolParamType)


def _shown(name: str, option: str, key: str, each: Key) -> str:
    """Return the form of a key in the help.

    Args:
        name: Its short option; empty where it has none.
        option: The option that takes it.
        key: The key.
        each: Its setting.
    """
    if _is_truth(each):
        return f"{name} / --no-{name[2:]}" if name else f"{option} {key}"
    return f"{name} {_form(each)}" if name else f"{option} {key}={_form(each)}"


def _form(each: Key) -> str:
    if each.form:
        return each.form
    if isinstance(each.type, click.Choice):
        return "|".join(map(str, each.type.choices))
    kind = "PATH" if isinstance(each.type, click.Path) else each.type.name.upper()
    return "N" if "INTEGER" in kind or "FLOAT" in kind else kind
