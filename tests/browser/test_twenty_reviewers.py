"""Twenty people at one queue at once: each decision is judged once, and no verdict is lost."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import pytest

from graphstore import DecisionTraces, Settings, connect
from graphstore.records import VerdictKind
from reviewconsole.addresses import queue_url
from reviewconsole.models import Role
from tests.browser.console import Console
from tests.browser.prepare import CROWD
from tests.browser.reviewer import Reviewer
from tests.browser.shop import CHANGED, STAYS, UPDATED, Shop
from tests.servers import GraphSettings

FLAGS = 60


@pytest.fixture
def worked(console: Console) -> Iterator[Console]:
    """The console, with a worker that does its jobs."""
    console.start_worker()
    yield console
    console.stop_worker()


def test_twenty_reviewers_at_once(worked: Console, shop: Shop, graph: GraphSettings) -> None:
    """Nobody meets an error but a refusal where it is due, and everybody's verdicts count."""
    made = shop.record_many(FLAGS - 4, cited=STAYS)
    shop.put(UPDATED.replace(STAYS, CHANGED))
    for name in CROWD:
        worked.grant(name, shop.project, Role.REVIEWER)
    with ThreadPoolExecutor(len(CROWD)) as crowd:
        reviewers = list(crowd.map(lambda n: Reviewer(worked.url, n, shop.project), CROWD))
        reviewers[0].open(queue_url(shop.project))
        list(crowd.map(Reviewer.reject_all, reviewers))
    judged = [one for reviewer in reviewers for one in reviewer.judged]
    expected = {*made, shop.signature, shop.days, shop.cards, shop.letter}
    assert Counter(judged) == Counter(expected)
    assert {status for one in reviewers for status in one.statuses} <= {200, 303, 409}
    store = connect(Settings.from_env(graph.environ()))
    given = DecisionTraces(store, project_id=shop.project, agent_id="x").list_verdicts(
        kind=VerdictKind.REJECT, limit=200
    )
    store.close()
    by = {reviewer.name: worked.agent_id(reviewer.name) for reviewer in reviewers}
    assert {UUID(str(verdict.decision_id)): verdict.by for verdict in given.verdicts} == {
        one: by[reviewer.name] for reviewer in reviewers for one in reviewer.judged
    }
    assert len(given.verdicts) == FLAGS
    left = reviewers[0].open(queue_url(shop.project))
    assert "Every flag is cleared" in left.text
