"""What a page and a command say of the ledger: findings, entries, changes."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _noop

from graphstore.ledger import FindingKind, LedgerEntry
from reviewconsole.ledger_models import LedgerFinding
from reviewconsole.said import Said

__all__ = ["ACTIONS", "KINDS", "MEANINGS", "OTHERS", "action_words", "changes_of", "named"]

KINDS: Mapping[str, str] = Said(
    {
        FindingKind.ALTERED: _noop("Altered entry"),
        FindingKind.BAD_MAC: _noop("Not written with the key"),
        FindingKind.BAD_SIGNATURE: _noop("Not sealed with the key"),
        FindingKind.UNKNOWN_KEY: _noop("Unknown key"),
        FindingKind.UNATTESTED: _noop("Unattested"),
        FindingKind.MISSING: _noop("Missing entry"),
        FindingKind.GAP: _noop("Gap"),
        FindingKind.FORK: _noop("Fork"),
        FindingKind.UNSEALED: _noop("Left unsealed"),
        FindingKind.APART: _noop("Graph and mirror apart"),
        FindingKind.CONCLUSION_CHANGED: _noop("Conclusion changed"),
    }
)

MEANINGS: Mapping[str, str] = Said(
    {
        FindingKind.ALTERED: _noop("The entry no longer says what was hashed when it was written."),
        FindingKind.BAD_MAC: _noop(
            "Its content was written, or written over, by somebody without the key."
        ),
        FindingKind.BAD_SIGNATURE: _noop(
            "Its place in the chain was given by somebody without the key."
        ),
        FindingKind.UNKNOWN_KEY: (
            _noop(
                "It was signed with a key that is not configured here; add it to LEDGER_OLD_KEYS."
            )
        ),
        FindingKind.UNATTESTED: _noop("It was written or sealed by a program that had no key."),
        FindingKind.MISSING: _noop("The mirror keeps its copy, and the graph no longer has it."),
        FindingKind.GAP: _noop("No entry has this number, and no copy tells what it was."),
        FindingKind.FORK: _noop(
            "It does not follow on the entry before it: the chain was continued twice."
        ),
        FindingKind.UNSEALED: _noop(
            "It has no place in the chain, and nobody is going to give it one."
        ),
        FindingKind.APART: _noop("The mirror's copy differs from the graph, or was taken away."),
        FindingKind.CONCLUSION_CHANGED: (
            _noop("The decision no longer reads as it was recorded, and no entry changed it.")
        ),
    }
)

OTHERS = _noop(
    "What the reference library writes has no entry; flags that it set are entered when they "
    "are first seen."
)

ACTIONS: Mapping[str, str] = Said(
    {
        "create_task": _noop("Task created"),
        "record_event": _noop("Event recorded"),
        "record_events": _noop("Events recorded"),
        "set_step": _noop("Step set"),
        "resume_task": _noop("Task resumed"),
        "record_decision": _noop("Decision recorded"),
        "supersede_decision": _noop("Decision superseded"),
        "reject_decision": _noop("Decision rejected"),
        "reaffirm_decision": _noop("Decision reaffirmed"),
        "ask_for_review": _noop("Review asked for"),
        "withdraw_verdict": _noop("Verdict taken back"),
        "continue_decision_review": _noop("Flags moved on"),
        "flag_observed": _noop("Flags of others entered"),
        "flag_citers": _noop("Citing decisions flagged"),
        "put_document": _noop("Document put"),
        "remove_document": _noop("Document removed"),
        "grant_document": _noop("Document granted"),
        "redact_event": _noop("Event redacted"),
        "delete_task": _noop("Task deleted"),
        "erase_part": _noop("Part of a task erased"),
    }
)


def action_words(action: str) -> str:
    """An action in words; one that is not listed shows its own name, readable."""
    return ACTIONS.get(action) or action.replace("_", " ").capitalize()


def named(finding: LedgerFinding) -> str:
    """What a finding is about."""
    if finding.entry_id:
        if not finding.sequence_number:
            return _("entry %(entry)s") % {"entry": finding.entry_id}
        return _("number %(number)s, entry %(entry)s") % {
            "number": f"{finding.sequence_number:,}",
            "entry": finding.entry_id,
        }
    if finding.until and finding.until != finding.sequence_number:
        return _("numbers %(first)s to %(last)s") % {
            "first": f"{finding.sequence_number or 0:,}",
            "last": f"{finding.until:,}",
        }
    return _("number %(number)s") % {"number": f"{finding.sequence_number or 0:,}"}


def changes_of(entry: LedgerEntry) -> Iterator[tuple[str, str, str, str]]:
    """Record, property, before and after of each enumerated property that the entry changed."""
    changed: Any = entry.manifest.get("changed", {})
    for identity, properties in changed.items() if isinstance(changed, dict) else ():
        for name, pair in properties.items() if isinstance(properties, dict) else ():
            before, after = pair if isinstance(pair, list) and len(pair) == 2 else (None, pair)
            yield identity, name.replace("_", " "), _said(before), _said(after)


def _said(value: Any) -> str:
    if value is None:
        return _("nothing")
    if isinstance(value, list):
        return ", ".join(str(item) for item in value) or _("none")
    return str(value).replace("_", " ")
