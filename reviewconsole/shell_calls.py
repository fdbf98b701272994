"""Calls of the record from a shell: one operation, its arguments as JSON, its result."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError, create_model

from graphstore import ConversationHistory, DecisionTraces, Documents, HistoryRetention
from graphstore.records import Actor, DocumentSupportInput, SupportInput
from graphstore.results import WriteResult
from graphstore.store import GraphStore
from reviewconsole.api import schemas
from reviewconsole.verdicts import WHOLE

__all__ = ["OPERATIONS", "CallRefused", "Shell"]


class CallRefused(ValueError):
    """A line is no call. The message is one sentence for a person."""


def _with(body: type[BaseModel], *names: str) -> type[BaseModel]:
    """A body of the API together with what the API takes from the address."""
    named: dict[str, Any] = dict.fromkeys(names, (str, ...))
    return create_model(f"{body.__name__}Line", __base__=body, **named)


class _Nothing(schemas.Body):
    pass


class _Redaction(schemas.Body):
    event_id: str
    seen: str | None = None


class _Deletion(schemas.Body):
    name: str
    include_decisions: bool = True
    seen: str | None = None


class _Removal(schemas.Body):
    document_key: str
    seen: str | None = None


OPERATIONS: dict[str, type[BaseModel]] = {
    "create_task": schemas.CreateTaskBody,
    "record_event": _with(schemas.RecordEventBody, "task_name"),
    "record_events": _with(schemas.RecordEventsBody, "task_name"),
    "set_step": _with(schemas.SetStepBody, "task_name", "name"),
    "resume_task": _with(_Nothing, "task_name"),
    "record_decision": _with(schemas.RecordDecisionBody, "task_name"),
    "supersede_decision": _with(schemas.SupersedeDecisionBody, "decision_id"),
    "reject_decision": _with(schemas.RejectDecisionBody, "decision_id"),
    "reaffirm_decision": _with(schemas.ReaffirmDecisionBody, "decision_id"),
    "ask_for_review": _with(schemas.AskForReviewBody, "decision_id"),
    "withdraw_verdict": _with(schemas.WithdrawVerdictBody, "verdict_id"),
    "put_document": _with(schemas.PutDocumentSeenBody, "document_key"),
    "remove_document": _Removal,
    "grant_document": _with(_Nothing, "document_key"),
    "revoke_document": _with(_Nothing, "document_key"),
    "redact_event": _Redaction,
    "delete_task": _Deletion,
    "pause_job": _with(_Nothing, "job_id"),
    "resume_job": _with(_Nothing, "job_id"),
    "cancel_job": _with(_Nothing, "job_id"),
}
"""Every write, with the arguments that a line may name."""
CONTROLS = ("pause_job", "resume_job", "cancel_job")
"""Doing one of these twice is doing it once, so they take no request id."""


class Shell:
    """Runs lines on one project as one author. Whoever has the shell may do everything."""

    def __init__(self, store: GraphStore, project_id: str, agent_id: str) -> None:
        actor = Actor(agent_id=agent_id, principal=agent_id, door="command")
        named: dict[str, Any] = {"project_id": project_id, "agent_id": agent_id, "actor": actor}
        self._documents = Documents(store, **named)
        self._classes = (
            ConversationHistory(store, **named),
            DecisionTraces(store, **named),
            self._documents,
            HistoryRetention(store, **named),
        )

    def run(self, line: Mapping[str, Any]) -> WriteResult:
        """Carry out `{"operation": …, "request_id": …, …}`; what is cited is fetched here.

        Raises `CallRefused` for a line that names no operation or not its arguments.
        """
        named = dict(line)
        operation, request_id = named.pop("operation", None), named.pop("request_id", None)
        if operation not in OPERATIONS:
            raise CallRefused(
                f"There is no operation {operation!r}; one of {', '.join(OPERATIONS)}."
            )
        if not isinstance(request_id, str | None):
            raise CallRefused("A request_id is a text.")
        try:
            body = OPERATIONS[operation].model_validate(named)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"]))
            raise CallRefused(f"{operation}: {place}: {first['msg']}.") from None
        given = {} if operation in CONTROLS else {"request_id": request_id}
        return self._method(operation)(**self._arguments(body), **given)

    def _method(self, operation: str) -> Callable[..., WriteResult]:
        return next(getattr(one, operation) for one in self._classes if hasattr(one, operation))

    def _arguments(self, body: BaseModel) -> dict[str, Any]:
        """The operation's arguments out of a body, with what it cites."""
        arguments: dict[str, Any] = {name: getattr(body, name) for name in type(body).model_fields}
        if "events" in arguments:
            arguments["events"] = [one.event() for one in arguments["events"]]
        if "supports" in arguments:
            supports: list[SupportInput] = [one.support() for one in arguments["supports"]]
            arguments |= {"supports": supports, "fetched_evidence": self._fetched(supports)}
        if "evidence" in arguments:
            evidence = [
                DocumentSupportInput(evidence_id=one.evidence_id) for one in arguments["evidence"]
            ]
            arguments |= {"evidence": evidence, "fetched_evidence": self._fetched(evidence)}
        return arguments

    def _fetched(self, supports: list[Any]) -> list[Any]:
        ids = [one.evidence_id for one in supports if isinstance(one, DocumentSupportInput)]
        return self._documents.fetch_evidence(ids, max_chars=WHOLE) if ids else []
