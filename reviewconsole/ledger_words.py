"""What a page and a command say of the ledger: findings, entries, changes."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from graphstore.ledger import FindingKind, LedgerEntry
from reviewconsole.ledger_models import LedgerFinding
from reviewconsole.said import Said

__all__ = ["ACTIONS", "DOORS", "KINDS", "MEANINGS", "OTHERS", "action_words", "changes_of", "named"]

KINDS: Mapping[str, str] = Said(
    {
        FindingKind.ALTERED: gettext_noop("Altered entry"),
        FindingKind.BAD_MAC: gettext_noop("Not written with the key"),
        FindingKind.BAD_SIGNATURE: gettext_noop("Not sealed with the key"),
        FindingKind.UNKNOWN_KEY: gettext_noop("Unknown key"),
        FindingKind.UNATTESTED: gettext_noop("Unattested"),
        FindingKind.MISSING: gettext_noop("Missing entry"),
        FindingKind.GAP: gettext_noop("Gap"),
        FindingKind.FORK: gettext_noop("Fork"),
        FindingKind.UNSEALED: gettext_noop("Left unsealed"),
        FindingKind.APART: gettext_noop("Graph and mirror apart"),
        FindingKind.CONCLUSION_CHANGED: gettext_noop("Conclusion changed"),
    }
)

MEANINGS: Mapping[str, str] = Said(
    {
        FindingKind.ALTERED: gettext_noop(
            "The entry no longer says what was hashed when it was written."
        ),
        FindingKind.BAD_MAC: gettext_noop(
            "Its content was written, or written over, by somebody without the key."
        ),
        FindingKind.BAD_SIGNATURE: gettext_noop(
            "Its place in the chain was given by somebody without the key."
        ),
        FindingKind.UNKNOWN_KEY: (
            gettext_noop(
                "It was signed with a key that is not configured here; add it to LEDGER_OLD_KEYS."
            )
        ),
        FindingKind.UNATTESTED: gettext_noop(
            "It was written or sealed by a program that had no key."
        ),
        FindingKind.MISSING: gettext_noop(
            "The mirror keeps its copy, and the graph no longer has it."
        ),
        FindingKind.GAP: gettext_noop("No entry has this number, and no copy tells what it was."),
        FindingKind.FORK: gettext_noop(
            "It does not follow on the entry before it: the chain was continued twice."
        ),
        FindingKind.UNSEALED: gettext_noop(
            "It has no place in the chain, and nobody is going to give it one."
        ),
        FindingKind.APART: gettext_noop(
            "The mirror's copy differs from the graph, or was taken away."
        ),
        FindingKind.CONCLUSION_CHANGED: (
            gettext_noop(
                "The decision no longer reads as it was recorded, and no entry changed it."
            )
        ),
    }
)

OTHERS = gettext_noop(
    "What the reference library writes has no entry; flags that it set are entered when they "
    "are first seen."
)

ACTIONS: Mapping[str, str] = Said(
    {
        "create_task": gettext_noop("Task created"),
        "record_event": gettext_noop("Event recorded"),
        "record_events": gettext_noop("Events recorded"),
        "set_step": gettext_noop("Step set"),
        "resume_task": gettext_noop("Task resumed"),
        "record_decision": gettext_noop("Decision recorded"),
        "supersede_decision": gettext_noop("Decision superseded"),
        "reject_decision": gettext_noop("Decision rejected"),
        "reaffirm_decision": gettext_noop("Decision reaffirmed"),
        "ask_for_review": gettext_noop("Review asked for"),
        "withdraw_verdict": gettext_noop("Verdict taken back"),
        "continue_decision_review": gettext_noop("Flags moved on"),
        "flag_observed": gettext_noop("Flags of others entered"),
        "flag_citers": gettext_noop("Citing decisions flagged"),
        "put_document": gettext_noop("Document put"),
        "remove_document": gettext_noop("Document removed"),
        "grant_document": gettext_noop("Document granted"),
        "redact_event": gettext_noop("Event redacted"),
        "delete_task": gettext_noop("Task deleted"),
        "erase_part": gettext_noop("Part of a task erased"),
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
    """Record, property, before and after of each enumerated property that the entry changed.

    What has words is said in them; ids, and names that another program wrote, are as they are.
    """
    changed: Any = entry.manifest.get("changed", {})
    for identity, properties in changed.items() if isinstance(changed, dict) else ():
        for name, pair in properties.items() if isinstance(properties, dict) else ():
            before, after = pair if isinstance(pair, list) and len(pair) == 2 else (None, pair)
            yield identity, _PROPERTIES.get(name, name), _said(before), _said(after)


def _said(value: Any) -> str:
    if value is None:
        return _("nothing")
    if isinstance(value, list):
        return ", ".join(str(item) for item in value) or _("none")
    return _VALUES.get(str(value), str(value))


_PROPERTIES = Said(
    {
        "activation_seq": gettext_noop("version"),
        "causes": gettext_noop("causes"),
        "review_pending": gettext_noop("review pending"),
        "review_reason": gettext_noop("review reason"),
        "review_state": gettext_noop("review state"),
        "state": gettext_noop("state"),
        "status": gettext_noop("status"),
    }
)
_VALUES = Said(
    {
        "True": gettext_noop("yes"),
        "False": gettext_noop("no"),
        "active": gettext_noop("active"),
        "clear": gettext_noop("clear"),
        "completed": gettext_noop("completed"),
        "dependency_review": gettext_noop("dependency review"),
        "done": gettext_noop("done"),
        "failed": gettext_noop("failed"),
        "in_progress": gettext_noop("in progress"),
        "needs_review": gettext_noop("needs review"),
        "not_started": gettext_noop("not started"),
        "open": gettext_noop("open"),
        "rejected": gettext_noop("rejected"),
        "source_changed": gettext_noop("source changed"),
        "source_changed_during_recording": gettext_noop("source changed during recording"),
        "source_removed": gettext_noop("source removed"),
        "superseded": gettext_noop("superseded"),
        "unknown": gettext_noop("unknown"),
    }
)
DOORS = Said(
    {
        "python": gettext_noop("python"),
        "form": gettext_noop("form"),
        "api": gettext_noop("api"),
        "command": gettext_noop("command"),
        "job": gettext_noop("job"),
    }
)
"""Through which door somebody wrote."""
