"""What a person judged last in this session, so that one key leads to taking it back."""

from django.http import HttpRequest

from reviewconsole.addresses import withdraw_url

__all__ = ["forget_verdict", "note_last_verdict", "undo_url"]

_KEY = "last_verdict"


def note_last_verdict(request: HttpRequest, project_id: str, verdict_id: str | None) -> None:
    """Remember the newest one only: an undo is of what one has just done."""
    if verdict_id is not None:
        request.session[_KEY] = [project_id, verdict_id]


def forget_verdict(request: HttpRequest, verdict_id: str) -> None:
    """It was taken back, or can no longer be."""
    known = request.session.get(_KEY)
    if known and known[1] == verdict_id:
        del request.session[_KEY]


def undo_url(request: HttpRequest, project_id: str) -> str | None:
    """Where the last verdict of this session in the project is taken back."""
    known = request.session.get(_KEY)
    return withdraw_url(project_id, known[1]) if known and known[0] == project_id else None
