"""Readings are reckoned, so they must come out alike every time."""

import json

from reviewconsole.demo.telemetry import logger_export, polls


def test_polls_add_up_the_warm_minutes_and_repeat_themselves() -> None:
    """A load that goes on after a stop records equal events."""

    def answers() -> list[tuple[str, str]]:
        return polls(
            "TCL-1",
            origin="HAM",
            destination="GDN",
            start="23:50",
            minutes=60,
            every=15,
            seed=1,
            warm=[(30, 9), (45, 4)],
        )

    told = [json.loads(answer) for _, answer in answers()]
    assert [reading["minutes_above_8"] for reading in told] == [0, 0, 9, 13, 13]
    assert [reading["at"] for reading in told] == ["23:50", "00:05", "00:20", "00:35", "00:50"]
    assert told[2]["warmest"] > 8
    assert answers() == answers()


def test_the_export_has_a_line_for_each_reading() -> None:
    """One head line, then devices times readings."""
    assert len(logger_export(devices=2, count=3, seed=1).splitlines()) == 7
