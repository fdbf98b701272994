"""How a fetched passage names its source: a Markdown link that hostile titles cannot break out of.

The form is the reference library's, since both sides digest fetched evidence.
"""

import html
import re
import unicodedata
from urllib.parse import quote, urlsplit

__all__ = ["citation_markdown", "public_uri"]

_SPECIAL = re.compile(r"([\\`*_{\[\]}()!|#])")


def public_uri(uri: str | None) -> str | None:
    """The address when it may be shown: absolute http(s), without credentials or control characters."""
    if not uri or any(unicodedata.category(c).startswith("C") for c in uri):
        return None
    try:
        parts = urlsplit(uri)
        _ = parts.port
    except ValueError:
        return None
    usable = parts.scheme in ("http", "https") and bool(parts.hostname)
    credentials = parts.username is not None or parts.password is not None
    odd = "\\" in parts.netloc or any(c.isspace() for c in parts.netloc)
    return uri if usable and not credentials and not odd else None


def citation_markdown(title: str, uri: str | None, *, current: bool) -> str:
    """The source as Markdown, its title escaped, linked when it has a public address."""
    label = title if current else f"{title}, superseded version"
    plain = "".join(" " if unicodedata.category(c).startswith("C") else c for c in label)
    escaped = html.escape(_SPECIAL.sub(r"\\\1", " ".join(plain.split())))
    if uri is None:
        return escaped
    return f"[{escaped}]({quote(uri, safe=':/?#@!$&*+,;=%~.-_')})"
