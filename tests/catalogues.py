"""What translators are asked for, and catalogues made on the spot from it.

`messages` reads templates and modules as `makemessages` does: only what is marked in a
way that its extraction knows counts.
"""

import ast
import re
import struct
from collections.abc import Iterator, Mapping
from gettext import GNUTranslations
from pathlib import Path
from typing import NamedTuple

import django
from django.utils.translation.template import templatize

__all__ = ["Message", "accented", "django_messages", "messages", "write_catalogue"]

ROOT = Path(__file__).parents[1]
PLURAL_FORMS = "nplurals=2; plural=(n != 1);"

Message = tuple[str, str, str]
"""A context, a sentence, and its plural; what a message lacks is empty."""


class _Marker(NamedTuple):
    """Where the arguments of a marking function stand."""

    context: int | None = None
    sentence: int = 0
    plural: int | None = None


_KINDS = {
    "gettext": _Marker(),
    "ngettext": _Marker(plural=1),
    "pgettext": _Marker(context=0, sentence=1),
    "npgettext": _Marker(context=0, sentence=1, plural=2),
}
_MARKERS = {
    f"{name}{ending}": marker
    for name, marker in _KINDS.items()
    for ending in ("", "_lazy", "_noop")
} | {"_": _Marker()}
_TEXT = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_CALL = re.compile(rf"\b(n?p?gettext|_)\(\s*(u?(?:{_TEXT})(?:\s*,\s*u?(?:{_TEXT}))*)")


def messages() -> set[Message]:
    """Everything that templates and modules of the console say through translation."""
    found: set[Message] = set()
    for path in (ROOT / "templates").rglob("*.*"):
        found.update(_of_template(path))
    for path in (ROOT / "reviewconsole").rglob("*.py"):
        found.update(_of_module(path))
    return found


def _of_template(path: Path) -> Iterator[Message]:
    for call in _CALL.finditer(templatize(path.read_text(), origin=path.name)):
        texts = ast.literal_eval(f"[{call[2]}]")
        marker = _MARKERS[call[1]]
        yield _message(marker, dict(enumerate(texts)))


def _of_module(path: Path) -> Iterator[Message]:
    calls = _Calls()
    calls.visit(ast.parse(path.read_text()))
    for name, node in calls.found:
        written = {
            place: argument.value
            for place, argument in enumerate(node.args)
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
        }
        marker = _MARKERS.get(name)
        if marker and marker.sentence in written:
            yield _message(marker, written)


class _Calls(ast.NodeVisitor):
    """Calls of functions by their name, but for those within an f-string: `xgettext` sees none."""

    def __init__(self) -> None:
        self.found: list[tuple[str, ast.Call]] = []

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name):
            self.found.append((node.func.id, node))
        self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pass


def _message(marker: _Marker, texts: Mapping[int, str]) -> Message:
    context = texts[marker.context] if marker.context is not None else ""
    plural = texts[marker.plural] if marker.plural is not None else ""
    return context, texts[marker.sentence], plural


class _Known(GNUTranslations):
    """A catalogue that tells what it knows."""

    def sentences(self) -> Iterator[str]:
        known: Mapping[str | tuple[str, int], str] = vars(self)["_catalog"]
        yield from {key if isinstance(key, str) else key[0] for key in known} - {""}


def django_messages() -> set[Message]:
    """What Django itself says and translates: months, errors of fields, its sign-in form."""
    found: set[Message] = set()
    for part in ("conf", "contrib/auth"):
        path = Path(django.__file__).parent / part / "locale/de/LC_MESSAGES/django.mo"
        with path.open("rb") as file:
            known = _Known(file)
        for sentence in known.sentences():
            context, _, text = sentence.rpartition("\x04")
            found |= {(context, text, ""), (context, text, text)}
    return found


_PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ACCENTED = "ÂƁĈĎÊƑĜĤÎĴĶĹṂŃÔṔɊŔŜŢÛṼŴẊŶŽâƀĉďêƒĝĥîĵķĺṃńôṕɋŕŝţûṽŵẋŷž"
_LETTERS = str.maketrans(_PLAIN, _ACCENTED)
_KEPT = re.compile(r"(%\(\w+\)[sd]|%[sd]|\{\w*\}|<[^>]*>|&\w+;)")


def accented(message: Message, text: str) -> str:
    """The text between brackets, each letter as another one; what is filled in stays."""
    if message[0] == "date format":
        return f"[{text}]"
    parts = _KEPT.split(text)
    return "[" + "".join(p if _KEPT.fullmatch(p) else p.translate(_LETTERS) for p in parts) + "]"


def write_catalogue(folder: Path, language: str, said: Mapping[Message, tuple[str, ...]]) -> None:
    """Compile a catalogue to where Django looks for it below `folder`, as `msgfmt` would."""
    header = f"Content-Type: text/plain; charset=UTF-8\nPlural-Forms: {PLURAL_FORMS}\n"
    entries = {b"": header.encode()}
    for (context, sentence, plural), forms in said.items():
        key = f"{context}\x04{sentence}" if context else sentence
        key = f"{key}\0{plural}" if plural else key
        entries[key.encode()] = "\0".join(forms).encode()
    ordered = sorted(entries.items())
    start = 28 + 16 * len(ordered)
    texts, places = b"", [list[int](), list[int]()]
    for column in (0, 1):
        for entry in ordered:
            places[column] += [len(entry[column]), start + len(texts)]
            texts += entry[column] + b"\0"
    head = (0x950412DE, 0, len(ordered), 28, 28 + 8 * len(ordered), 0, 0)
    numbers = [*head, *places[0], *places[1]]
    path = folder / language / "LC_MESSAGES" / "django.mo"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack(f"<{len(numbers)}I", *numbers) + texts)
