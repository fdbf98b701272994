"""Every public method refuses what is of another type before it asks the graph: here there is none."""

from typing import Any, cast

import pytest

from graphstore.store import GraphStore
from tests.contract.bad_input import (
    CALLS,
    CLASSES,
    HERE,
    LONG,
    NOWHERE,
    UNHELD,
    WRONG,
    bound,
    hints,
    methods,
)
from tests.contract.world import Work
from tests.servers import RawGraph

NOBODY = cast("GraphStore", object())
"""What asks it anything fails with another exception than the ones expected here."""
NOWHERE_TO_ASK = Work(NOBODY, cast("RawGraph", object()), HERE.project)
RIGHT = {
    "None": ("None",),
    "true": ("bool",),
    "number": ("int",),
    "text": ("str", "Ground"),
    "texts": ("Sequence[str]",),
}
"""The types for which one of the wrong values is a right one; a text may be a ground."""


def _takes(hint: Any, name: str) -> bool:
    said = hint.__name__ if isinstance(hint, type) else str(hint)
    return any(one.endswith(RIGHT.get(name, ("-",))) for one in said.split(" | "))


@pytest.mark.parametrize("method", list(methods()))
def test_a_value_of_another_type_is_the_callers_mistake(method: str) -> None:
    """Each argument says what it takes; for anything else the graph is not even asked."""
    call = bound(NOWHERE_TO_ASK, method)
    for argument, hint in hints(method).items():
        for name, value in WRONG.items():
            if _takes(hint, name):
                continue
            with pytest.raises(TypeError, match=f": {argument} ") as raised:
                call(**CALLS[method](HERE) | {argument: value})
            assert len(str(raised.value)) < 200


@pytest.mark.parametrize("kind", list(CLASSES.values()))
def test_the_classes_are_made_of_the_right_types(kind: type) -> None:
    """The constructor checks as the methods do."""
    good = {"store": NOBODY, "project_id": "p", "agent_id": "a", "actor": None}
    for argument, taken in (("project_id", "text"), ("agent_id", "text"), ("actor", "None")):
        for name, value in WRONG.items():
            if name != taken:
                with pytest.raises(TypeError, match=f": {argument} "):
                    kind(**good | {argument: value})
    for nothing_like_it in (None, "p", 7, {}):
        with pytest.raises(TypeError, match=": store "):
            kind(**good | {"store": nothing_like_it})


@pytest.mark.parametrize("method", list(methods()))
def test_a_word_that_an_enumeration_lacks_is_the_callers_mistake(method: str) -> None:
    """The message names the words that there are, never the one that came, and nothing is asked."""
    words = NOWHERE | LONG | UNHELD
    for argument, hint in hints(method).items():
        if not any(word in str(hint) for word in ("Kind", "State", "Basis", "Ground")):
            continue
        for value in words.values():
            with pytest.raises(ValueError, match=f"{argument} is none of"):
                bound(NOWHERE_TO_ASK, method)(**CALLS[method](HERE) | {argument: value})
