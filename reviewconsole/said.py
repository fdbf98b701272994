"""Tables of words that are looked up in the reader's language."""

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext

__all__ = ["Said"]


class Said[Key](Mapping[Key, str]):
    """Words by key: written in English, marked for translators, found in the reader's language.

    What is found is a plain string, so it may be joined, compared and sent as any other.
    """

    def __init__(self, english: Mapping[Key, str]) -> None:
        self._english = english

    def __getitem__(self, key: Key) -> str:
        return gettext(self._english[key])

    def __iter__(self) -> Iterator[Key]:
        return iter(self._english)

    def __len__(self) -> int:
        return len(self._english)
