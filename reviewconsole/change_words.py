"""Changes of a passage in the reader's language."""

from django.utils.translation import gettext, gettext_noop

from graphstore.changed_words import Sentence

__all__ = ["SAID", "change_words"]

SAID = frozenset(
    {
        gettext_noop("date %(old)s became %(new)s"),
        gettext_noop("date %(old)s is gone"),
        gettext_noop("date %(new)s is new"),
        gettext_noop("number %(old)s became %(new)s"),
        gettext_noop("number %(old)s is gone"),
        gettext_noop("number %(new)s is new"),
        gettext_noop("unit ‘%(old)s’ became ‘%(new)s’"),
        gettext_noop("unit ‘%(old)s’ is gone"),
        gettext_noop("unit ‘%(new)s’ is new"),
        gettext_noop("‘%(old)s’ became ‘%(new)s’"),
        gettext_noop("‘%(old)s’ is gone"),
        gettext_noop("‘%(new)s’ is new"),
        gettext_noop("and %(rest)s more of this kind"),
        gettext_noop("nearby: %(change)s"),
        gettext_noop("the comparison stopped early, so more may have changed"),
    }
)
"""What `graphstore` says of changes, marked here for translators since it knows no language."""


def change_words(change: str) -> str:
    """A change as the reader's language says it; what somebody else wrote as it is."""
    if not isinstance(change, Sentence):
        return change
    parts = {
        name: change_words(part) if isinstance(part, str) else part
        for name, part in change.parts.items()
    }
    return gettext(change.pattern) % parts
