"""What the ledger's pages show of entries and findings."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from graphstore.ledger import LedgerEntry
from graphstore.records import Ground
from reviewconsole import ledger_words as words
from reviewconsole.access import Scope
from reviewconsole.addresses import decision_url, entry_url, ledger_url, task_url
from reviewconsole.ledger_models import LedgerFinding, LedgerRun
from reviewconsole.words import GROUNDS

__all__ = ["entry_context", "finding_lines", "row_of"]

ABOUT_DECISIONS = ("record", "supersede", "reject", "reaffirm", "ask", "withdraw")
LISTED = 50
"""Ids of one kind that an entry's page names; the count says how many there are."""


def row_of(entry: LedgerEntry) -> dict[str, Any]:
    """One line of the list."""
    return {
        "entry": entry,
        "what": words.action_words(entry.action),
        "url": entry_url(entry.project_id, entry.id) if _is_id(entry.id) else None,
        "state": _state(entry),
        "door": words.DOORS.get(entry.door, entry.door),
    }


def _state(entry: LedgerEntry) -> str:
    if not entry.attested:
        return _("unattested")
    if not entry.sequence_number:
        return _("not sealed yet")
    return _("number %(number)s") % {"number": f"{entry.sequence_number:,}"}


def entry_context(scope: Scope, entry: LedgerEntry, task_name: str | None) -> dict[str, Any]:
    """One entry in words. Ids stand as they are; a decision that it is about is linked."""
    manifest = entry.manifest
    project = scope.project_id
    decisions = [*_ids(manifest, "created"), *_mapping(manifest, "changed")]
    about = entry.action.startswith(ABOUT_DECISIONS)
    return {
        **row_of(entry),
        "ledger_url": ledger_url(project),
        "task_name": task_name,
        "task_entries_url": ledger_url(project, task=entry.task_id) if entry.task_id else None,
        "task_url": task_url(project, task_name) if task_name else None,
        "decisions": [
            {"id": one, "url": decision_url(project, UUID(one))}
            for one in dict.fromkeys(decisions[:LISTED])
            if about and _is_id(one)
        ],
        "lists": [
            {"label": label, "count": len(ids), "ids": ids[:LISTED], "more": len(ids) - LISTED}
            for label, ids in (
                (_("Created"), _ids(manifest, "created")),
                (_("Superseded"), _ids(manifest, "superseded")),
                (_("Flagged"), [*_ids(manifest, "flagged"), *entry.late]),
                (_("Erased"), _ids(manifest, "gone")),
            )
            if ids
        ],
        "changes": list(words.changes_of(entry))[:LISTED],
        "hashes": list(_mapping(manifest, "hashes").items())[:LISTED],
        "cause": manifest.get("cause"),
        "ground": _ground(str(manifest.get("ground") or "")),
    }


def _ground(ground: str) -> str:
    return GROUNDS[Ground(ground)] if ground in list(Ground) else ground


def _ids(manifest: Mapping[str, Any], name: str) -> list[str]:
    found = manifest.get(name)
    return [str(one) for one in found] if isinstance(found, list) else []


def _mapping(manifest: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = manifest.get(name)
    return dict(found) if isinstance(found, dict) else {}


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def finding_lines(project_id: str, run: LedgerRun) -> list[dict[str, Any]]:
    """What a run found, each with what it means and where to look."""
    found = LedgerFinding.objects.filter(run=run).order_by("id")
    return [
        {
            "kind": words.KINDS.get(finding.kind, finding.kind),
            "meaning": words.MEANINGS.get(finding.kind, ""),
            "what": words.named(finding),
            "url": entry_url(project_id, finding.entry_id)
            if _is_id(finding.entry_id) and finding.kind != "missing"
            else None,
            "decision_url": decision_url(project_id, UUID(finding.decision_id))
            if finding.decision_id
            else None,
        }
        for finding in found
    ]
