"""What a tool call or its result says, read from a payload that anybody may have written.

Agents record a call as JSON `{tool_call_id, arguments}` and its result as
`{tool_call_id, content}`. Nothing else is believed of a payload: whatever is not
exactly so is shown as it was recorded.
"""

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from graphstore.records import Event, EventKind

__all__ = ["Said", "readable", "said"]

LONGEST_ID = 200
ONE_LINE = 240
"""JSON of so many characters is quicker read in a paragraph than over ten lines."""
CUT_AT = 32_000
"""A payload is cut to so many characters when it is recorded."""
_SHAPES = {EventKind.TOOL_CALL: "arguments", EventKind.TOOL_RESULT: "content"}
_ID_OF_CUT = re.compile(r'\s*\{\s*"tool_call_id"\s*:\s*"([^"\\]{1,200})"\s*,')
"""Where the id of a call stands in a payload that was cut, and so is JSON no more."""


@dataclass(frozen=True)
class Said:
    """The text to show of an event, and the call that it belongs to, if it names one."""

    text: str
    call_id: str | None = None


def said(event: Event) -> Said:
    """What `event` says. A redacted one says nothing, and belongs to no call."""
    if event.redacted_at:
        return Said("")
    part = _SHAPES.get(event.kind)
    return _of_tool(event.payload, part) if part else Said(event.payload)


def readable(event: Event) -> str:
    """The text to show of an event."""
    return said(event).text


def _of_tool(payload: str, part: str) -> Said:
    try:
        parsed = _parsed(payload)
    except (ValueError, RecursionError):
        cut = _ID_OF_CUT.match(payload)
        return Said(payload, cut[1] if cut else None)
    if not isinstance(parsed, dict):
        return Said(payload)
    call_id = parsed.get("tool_call_id")
    if not isinstance(call_id, str) or not 0 < len(call_id) <= LONGEST_ID:
        return Said(_indented(parsed, payload))
    only = parsed.keys() == {"tool_call_id", part}
    return Said(_indented(parsed[part] if only else parsed, payload), call_id)


def _parsed(payload: str) -> Any:
    """The JSON that a payload holds, also when it was cut inside of its last text.

    Raises `ValueError` for everything else.
    """
    try:
        return json.loads(payload)
    except ValueError:
        if len(payload) < CUT_AT:
            raise
    # The cut may have gone through an escape of up to six characters.
    for spare in range(7):
        with suppress(ValueError):
            return json.loads(f'{payload[: len(payload) - spare]}"}}')
    raise ValueError("cut elsewhere")


def _indented(value: Any, payload: str) -> str:
    """A text as it is; anything else as JSON on several lines, unless that grows too long."""
    if isinstance(value, str):
        return _encodable(value)
    try:
        text = json.dumps(value, ensure_ascii=False, indent=2)
    except RecursionError:
        return payload
    short = json.dumps(value, ensure_ascii=False)
    if len(short) <= ONE_LINE:
        return _encodable(short)
    return _encodable(text) if len(text) <= 3 * len(payload) + 1_000 else payload


def _encodable(text: str) -> str:
    """Without half characters, which JSON can write and no page can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
