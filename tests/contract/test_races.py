"""Writers at the same instant: exactly one of them wins, and nothing is counted twice."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from graphstore.records import EventKind
from tests.contract.looking import decision, project, stances
from tests.contract.seeding import Heard, Seed
from tests.contract.world import Work, answer, on

WRITERS = 8
ROUNDS = 5


def test_one_of_many_verdicts_wins(work: Work, seed: Seed) -> None:
    """Of people who reject one decision at once, one does, and its dependent is flagged once."""
    seed.project_node()
    seed.task("t", "Heard.")
    for number in range(ROUNDS):
        root = seed.decision(f"root {number}", Heard("t", 1))
        child = seed.decision(f"child {number}", root)

        def reject(k: int, root: str = root) -> tuple[bool, str | None]:
            return answer(work.by(f"judge {k}").traces.reject_decision(root, f"No {k}."))

        with ThreadPoolExecutor(WRITERS) as pool:
            answers = Counter(pool.map(reject, range(WRITERS)))
        assert answers == {(True, None): 1, (False, "decision_not_active"): WRITERS - 1}
        assert decision(work.raw, child)["ctx_version"] == 1
        assert project(work.raw)["review_epoch"] == number + 1


def test_one_of_many_records_of_a_choice_wins(work: Work, seed: Seed) -> None:
    """Of agents that decide one choice at once, one is recorded, and its side counts once."""
    seed.project_node()
    seed.task("t", "Heard.")
    for number in range(ROUNDS):

        def record(k: int, number: int = number) -> tuple[bool, str | None]:
            writer = work.by(f"agent {k}").traces
            cited = on(Heard("t", 1))
            return answer(writer.record_decision("t", f"choice {number}", "Yes.", "r", **cited))

        with ThreadPoolExecutor(WRITERS) as pool:
            answers = Counter(pool.map(record, range(WRITERS)))
        assert answers == {(True, None): 1, (False, "choice_exists"): WRITERS - 1}
        assert stances(work.raw, f"choice {number}") == (1, [1])


def test_events_of_many_writers_have_neighbouring_numbers(work: Work, seed: Seed) -> None:
    """Writers to one task queue up: every event gets a number of its own, without gaps."""
    seed.project_node()
    seed.task("t")

    def record(k: int) -> list[int]:
        history = work.by(f"agent {k}").history
        made = [history.record_event("t", EventKind.NOTE, payload=str(i)) for i in range(ROUNDS)]
        return [m.event.seq for m in made if m.event is not None]

    with ThreadPoolExecutor(WRITERS) as pool:
        numbers = [seq for seqs in pool.map(record, range(WRITERS)) for seq in seqs]
    assert sorted(numbers) == list(range(1, WRITERS * ROUNDS + 1))


def test_one_of_many_withdrawals_wins(work: Work, seed: Seed) -> None:
    """Of people who take one verdict back at once, one does; the choice counts one decision more."""
    seed.project_node()
    seed.task("t", "Heard.")
    for number in range(ROUNDS):
        made = work.record(f"choice {number}", Heard("t", 1))
        given = work.traces.reject_decision(made.id, "No.").verdict_id or ""

        def withdraw(k: int, given: str = given) -> tuple[bool, str | None]:
            return answer(work.by(f"judge {k}").traces.withdraw_verdict(given, "A slip."))

        with ThreadPoolExecutor(WRITERS) as pool:
            answers = Counter(pool.map(withdraw, range(WRITERS)))
        assert answers == {(True, None): 1, (False, "verdict_not_found"): WRITERS - 1}
        assert stances(work.raw, f"choice {number}") == (1, [1])


def test_a_withdrawal_and_a_new_record_never_leave_two_active(work: Work, seed: Seed) -> None:
    """Either the choice is decided again and the rejection stays, or it is taken back first."""
    seed.project_node()
    seed.task("t", "Heard.")
    outcomes = {("built_upon", None), (None, "choice_exists")}
    for number in range(4 * ROUNDS):
        choice = f"choice {number}"
        made = work.record(choice, Heard("t", 1))
        given = work.traces.reject_decision(made.id, "No.").verdict_id or ""

        def withdraw(given: str = given) -> str | None:
            return answer(work.traces.withdraw_verdict(given, "A slip."))[1]

        def record(choice: str = choice) -> str | None:
            writer = work.by("other").traces
            return answer(writer.record_decision("t", choice, "Else.", "r", **on(Heard("t", 1))))[1]

        with ThreadPoolExecutor(2) as pool:
            back, again = pool.submit(withdraw), pool.submit(record)
            assert (back.result(), again.result()) in outcomes
        assert stances(work.raw, choice)[0] == 1
