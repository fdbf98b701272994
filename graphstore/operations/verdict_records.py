"""What every verdict leaves behind: who judged what, why, what was shown, and how to take it back."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from graphstore import rows
from graphstore.calls import Call
from graphstore.changeset import Create
from graphstore.operations.judging import Judged
from graphstore.records import Exhibit, Ground, VerdictKind
from graphstore.schema import CTX_MARKER

BEFORE = (
    "status",
    "review_state",
    "review_reason",
    "review_pending",
    "ctx_causes",
    "ctx_flagged_us",
    "ctx_reviewed_by",
    "ctx_reviewed_at",
    "ctx_review_explanation",
)
"""The properties of a decision that a verdict may set, and that taking it back restores."""


def verdict(
    call: Call,
    kind: VerdictKind,
    judged: Judged,
    why: str,
    *,
    ground: Ground | None = None,
    exhibit: Exhibit | None = None,
    flagged: Sequence[str] = (),
    new_decision_id: str | None = None,
    withdraws: str | None = None,
    supports: Mapping[str, Any] | None = None,
    lifted: Sequence[str] = (),
    kept: Sequence[str] = (),
) -> Create:
    """The verdict as a node beside the decision. Its id is that of the ledger entry.

    `flagged` are the dependents that it flagged; `supports` what it did to the
    decision's own (`created` ids, `archived` with their earlier reviews); `lifted` and
    `kept` are the flags that a withdrawal lifted and left.
    """
    d = judged.decision
    undo = {
        "before": {name: d[name] for name in BEFORE if name in d},
        **(supports or {}),
    }
    return Create(
        "CtxVerdict",
        {
            CTX_MARKER: True,
            "id": call.entry_id,
            "project_id": call.project_id,
            "kind": kind.value,
            "decision_id": judged.id,
            "task_id": d["task_id"],
            "choice_key": d["choice_key"],
            "revision": d["revision"],
            "decision_author": d["author"],
            "by": call.actor.agent_id,
            "at": rows.iso(call.at),
            "us": rows.microseconds(call.at),
            "why": why,
            "ground": Ground(ground).value if ground else None,
            "new_decision_id": new_decision_id,
            "withdraws": withdraws,
            "flagged": list(flagged),
            "lifted": list(lifted) or None,
            "kept": list(kept) or None,
            "undo_json": json.dumps(undo),
            "exhibit_json": exhibit.model_dump_json() if exhibit else None,
        },
    )
