"""What a browser does between two pages, for tests with Django's client."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.test import Client

from graphstore.records import Decision
from reviewconsole.addresses import decision_url, queue_url
from tests.web.world import PROJECT

Answer = Any
"""What Django's client returns: a response with the context it was drawn from."""

__all__ = ["Answer", "at", "offered", "open_decision", "open_queue", "post", "shown_form"]

TOKEN = "0123456789abcdefghijABCDEFGHIJ01"


def post(client: Client, url: str, sent: dict[str, Any], **headers: str) -> Answer:
    """Post a form with a valid CSRF token."""
    client.cookies[settings.CSRF_COOKIE_NAME] = TOKEN
    return client.post(url, {**sent, "csrfmiddlewaretoken": TOKEN}, headers=headers)


def at(decision: Decision | UUID, **query: str) -> str:
    """The address of a decision."""
    return decision_url(PROJECT, decision if isinstance(decision, UUID) else decision.id, **query)


def open_queue(client: Client, **query: str) -> Answer:
    return client.get(queue_url(PROJECT, **query))


def offered(page: Answer, name: str) -> dict[str, tuple[str, int | None]]:
    """What a filter of a queue page can be set to: label and count by value; "" is everything."""
    found = [pick for pick in page.context["picks"] if pick.name == name]
    return {one.value: (one.label, one.count) for pick in found for one in pick.choices}


def open_decision(client: Client, decision: Decision | UUID) -> Answer:
    answer = client.get(at(decision))
    assert answer.status_code == 200
    return answer


def shown_form(answer: Answer) -> dict[str, Any]:
    """The fields of the verdict form as the page shows them: what sending it at once would send."""
    form = answer.context["form"]
    values = {field.html_name: field.value() for field in form}
    return {name: value for name, value in values.items() if value not in (None, "", [])}


def judge(client: Client, decision: Decision, verdict: str, **typed: Any) -> Answer:
    """Open the decision's page, fill in the form, send it."""
    form = shown_form(open_decision(client, decision))
    return post(client, at(decision), {**form, "verdict": verdict, **typed})
