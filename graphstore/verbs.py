"""Which kinds of change each verb can make; its one statement follows from that."""

from dataclasses import dataclass

LOCK_ORDER = (
    "Project",
    "Document",
    "Task",
    "Event",
    "Decision",
    "Step",
    "CtxScope",
    "CtxJob",
    "CtxChoice",
    "CtxStance",
    "CtxChain",
    "CtxTrace",
)
"""The order in which every commit takes its locks, so that two cannot wait for each other."""

OWNERS = {
    "Decision": ("Task", "MADE"),
    "Step": ("Task", "HAS_STEP"),
    "DecisionSupport": ("Decision", "HAS_SUPPORT"),
    "Chunk": ("Document", "HAS_PART"),
    "DocumentActivation": ("Document", "HAS_ACTIVATION"),
}
"""What a created node hangs below, and by which relationship."""


@dataclass(frozen=True)
class Verb:
    """The shape of one verb's statement. Lists are labels, in the order of the text."""

    name: str
    guards: tuple[str, ...] = ()
    creates: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    supports_held: bool = False
    revisions_held: bool = False
    lives_held: bool = False
    citers_held: bool = False
    parts: bool = False
    cites: bool = False
    scopes: bool = False
    stances: bool = False
    raises: bool = False
    appends: bool = False
    erases: bool = False
    erases_part: bool = False
    restores: bool = False
    scrubs: bool = False
    identifies: bool = False
    late: bool = False
    finishes: bool = False
    entry: bool = True
    request: bool = True


