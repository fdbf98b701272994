"""What a person skipped in this session: not offered again until they sign in anew."""

from uuid import UUID

from django.http import HttpRequest

__all__ = ["note_skipped", "skipped_in", "unskip"]

_KEY = "skipped"
_MOST = 300


def skipped_in(request: HttpRequest, project_id: str) -> list[UUID]:
    """The decisions skipped in a project, oldest first."""
    return [
        UUID(hex=one) for project, one in request.session.get(_KEY, []) if project == project_id
    ]


def note_skipped(request: HttpRequest, project_id: str, decision_id: UUID) -> None:
    """Remember it; of very many the oldest come back."""
    kept = [one for one in request.session.get(_KEY, []) if one != [project_id, decision_id.hex]]
    request.session[_KEY] = [*kept, [project_id, decision_id.hex]][-_MOST:]


def unskip(request: HttpRequest, project_id: str) -> int:
    """Offer again what was skipped in a project; returns how many that were."""
    known = request.session.get(_KEY, [])
    kept = [one for one in known if one[0] != project_id]
    request.session[_KEY] = kept
    return len(known) - len(kept)
