"""``macla evidence fit``: a library's settings, fitted to its own content and evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import options, output

if TYPE_CHECKING:
    from ..adapters.session import LibrarySession
    from ..procedures.evidence.ledger import CountKey
    from ..procedures.method.settings import Method


@dataclass(frozen=True, slots=True)
class _Fitted:
    key: str
    now: Any
    fitted: Any
    why: str


@click.command(
    "fit",
    epilog=options.examples(
        "macla evidence fit lib",
        "macla evidence fit lib --fallback-value 0.3 --write",
        "macla evidence fit lib --json",
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
        output.say("\nNothing was changed; add --write to set them.")


def _fit(session: LibrarySession, fallback_value: float, seed: int) -> list[_Fitted]:
    """Fit each setting to the evidence that counts now."""
    from ..procedures.evidence.ledger_rows import DEMONSTRATIONS
    from ..procedures.evidence.priors import fit_prior
    from ..procedures.proposals.inheritance import own_rates

    method = session.method
    run = str(session.library.settings.settings.get("evidence_from", ""))
    counts = session.ledger.counts(superseded=(DEMONSTRATIONS, run))
    counts_with_evidence = [
        value
        for key, value in counts.items()
        if key[0] in ("procedure", "meta") and sum(value) > 0.0
    ]
    fit = fit_prior(list(own_rates(session.library, session.ledger)))
    # By digits, not places: where hardly anything failed, beta is far below 0.001.
    alpha, beta = float(f"{fit.alpha:.4g}"), float(f"{fit.beta:.4g}")
    prior = _Fitted(
        "prior",
        "empirical" if method.prior is None else list(method.prior),
        [alpha, beta],
        f"{fit.subjects} with evidence; {fit.gain:.1f} nats better than [1, 1]",
    )
    return [
        prior,
        _theta_conf(
            method, [(alpha + s, beta + f) for s, f in counts_with_evidence], fallback_value
        ),
        _theta_dup(session, counts),
        _weights(session, seed),
    ]


def _theta_conf(
    method: Method, posteriors: Sequence[tuple[float, float]], fallback_value: float
) -> _Fitted:
    from ..procedures.method.tuning import fit_theta_conf

    fitted = fit_theta_conf(posteriors, fallback_value, method.preset)
    return _Fitted(
        "theta_conf",
        method.preset.weights.theta_conf,
        round(min(1.0, max(-1.0, fitted)), 4),
        f"{len(posteriors)} posteriors, fallback worth {fallback_value:g}",
    )


def _theta_dup(session: LibrarySession, counts: Mapping[CountKey, tuple[float, float]]) -> _Fitted:
    from ..procedures.checks.duplicates import effect_of
    from ..procedures.method.tuning import fit_theta_dup

    procedures = list(session.library.procedures.values())
    effects = [effect_of(procedure) for procedure in procedures]

    def similarity(i: int, j: int) -> float:
        # Only those with the same effect may be one, however alike their words are.
        same_effect = effects[i] == effects[j]
        return session.similarity(procedures[i].goal, procedures[j].goal) if same_effect else 0.0

    now = session.method.theta_dup
    fitted = fit_theta_dup(
        [
            "\n".join([p.goal, *(step.do or step.tool or "" for step in p.steps)])
            for p in procedures
        ],
        [counts.get(("procedure", p.id, p.version, ""), (0.0, 0.0)) for p in procedures],
        similarity,
        now,
    )
    return _Fitted("theta_dup", now, round(fitted, 4), f"{len(procedures)} procedures")


def _weights(session: LibrarySession, seed: int) -> _Fitted:
    from ..procedures.evidence.ledger_rows import DEMONSTRATIONS
    from ..procedures.method.tuning import fit_retention_weights, hit_rate

    uses = [
        (row.subject, row.successes > row.failures)
        for row in session.ledger.rows("procedure")
        if not row.run.startswith(DEMONSTRATIONS)
    ]
    capacity = min(session.method.procedures, max(1, len(session.library.procedures) // 2))
    now = session.method.retention_weights
    fitted = fit_retention_weights(uses, capacity, now, seed)
    before, after = (output.percent(hit_rate(uses, capacity, each)) for each in (now, fitted))
    return _Fitted(
        "weights",
        [now.reliability, now.frequency, now.recency],
        [fitted.reliability, fitted.frequency, fitted.recency],
        f"{len(uses)} uses; {before} to {after} still there at half the capacity",
    )


def _write(session: LibrarySession, fitted: list[_Fitted]) -> None:
    values = {each.key: each.fitted for each in fitted}
    library_settings = session.library.settings
    settings = dict(library_settings.settings)
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
    session.library.write_all(settings=replace(library_settings, settings=settings))
