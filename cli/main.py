"""The entry point: finds the verb, loads its module only when it is called, explains errors."""

from __future__ import annotations

import _thread
import io
import os
import sys
import threading
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

import click

from ..procedures.common.errors import MaclaError, reason
from . import output
from .lazy_group import LazyGroup

VERBS: Final[Mapping[str, tuple[str, str]]] = {
    "demo": ("demo", "Learn and play invented household games, in under a minute."),
    "learn": ("learn", "Learn procedures from demonstrations into a library."),
    "observe": ("observing", "Learn programs from logs of agents that call tools."),
    "practice": ("practice", "Play, and learn from each episode."),
    "eval": ("evaluate", "Play a benchmark's tasks from a library and report."),
    "trace": ("tracing", "Play one episode, or decide on one task, and show why."),
    "list": ("listing", "List what a library holds, with its evidence."),
    "show": ("show", "Show one procedure, plan or program with its evidence or versions."),
    "ask": ("asking", "Say what a library does not know, and what would tell."),
    "diff": ("diffing", "Say what changed between two libraries, versions or revisions."),
    "check": ("checking", "Check a library before a merge, its files alone, or prove it."),
    "proposals": ("proposals", "Look at proposed changes of a library, and decide."),
    "accept": ("accepting", "Let learned programs call tools that change something."),
    "undo": ("undoing", "Take back the last learning or accepting, or one file's change."),
    "evidence": ("evidence_exchange", "Export, import, merge and verify evidence, and fit to it."),
    "git": ("git", "Teach git's diff and merge the files of a library."),
    "skills": ("skills", "Write what was learned as SKILL.md for other agents, and read it back."),
    "serve": ("serving", "Serve a library to agents over MCP: recall, record, feedback."),
    "migrate": ("migrating", "Make a library of an earlier macla, or moved here, work here."),
}
"""Verb → (module in this package, what it does). Its command is called ``command``."""
_MOVED: Final[Mapping[str, str]] = {
    "validate": "macla check DIR --files",
    "prove": "macla check DIR --proof",
    "explain": "macla trace --task TASK --library DIR",
    "log": "macla show DIR ID --versions",
    "revert": "macla undo DIR ID --to N",
    "adopt": "macla migrate DIR --adopt",
    "index": "nothing; each command keeps the search index",
    "tune": "macla evidence fit DIR",
    "measure": "python -m macla.evals.acceptance",
    "report": "python -m macla.evals.reports",
}
"""Verb of an earlier version → what does the same."""
_SOON: Final = 0.05
"""Seconds until an interrupt that Python ignored is raised again."""
_INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it: 128 and signal 2."""
_BROKEN_PIPE = 141
"""Exit code after a broken pipe, as shells have it: 128 and signal 13."""


class _Verbs(LazyGroup):
    """The verbs; each says what it does before its module is loaded."""

    elsewhere: ClassVar = {verb: (module, "command") for verb, (module, _) in VERBS.items()}
    moved = _MOVED

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in VERBS.items()])

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a verb and end the process with its exit code: 0 fine, 1 findings, 2 did not work."""
        extra["standalone_mode"] = False
        _open_what_is_closed()
        _tolerate_any_text()
        try:
            code = super().main(*args, **extra)
            if not sys.stdout.closed:  # a server closes it with its last client
                sys.stdout.flush()
        except (KeyboardInterrupt, click.Abort) as stop:
            code = _stopped(stop.__cause__)
        except click.ClickException as error:
            message = io.StringIO()
            error.show(message)
            output.say(message.getvalue(), err=True, nl=False)
            code = error.exit_code if isinstance(error, click.UsageError) else 2
        except MaclaError as error:
            _say(f"error: {error}")
            code = 2
        except (BrokenPipeError, SystemExit):  # what click and rich make of a broken pipe
            _silence()
            code = _BROKEN_PIPE
        except OSError as error:
            name = f"{error.filename}: " if error.filename else ""
            _say(f"error: {name}{reason(error)}")
            code = 2
        except Exception:  # a fault of ours: show all of it, and do not look like findings
            traceback.print_exc()
            _say("error: this is a fault in macla; please report it with the lines above")
            code = 2
        sys.exit(code if isinstance(code, int) else 0)


def _stopped(cause: BaseException | None) -> int:
    """Print why a command was stopped, and return its exit code."""
    if isinstance(cause, EOFError):  # click takes it for a person who answers nothing more
        traceback.print_exception(cause)
        # Python 3.11 leaves half a compiled file where the disk is full as it first imports one.
        _say(
            "error: a file ends too early; if it is a compiled one, remove the __pycache__ folders "
            "of the installation and try again"
        )
        return 2
    _say("stopped; nothing is half done, start again when you like")
    return _INTERRUPTED


def _open_what_is_closed() -> None:
    """Open the null device for each stream that the shell closed."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (to the end)
            setattr(sys, name, nowhere)


def _heed_every_interrupt() -> None:
    """Raise an interrupt again that Python ignores: in a finaliser, or at the end of an import."""
    default_hook = sys.unraisablehook

    def heed(ignored: Any) -> None:
        if issubclass(ignored.exc_type, KeyboardInterrupt):
            # An interrupt raised here is lost, too.
            timer = threading.Timer(_SOON, _thread.interrupt_main)
            timer.daemon = True
            timer.start()
        else:
            default_hook(ignored)

    sys.unraisablehook = heed


def _tolerate_any_text() -> None:
    """Replace characters that a terminal cannot show, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _say(message: str) -> None:
    """Write one message to standard error, in one line unless it has lines of its own."""
    try:
        output.say(f"macla: {message}", err=True)
    except OSError:
        _silence()


def _silence() -> None:
    """Redirect standard output, so that the interpreter does not complain about a broken pipe."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):  # there is no real standard output
        return


@click.group(
    cls=_Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with: macla demo. Every command has --help with an example.",
)
@click.version_option(package_name="macla")
def cli() -> None:
    """Procedural memory for agents: learned from experience, kept as YAML files."""


def main() -> None:
    """Run the command line."""
    _heed_every_interrupt()
    cli(prog_name="macla")
