"""What a verdict would do, in words, from its plan."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from graphstore.impact import Impact, VerdictPlans
from graphstore.results import WriteResult
from reviewconsole.access import Scope
from reviewconsole.addresses import decision_url, steps_url, task_url
from reviewconsole.forms import VerdictForm
from reviewconsole.offers import KEEP
from reviewconsole.refused import refusal
from reviewconsole.verdicts import WHOLE

__all__ = ["context_of", "impact_of_form", "impact_of_retiring", "refusal_of_impact"]

MAX_NAMED = 8


def impact_of_retiring(scope: Scope, decision_id: str, seen: str | None = None) -> Impact:
    """What rejecting does to others; superseding does the same to them."""
    return _plans(scope).reject(decision_id, seen=seen)


def impact_of_form(scope: Scope, decision_id: str, form: VerdictForm) -> Impact:
    """What the form would do as it is filled in by now, which may not be all.

    A new revision that stands on nothing yet is shown as a rejection: what it does to
    others is the same, and whether it is born flagged cannot be said. Two reads for
    reaffirming, at most four for the others.
    """
    form.is_valid()
    seen = form.cleaned_data.get("seen") or None
    match form.cleaned_data.get("verdict"):
        case "reaffirm":
            evidence = form.evidence
            ids = [one.evidence_id for one in evidence]
            fetched = scope.documents.fetch_evidence(ids, max_chars=WHOLE) if ids else []
            return _plans(scope).reaffirm(decision_id, evidence, fetched, seen=seen)
        case "supersede" if supports := form.kept_supports:
            ids = form.kept_evidence_ids
            return _plans(scope).supersede(
                decision_id,
                form.cleaned_data.get("conclusion") or "-",
                form.cleaned_data.get("rationale") or "-",
                supports=supports,
                fetched_evidence=scope.documents.fetch_evidence(ids, max_chars=WHOLE)
                if ids
                else [],
                seen=seen,
            )
        case _:
            return impact_of_retiring(scope, decision_id, seen)


def _plans(scope: Scope) -> VerdictPlans:
    return VerdictPlans(scope.store, project_id=scope.project_id, actor=scope.actor)


def context_of(project: str, impact: Impact, form: VerdictForm | None = None) -> dict[str, Any]:
    """Everything that `impact.html` says of a verdict that is possible."""
    born = _born_words(impact, form)
    stands = form is not None and bool(form.kept_supports) and impact.error is None
    return {
        "impact": impact,
        "figures": _figures(impact),
        "affected": [
            {
                "decision": one,
                "url": decision_url(project, one.decision_id),
                "words": _left_words(one.left, one.supports),
                "where": _("cites it") if one.hops == 1 else _steps_away(one.hops),
            }
            for one in impact.affected
        ],
        "unlisted": impact.flags - len(impact.affected),
        "tasks": [
            {"name": name, "url": task_url(project, name)} for name in impact.tasks[:MAX_NAMED]
        ],
        "more_tasks": max(0, len(impact.tasks) - MAX_NAMED),
        "steps": [
            {"step": step, "url": steps_url(project, step.task_name)}
            for step in impact.steps[:MAX_NAMED]
        ],
        "more_steps": max(0, impact.steps_turned - MAX_NAMED),
        "born_words": born,
        "born_clear": stands and not impact.born_flagged,
    }


def refusal_of_impact(impact: Impact) -> dict[str, Any] | None:
    """Why the verdict would be refused, as its page would say it afterwards."""
    if impact.error is None:
        return None
    return refusal(
        WriteResult(
            recorded=False,
            error=impact.error,
            blockers=list(impact.blockers),
            moved=list(impact.moved),
        )
    )


def _figures(impact: Impact) -> list[dict[str, Any]]:
    """Each figure with its words; those that are nothing are left out, but for the first."""
    lines = [
        (_("Flags decisions that cite it"), impact.direct, True),
        (_("… and through them"), impact.transitive, False),
        (_("Lose their last clear support"), impact.loses_last, True),
        (_("Keep other clear support"), impact.keeps, False),
        (_("Rest on it and are flagged already"), impact.already, False),
        (_("Tasks touched"), len(impact.tasks), False),
        (_("Step results that may no longer be used"), impact.steps_turned, True),
    ]
    return [
        {"label": label, "number": number, "harm": harm and number > 0}
        for at, (label, number, harm) in enumerate(lines)
        if number or at == 0
    ]


def _left_words(left: int, supports: int) -> str:
    if left == 0:
        return _("loses its last clear support")
    return ngettext(
        "keeps %(left)s clear support of %(supports)s",
        "keeps %(left)s clear supports of %(supports)s",
        left,
    ) % {"left": left, "supports": supports}


def _steps_away(hops: int) -> str:
    return ngettext("%(hops)s step away", "%(hops)s steps away", hops) % {"hops": hops}


def _born_words(impact: Impact, form: VerdictForm | None) -> list[str]:
    """Why the new revision would be flagged at once."""
    if not impact.born_flagged or form is None:
        return []
    kept = [offer for offer in form.offers if form.chosen(offer) == KEEP and not offer.quiet]
    words = {
        "document": _("it keeps a passage of a version that is not the present one"),
        "decision": _("it keeps a decision that waits for review itself"),
    }
    return list(dict.fromkeys(words[one.kind] for one in kept if one.kind in words)) or [
        _("what it stands on changed a moment ago")
    ]
