"""Readings of the demo's loggers, reckoned from a few numbers instead of kept as files.

The same numbers give the same readings on every machine, so that a load that was
interrupted goes on with equal events.
"""

import json
from random import Random

__all__ = ["logger_export", "polls"]


def _clock(start: str, minutes: int) -> str:
    hour, minute = map(int, start.split(":"))
    total = (hour * 60 + minute + minutes) % (24 * 60)
    return f"{total // 60:02d}:{total % 60:02d}"


def polls(
    consignment: str,
    *,
    origin: str,
    destination: str,
    start: str,
    minutes: int,
    every: int,
    seed: int,
    warm: list[tuple[int, int]],
) -> list[tuple[str, str]]:
    """Questions and answers about one consignment on the way, as pairs of JSON.

    `warm` says at which minute of the journey how many minutes above 8 °C are added.
    """
    draw = Random(seed)  # noqa: S311 - readings of a demo, no secret
    used = 0
    answers: list[tuple[str, str]] = []
    for minute in range(0, minutes + 1, every):
        added = sum(length for at, length in warm if minute - every < at <= minute)
        used += added
        warmest = 8.0 + 0.2 * added if added else 4.6 + draw.random() * 1.6
        asked = {"consignment": consignment, "fields": ["position", "warmest", "budget"]}
        told = {
            "at": _clock(start, minute),
            "position": f"{origin} → {destination}, {round(100 * minute / minutes)} % driven",
            "warmest": round(warmest, 1),
            "coldest": round(3.1 + draw.random() * 0.9, 1),
            "minutes_above_8": used,
            "battery": 96 - minute // 45,
        }
        answers.append((_json(asked), _json(told)))
    return answers


def logger_export(*, devices: int, count: int, seed: int) -> str:
    """A long table of readings, one line each, five minutes apart."""
    draw = Random(seed)  # noqa: S311 - readings of a demo, no secret
    lines = ["device;at;external_c;internal_c;battery_percent;received_at"]
    for device in range(devices):
        serial = f"T3L-6{1500 + 37 * device:04d}"
        for number in range(count):
            at = _clock("00:00", 5 * number)
            late = "02:10" <= at <= "03:35"
            external = 4.4 + draw.random() * 1.5
            lines.append(
                f"{serial};14 May {at};{external:.2f};{external + draw.random() * 0.4:.2f};"
                f"{91 - number // 6};14 May {'03:37' if late else at}"
            )
    return "\n".join(lines)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
