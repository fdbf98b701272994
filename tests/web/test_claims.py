"""Claims: of two who want one decision exactly one gets it, and whoever lost one is told."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from reviewconsole import claims
from reviewconsole.flow_models import Claim, ClaimState
from reviewconsole.models import User
from reviewconsole.review_index import now_us
from tests.web.world import PROJECT


@pytest.fixture
def one() -> UUID:
    """A decision. Claims do not ask what it is."""
    return uuid4()


def end(decision_id: UUID) -> None:
    """Let the lease on a decision be over, as after 15 minutes."""
    Claim.objects.filter(decision_id=decision_id).update(until_us=1)


def test_the_first_holds_it_for_fifteen_minutes(bob: User, alice: User, one: UUID) -> None:
    """Nobody else gets it meanwhile, and everybody sees who has it and until when."""
    taken = claims.take(bob, PROJECT, one)
    assert taken is not None
    assert 890 < (taken.until - datetime.now(UTC)).total_seconds() <= 900
    assert claims.take(alice, PROJECT, one) is None
    holder = claims.holders(PROJECT, [one, uuid4()])[one]
    assert (holder.name, holder.agent_id, holder.until) == ("Bob", bob.agent_id, taken.until)
    assert claims.holders("another", [one]) == {}


def test_each_taking_has_a_higher_number(bob: User, alice: User, one: UUID) -> None:
    """Also by the same person again, and by the next once the first has ended."""
    first = claims.take(bob, PROJECT, one)
    again = claims.take(bob, PROJECT, one)
    end(one)
    others = claims.take(alice, PROJECT, one)
    assert first
    assert again
    assert others
    assert first.fence < again.fence < others.fence


def test_a_page_left_behind_releases_nothing(bob: User, alice: User, one: UUID) -> None:
    """Only the number of the newest taking lets it go; then the next may have it."""
    old = claims.take(bob, PROJECT, one)
    new = claims.take(bob, PROJECT, one)
    assert old
    assert new
    claims.release(bob, PROJECT, one, old.fence)
    assert claims.take(alice, PROJECT, one) is None
    claims.release(bob, PROJECT, one, new.fence)
    assert claims.holders(PROJECT, [one]) == {}
    assert claims.take(alice, PROJECT, one) is not None


def test_only_its_holder_holds_on(bob: User, alice: User, one: UUID) -> None:
    """A heartbeat adds to one's own lease, not to another's, a released one or none."""
    assert claims.beat(bob, PROJECT, one) is None
    taken = claims.take(bob, PROJECT, one)
    assert taken is not None
    Claim.objects.update(until_us=int(taken.until.timestamp() * 1_000_000) - 600_000_000)
    beaten = claims.beat(bob, PROJECT, one)
    assert beaten is not None
    assert beaten.fence == taken.fence
    assert beaten.until >= taken.until
    assert claims.beat(alice, PROJECT, one) is None
    claims.release(bob, PROJECT, one)
    assert claims.beat(bob, PROJECT, one) is None


def test_a_lease_that_nobody_took_goes_on(bob: User, alice: User, one: UUID) -> None:
    """The page was only asleep; once somebody else has it, it does not."""
    claims.take(bob, PROJECT, one)
    end(one)
    assert claims.holders(PROJECT, [one]) == {}
    assert claims.beat(bob, PROJECT, one) is not None
    end(one)
    assert claims.take(alice, PROJECT, one) is not None
    assert claims.beat(bob, PROJECT, one) is None


def test_taken_over_with_a_reason(bob: User, alice: User, one: UUID) -> None:
    """Everybody reads the reason, until the claim is let go."""
    claims.take(bob, PROJECT, one)
    assert claims.take_over(alice, PROJECT, one, "Bob is on leave.") is not None
    holder = claims.holder_of(PROJECT, one)
    assert holder is not None
    assert (holder.name, holder.why) == ("Alice", "Bob is on leave.")
    claims.release(alice, PROJECT, one)
    assert Claim.objects.get().why == ""


def test_nobody_takes_over_a_verdict_that_is_being_written(
    bob: User, alice: User, one: UUID
) -> None:
    """Not before it is written, and a minute later if it never is."""
    claims.take(bob, PROJECT, one)
    with claims.judging(bob, PROJECT, one) as judgement:
        row = Claim.objects.get()
        assert row.state == ClaimState.JUDGING
        assert row.until_us <= now_us() + 60_000_000
        assert claims.take_over(alice, PROJECT, one, "Quick.") is None
        judgement.given = True
    assert claims.holders(PROJECT, [one]) == {}
    with pytest.raises(RuntimeError, match="gone"), claims.judging(bob, PROJECT, one):
        raise RuntimeError("gone")
    assert claims.take_over(alice, PROJECT, one, "Quick.") is None
    end(one)
    assert claims.take_over(alice, PROJECT, one, "He is gone.") is not None


def test_a_refused_verdict_leaves_the_claim(bob: User, one: UUID) -> None:
    """Whoever was refused still holds the decision, for as long as at first."""
    claims.take(bob, PROJECT, one)
    with claims.judging(bob, PROJECT, one):
        pass
    assert Claim.objects.get().state == ClaimState.HELD
    assert claims.holders(PROJECT, [one])[one].user_id == bob.pk


def test_a_lost_claim_judges_nothing(bob: User, alice: User, one: UUID) -> None:
    """The verdict is not begun, and names who has it now."""
    claims.take(bob, PROJECT, one)
    claims.take_over(alice, PROJECT, one, "Quick.")
    with pytest.raises(claims.Claimed) as caught, claims.judging(bob, PROJECT, one):
        pytest.fail("it was begun")
    assert caught.value.holder.name == "Alice"


def test_what_nobody_holds_may_be_judged(bob: User, alice: User, one: UUID) -> None:
    """Held while the verdict is written, and free again when it was refused."""
    with claims.judging(bob, PROJECT, one):
        assert claims.take(alice, PROJECT, one) is None
        assert claims.holders(PROJECT, [one])[one].judging
    assert claims.holders(PROJECT, [one]) == {}
    claims.take(bob, PROJECT, one)
    end(one)
    with claims.judging(bob, PROJECT, one):
        assert claims.take_over(alice, PROJECT, one, "Quick.") is None


def test_what_ended_a_day_ago_goes(bob: User, one: UUID) -> None:
    """And what is taken after that has a higher number all the same."""
    before = claims.take(bob, PROJECT, one)
    end(one)
    claims.sweep_claims()
    assert not Claim.objects.exists()
    after = claims.take(bob, PROJECT, one)
    assert before
    assert after
    assert before.fence < after.fence
