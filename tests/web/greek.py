"""A project that was recorded in Greek, so that whatever else stands on its pages is the console's.

It holds something of everything that a page can show: each comparison, reason, verdict and
state of a step, a conflict, what was redacted and what is gone.
"""

import json
from dataclasses import dataclass, field

from graphstore import ConversationHistory, DecisionTraces, Documents, HistoryRetention, NewEvent
from graphstore.ids import evidence_id, named_id, sha256
from graphstore.records import (
    Decision,
    DecisionSupportInput,
    DocumentSupportInput,
    EventKind,
    EventSupportInput,
    StepState,
    SupportInput,
)
from graphstore.store import GraphStore
from reviewconsole import jobs

__all__ = ["GREEK", "RULES_LATER", "SHIFTS", "Greek"]

GREEK, AGENT = "έργο", "βοηθός"
TASK, OTHER = "έλεγχος", "επιστολές"
RULES, BOOK = "κανόνες", "βιβλίο"

FILLER = "Αυτή η παράγραφος στέκει ανάμεσα, ώστε κάθε αλλαγή να απέχει από τις άλλες. " * 4
FIRST = "Η επιστροφή γίνεται σε 30 ημέρες, όχι αργότερα, και ποτέ χωρίς απόδειξη."
SECOND = "Πάνω από 500 ευρώ χρειάζεται και δεύτερη υπογραφή από τον διευθυντή."
THIRD = "Τα μεταφορικά δεν επιστρέφονται."
RULES_THEN = f"{FIRST}\n\n{FILLER}\n\n{SECOND}\n\n{FILLER}\n\n{THIRD}"
RULES_NOW = RULES_THEN.replace("30", "15").replace(THIRD, "Νέο τέλος.")
RULES_LATER = RULES_NOW.replace("15", "10")
BOOK_THEN = "Το κατάστημα πουλά μόνο στην Ένωση."
SHIFTS = "βάρδιες"
SHIFT_RULES = [f"Κανόνας {n}: όποιος μένει τελευταίος κλειδώνει την πόρτα {n}." for n in range(6)]
SHIFTS_THEN = "".join(f"{rule}\n\n{FILLER}\n\n" for rule in SHIFT_RULES)
MANY_NOTES = 60
"""More than one page of a log holds."""


@dataclass
class Greek:
    """The project; the workers have seen everything that happened in it."""

    store: GraphStore
    history: ConversationHistory = field(init=False)
    traces: DecisionTraces = field(init=False)
    documents: Documents = field(init=False)
    edited: Decision = field(init=False)

    def __post_init__(self) -> None:
        self.history = ConversationHistory(self.store, project_id=GREEK, agent_id=AGENT)
        self.traces = DecisionTraces(self.store, project_id=GREEK, agent_id=AGENT)
        self.documents = Documents(self.store, project_id=GREEK, agent_id=AGENT)
        self._record_log()
        self.documents.put_document(RULES, RULES_THEN, title="Κανόνες")
        self.documents.put_document(BOOK, BOOK_THEN, title="Βιβλίο")
        self.documents.put_document(SHIFTS, SHIFTS_THEN, title="Βάρδιες")
        self._decide_all()
        for state in StepState:
            self.history.set_step(TASK, f"βήμα {len(state)}", state, result_event_seq=1)
        self._change()
        jobs.catch_up(GREEK)
        jobs.compare(GREEK)

    def _record_log(self) -> None:
        for task in (TASK, OTHER):
            self.history.create_task(task, "Να βρεθεί πώς γίνονται οι επιστροφές.")
        log = self.history.record_event
        log(TASK, "message", role="πελάτης", payload="Πόσο διαρκεί;")
        log(TASK, "tool_call", name="εύρεση", payload=json.dumps({"tool_call_id": "1"}))
        answer = json.dumps({"tool_call_id": "1", "content": "Τίποτα."}, ensure_ascii=False)
        log(TASK, "tool_result", name="εύρεση", payload=answer)
        log(TASK, "note", payload="ω" * 33_000)

    def _decide_all(self) -> None:
        self.edited = self.decide("ημέρες", [self.cite(RULES, RULES_THEN, FIRST), self.event(1)])
        signed = self.decide("υπογραφή", [self.cite(RULES, RULES_THEN, SECOND)])
        self.decide("μεταφορικά", [self.cite(RULES, RULES_THEN, THIRD), self.on(self.edited)])
        self.decide("τόπος", [self.cite(BOOK, BOOK_THEN, BOOK_THEN), self.event(3)])
        self.decide("μήκος", [self.event(4)])
        for rule in SHIFT_RULES:
            self.decide(rule, [self.cite(SHIFTS, SHIFTS_THEN, rule)])
        under = self.decide("χρόνος", [self.on(self.edited), self.on(signed)])
        self.decide("χρόνος", [self.on(under)], task=OTHER)
        rejected = self.decide("ύφος", [self.event(1)])
        self.decide("τόνος", [self.on(rejected)])
        self.traces.reject_decision(str(rejected.id), "Δεν ισχύει.")
        replaced = self.decide("σειρά", [self.event(1)])
        self.decide("βάρος", [self.on(replaced)])
        self.traces.supersede_decision(
            str(replaced.id),
            "Άλλη σειρά.",
            "Επειδή έτσι.",
            explanation="Άλλαξε.",
            supports=[self.event(1)],
        )

    def _change(self) -> None:
        notes = [NewEvent(EventKind.NOTE, "Σημείωση.") for _ in range(MANY_NOTES)]
        self.history.record_events(TASK, notes)
        retention = HistoryRetention(self.store, project_id=GREEK, agent_id=AGENT)
        event = self.history.list_events(TASK, after_seq=2).events[0]
        retention.redact_event(str(event.id))
        self.documents.put_document(RULES, RULES_NOW, title="Κανόνες")
        self.documents.put_document(RULES, RULES_LATER, title="Κανόνες")
        self.documents.put_document(SHIFTS, f"{SHIFTS_THEN}Τέλος.", title="Βάρδιες")
        self.documents.remove_document(BOOK)

    def decide(self, choice: str, supports: list[SupportInput], *, task: str = TASK) -> Decision:
        """Record a decision that must be accepted."""
        cited = [one.evidence_id for one in supports if isinstance(one, DocumentSupportInput)]
        made = self.traces.record_decision(
            task,
            choice,
            f"Απόφαση για {choice} στο {task}.",
            "Επειδή έτσι γράφει.",
            supports=supports,
            fetched_evidence=self.documents.fetch_evidence(
                cited, scope=frozenset({RULES, BOOK, SHIFTS})
            ),
            assumptions=["Υπόθεση."],
            open_questions=["Ερώτηση;"],
        )
        assert made.decision is not None, made
        return made.decision

    def cite(self, key: str, text: str, words: str) -> DocumentSupportInput:
        start = text.index(words)
        document = named_id("Document", key)
        ident = evidence_id(document, sha256(text), start, start + len(words))
        return DocumentSupportInput(evidence_id=ident)

    def event(self, seq: int) -> EventSupportInput:
        return EventSupportInput(task_name=TASK, seq=seq)

    def on(self, decision: Decision) -> DecisionSupportInput:
        return DecisionSupportInput(decision_id=str(decision.id))
