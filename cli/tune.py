"""``macla tune``: fit a library's settings to its own content and evidence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import options, output

if TYPE_CHECKING:
    from ..adapters.session import LibrarySession

__all__ = ["command"]


@dataclass(frozen=True, slots=True)
class _Fitted:
    key: str
    now: Any
    fitted: Any
    why: str


@click.command(
    "tune",
    epilog=options.examples(
        "macla tune lib", "macla tune lib --fallback-value 0.3 --write", "macla tune lib --json"
    ),
)
@options.library_argument
@click.option(
    "--fallback-value",
    type=click.FloatRange(-1.0, 1.0),
    default=0.1,
    show_default=True,
    metavar="V",
    help="What the fallback is worth: its success rate less what it costs.",
)
@click.option("--write", is_flag=True, help="Write the fitted values to library.yaml.")
@options.seed
@options.as_json
def command(library: Path, fallback_value: float, write: bool, seed: int, as_json: bool) -> None:
    """Fit prior, thresholds and weights of the library DIR to its own content and evidence.

    \b
    prior       Beta prior of success rates, by maximum likelihood over all plans and procedures
    theta_conf  expected utility from which a plan is worth more than the fallback
    theta_dup   similarity from which procedures are merged, by description length
    weights     of the pruning utility, by evolution over the recorded uses

    Nothing is changed without --write.
    """  # noqa: D301 (click wants the character itself)
    from ..adapters.session import LibrarySession

    with LibrarySession.open(library, read_only=not write) as session:
        fitted = _fit(session, fallback_value, seed)
        if write:
            _write(session, fitted)
    if as_json:
        output.emit_json(
            {
                "library": str(library),
                "written": write,
                "fitted": {
                    each.key: {"now": each.now, "fitted": each.fitted, "why": each.why}
                    for each in fitted
                },
            }
        )
        return
    rows = [[each.key, str(each.now), str(each.fitted), each.why] for each in fitted]
    output.table(["setting", "now", "fitted", "from"], rows, numbers=())
    if not write:
        click.echo("\nNothing was changed; add --write to set them.")


def _fit(session: LibrarySession, fallback_value: float, seed: int) -> list[_Fitted]:
    from ..procedures.checks.duplicates import effect_of
    from ..procedures.learning.store import DEMONSTRATIONS
    from ..procedures.priors import fit_prior
    from ..procedures.tuning import (
        fit_retention_weights,
        fit_theta_conf,
        fit_theta_dup,
        hit_rate,
    )

    library, method = session.library, session.method
    run = str(library.settings.settings.get("evidence_from", ""))
    counts = session.ledger.counts(superseded=(DEMONSTRATIONS, run))
    chosen = {
        key: value
        for key, value in counts.items()
        if key[0] in ("procedure", "meta") and sum(value) > 0.0
    }
    prior = fit_prior(list(chosen.values()))
    alpha, beta = (round(value, 3) for value in (prior.alpha, prior.beta))
    posteriors = [(alpha + s, beta + f) for s, f in chosen.values()]
    theta_conf = fit_theta_conf(posteriors, fallback_value, method.preset)
    procedures = list(library.procedures.values())
    goals = [procedure.goal for procedure in procedures]
    effects = [effect_of(procedure) for procedure in procedures]
    theta_dup = fit_theta_dup(
        [
            "\n".join([p.goal, *(step.do or step.tool or "" for step in p.steps)])
            for p in procedures
        ],
        [counts.get(("procedure", p.id, p.version, ""), (0.0, 0.0)) for p in procedures],
        # Only those with the same effect may be one, however alike their words are.
        lambda i, j: session.similarity(goals[i], goals[j]) if effects[i] == effects[j] else 0.0,
        method.theta_dup,
    )
    uses = [
        (row.subject, row.successes > row.failures)
        for row in session.ledger.rows("procedure")
        if not row.run.startswith(DEMONSTRATIONS)
    ]
    capacity = min(method.procedures, max(1, len(procedures) // 2))
    weights = fit_retention_weights(uses, capacity, method.retention_weights, seed)
    kept = (hit_rate(uses, capacity, each) for each in (method.retention_weights, weights))
    before, after = (output.percent(share) for share in kept)
    now = method.retention_weights
    return [
        _Fitted(
            "prior",
            "empirical" if method.prior is None else list(method.prior),
            [alpha, beta],
            f"{prior.subjects} with evidence; {prior.gain:.1f} nats better than [1, 1]",
        ),
        _Fitted(
            "theta_conf",
            method.preset.weights.theta_conf,
            round(min(1.0, max(-1.0, theta_conf)), 4),
            f"{len(posteriors)} posteriors, fallback worth {fallback_value:g}",
        ),
        _Fitted("theta_dup", method.theta_dup, round(theta_dup, 4), f"{len(goals)} procedures"),
        _Fitted(
            "weights",
            [now.reliability, now.frequency, now.recency],
            [weights.reliability, weights.frequency, weights.recency],
            f"{len(uses)} uses; {before} to {after} still there at half the capacity",
        ),
    ]


def _write(session: LibrarySession, fitted: list[_Fitted]) -> None:
    values = {each.key: each.fitted for each in fitted}
    known = session.library.settings
    settings = dict(known.settings)
    settings["prior"] = values["prior"]
    settings["thresholds"] = {
        **settings.get("thresholds", {}),
        "theta_conf": values["theta_conf"],
        "theta_dup": values["theta_dup"],
    }
    names = ("reliability", "frequency", "recency")
    settings["weights"] = {
        **settings.get("weights", {}),
        **dict(zip(names, values["weights"], strict=True)),
    }
    session.library.write_all(settings=replace(known, settings=settings))