CREATE_TASK = Verb(
    "create_task", guards=("Project", "Task"), creates=("Project", "Task"), lives_held=True
)
RECORD_EVENTS = Verb("record_events", guards=("Task",), appends=True)
SET_STEP = Verb(
    "set_step",
    guards=("Document", "Task", "Event", "Decision", "Step"),
    creates=("Step",),
    changes=("Task", "Step"),
    cites=True,
    scopes=True,
)
RESUME_TASK = Verb("resume_task", guards=("Task", "Step"), changes=("Task", "Step"))
RECORD_DECISION = Verb(
    "record_decision",
    guards=("Project", "Document", "Task", "Event", "Decision"),
    creates=("Decision", "DecisionSupport"),
    links=("DEPENDS_ON",),
    scopes=True,
    stances=True,
    raises=True,
)
SUPERSEDE_DECISION = Verb(
    "supersede_decision",
    guards=("Project", "Document", "Task", "Event", "Decision"),
    creates=("Decision", "DecisionSupport", "CtxVerdict"),
    changes=("Decision",),
    links=("DEPENDS_ON", "SUPERSEDES"),
    supports_held=True,
    scopes=True,
    stances=True,
    raises=True,
    late=True,
)
REJECT_DECISION = Verb(
    "reject_decision",
    guards=("Project", "Task", "Decision"),
    creates=("CtxVerdict",),
    changes=("Decision",),
    supports_held=True,
    stances=True,
    raises=True,
    late=True,
)
REAFFIRM_DECISION = Verb(
    "reaffirm_decision",
    guards=("Project", "Document", "Task", "Event", "Decision"),
    creates=("DecisionSupport", "CtxVerdict"),
    changes=("DecisionSupport", "Decision"),
    supports_held=True,
    appends=True,
)
ASK_FOR_REVIEW = Verb(
    "ask_for_review",
    guards=("Project", "Task", "Decision"),
    creates=("CtxVerdict",),
    changes=("Decision",),
    raises=True,
    late=True,
)
WITHDRAW_VERDICT = Verb(
    "withdraw_verdict",
    guards=("Project", "Document", "Task", "Event", "Decision"),
    creates=("CtxVerdict",),
    changes=("DecisionSupport", "Decision", "CtxVerdict"),
    supports_held=True,
    revisions_held=True,
    stances=True,
    raises=True,
    late=True,
)
CONTINUE_REVIEW = Verb(
    "continue_decision_review",
    guards=("Project", "Decision"),
    changes=("Decision",),
    scopes=True,
    stances=True,
    raises=True,
    late=True,
    finishes=True,
    request=False,
)
PUT_DOCUMENT = Verb(
    "put_document",
    guards=("Project", "Document", "Decision"),
    citers_held=True,
    parts=True,
    creates=("Document", "Chunk", "DocumentActivation", "CtxJob"),
    changes=("Document", "Decision"),
    raises=True,
    late=True,
)
GRANT_DOCUMENT = Verb(
    "grant_document",
    guards=("Document", "CtxScope"),
    creates=("CtxScope",),
    changes=("CtxScope",),
)
REDACT_EVENT = Verb(
    "redact_event",
    guards=("Project", "Task", "Event", "Decision"),
    citers_held=True,
    creates=("CtxJob",),
    changes=("Event", "Decision"),
    scrubs=True,
    raises=True,
    late=True,
)
DELETE_TASK = Verb(
    "delete_task",
    guards=("Project", "Task", "Decision", "Step"),
    creates=("CtxTombstone", "CtxJob"),
    changes=("Decision", "DecisionSupport", "Step", "Request", "CtxTombstone"),
    lives_held=True,
    stances=True,
    raises=True,
    erases=True,
)
HIDE_TASK = Verb(
    "hide_task",
    guards=("Project", "Task"),
    creates=("CtxTombstone", "CtxJob"),
    changes=("Task", "CtxTombstone"),
    lives_held=True,
)
ERASE_PART = Verb(
    "erase_part",
    guards=("Project", "Decision", "Step", "CtxJob"),
    creates=("CtxJob",),
    changes=("Decision", "DecisionSupport", "Step", "Request", "CtxTombstone", "CtxJob"),
    stances=True,
    raises=True,
    erases_part=True,
    request=False,
)
CONTROL_JOB = Verb(
    "control_job",
    guards=("Project", "CtxJob"),
    changes=("Project", "Request", "CtxTombstone", "CtxJob"),
    restores=True,
    request=False,
)
CLOSE_JOBS = Verb("close_jobs", guards=("CtxJob",), changes=("CtxJob",), request=False)
FLAG_CITERS = Verb(
    "flag_citers",
    guards=("Project", "Decision"),
    changes=("Decision", "CtxJob"),
    raises=True,
    finishes=True,
    request=False,
)
MEND_DECISIONS = Verb(
    "mend_decisions",
    guards=("Project", "Decision"),
    changes=("DecisionSupport", "Decision"),
    links=("SUPERSEDES",),
    supports_held=True,
    scopes=True,
    stances=True,
    raises=True,
    finishes=True,
    request=False,
)
MEND_RECORDS = Verb(
    "mend_records",
    guards=("Task", "Event", "Decision", "Step", "CtxChoice", "CtxStance"),
    changes=("Task", "Event", "Step", "Request", "CtxChoice", "CtxStance"),
    cites=True,
    scopes=True,
    identifies=True,
    request=False,
)
CLOSE_ENTRIES = Verb("close_entries", changes=("CtxTrace",), entry=False, request=False)
SEAL_ENTRIES = Verb(
    "seal_entries",
    guards=("CtxChain", "CtxTrace"),
    creates=("CtxChain",),
    changes=("CtxChain", "CtxTrace"),
    entry=False,
    request=False,
)

VERBS = (
    CREATE_TASK,
    RECORD_EVENTS,
    SET_STEP,
    RESUME_TASK,
    RECORD_DECISION,
    SUPERSEDE_DECISION,
    REJECT_DECISION,
    REAFFIRM_DECISION,
    ASK_FOR_REVIEW,
    WITHDRAW_VERDICT,
    CONTINUE_REVIEW,
    PUT_DOCUMENT,
    GRANT_DOCUMENT,
    REDACT_EVENT,
    DELETE_TASK,
    HIDE_TASK,
    ERASE_PART,
    CONTROL_JOB,
    CLOSE_JOBS,
    FLAG_CITERS,
    MEND_DECISIONS,
    MEND_RECORDS,
    CLOSE_ENTRIES,
    SEAL_ENTRIES,
)
