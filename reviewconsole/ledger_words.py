"""What a page and a command say of the ledger: findings, entries, changes."""

from collections.abc import Iterator, Mapping
from typing import Any

from graphstore.ledger import FindingKind, LedgerEntry
from reviewconsole.ledger_models import LedgerFinding

__all__ = ["ACTIONS", "KINDS", "MEANINGS", "OTHERS", "action_words", "changes_of", "named"]

KINDS: Mapping[str, str] = {
    FindingKind.ALTERED: "Altered entry",
    FindingKind.BAD_MAC: "Not written with the key",
    FindingKind.BAD_SIGNATURE: "Not sealed with the key",
    FindingKind.UNKNOWN_KEY: "Unknown key",
    FindingKind.UNATTESTED: "Unattested",
    FindingKind.MISSING: "Missing entry",
    FindingKind.GAP: "Gap",
    FindingKind.FORK: "Fork",
    FindingKind.UNSEALED: "Left unsealed",
    FindingKind.APART: "Graph and mirror apart",
    FindingKind.CONCLUSION_CHANGED: "Conclusion changed",
}

MEANINGS: Mapping[str, str] = {
    FindingKind.ALTERED: "The entry no longer says what was hashed when it was written.",
    FindingKind.BAD_MAC: "Its content was written, or written over, by somebody without the key.",
    FindingKind.BAD_SIGNATURE: "Its place in the chain was given by somebody without the key.",
    FindingKind.UNKNOWN_KEY: (
        "It was signed with a key that is not configured here; add it to LEDGER_OLD_KEYS."
    ),
    FindingKind.UNATTESTED: "It was written or sealed by a program that had no key.",
    FindingKind.MISSING: "The mirror keeps its copy, and the graph no longer has it.",
    FindingKind.GAP: "No entry has this number, and no copy tells what it was.",
    FindingKind.FORK: "It does not follow on the entry before it: the chain was continued twice.",
    FindingKind.UNSEALED: "It has no place in the chain, and nobody is going to give it one.",
    FindingKind.APART: "The mirror's copy differs from the graph, or was taken away.",
    FindingKind.CONCLUSION_CHANGED: (
        "The decision no longer reads as it was recorded, and no entry changed it."
    ),
}

OTHERS = (
    "What the reference library writes has no entry; flags that it set are entered when they "
    "are first seen."
)

ACTIONS: Mapping[str, str] = {
    "create_task": "Task created",
    "record_event": "Event recorded",
    "record_events": "Events recorded",
    "set_step": "Step set",
    "resume_task": "Task resumed",
    "record_decision": "Decision recorded",
    "supersede_decision": "Decision superseded",
    "reject_decision": "Decision rejected",
    "reaffirm_decision": "Decision reaffirmed",
    "ask_for_review": "Review asked for",
    "withdraw_verdict": "Verdict taken back",
    "continue_decision_review": "Flags moved on",
    "flag_observed": "Flags of others entered",
    "flag_citers": "Citing decisions flagged",
    "put_document": "Document put",
    "remove_document": "Document removed",
    "grant_document": "Document granted",
    "redact_event": "Event redacted",
    "delete_task": "Task deleted",
    "erase_part": "Part of a task erased",
}


def action_words(action: str) -> str:
    """An action in words; one that is not listed shows its own name, readable."""
    return ACTIONS.get(action) or action.replace("_", " ").capitalize()


def named(finding: LedgerFinding) -> str:
    """What a finding is about."""
    if finding.entry_id:
        number = f"number {finding.sequence_number:,}, " if finding.sequence_number else ""
        return f"{number}entry {finding.entry_id}"
    if finding.until and finding.until != finding.sequence_number:
        return f"numbers {finding.sequence_number:,} to {finding.until:,}"
    return f"number {finding.sequence_number or 0:,}"


def changes_of(entry: LedgerEntry) -> Iterator[tuple[str, str, str, str]]:
    """Record, property, before and after of each enumerated property that the entry changed."""
    changed: Any = entry.manifest.get("changed", {})
    for identity, properties in changed.items() if isinstance(changed, dict) else ():
        for name, pair in properties.items() if isinstance(properties, dict) else ():
            before, after = pair if isinstance(pair, list) and len(pair) == 2 else (None, pair)
            yield identity, name.replace("_", " "), _said(before), _said(after)


def _said(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, list):
        return ", ".join(str(item) for item in value) or "none"
    return str(value).replace("_", " ")
