"""How a source is named is part of a request's digest, so it must be the library's to the letter."""

from agrag.common.data_models.evidence import FetchOutcome, FetchStatus, VersionStatus
from hypothesis import example, given
from hypothesis import strategies as st

from graphstore.citation import citation_markdown, public_uri

TITLES = st.text(max_size=60).filter(str.strip)
URIS = (
    st.none()
    | st.text(max_size=40)
    | st.builds(
        "{}://{}/{}".format,
        st.sampled_from(["http", "HTTPS", "ftp", "file"]),
        st.sampled_from(
            ["example.org", "user:secret@example.org", "a b", "[::1]:80", "x:port", ""]
        ),
        st.text(max_size=30),
    )
)


@given(title=TITLES, uri=URIS, current=st.booleans())
@example(
    title="Carrier [v1] & (co) *new* <b>", uri="https://example.org/a b?q=ü&x=(1)", current=True
)
@example(title="line\nbreak\t#1", uri="https://user@example.org/", current=False)
@example(title="a|b!{c}_d`e\\f", uri="https://example.org\\@evil.example", current=True)
def test_titles_and_addresses_are_quoted_alike(
    title: str, uri: str | None, *, current: bool
) -> None:
    """Whatever the title and address hold, both sides write the same reference."""
    their = FetchOutcome(
        evidence_id="-",
        status=FetchStatus.OK,
        title=title,
        uri=uri,
        status_of_version=VersionStatus.CURRENT if current else VersionStatus.SUPERSEDED,
    )
    assert public_uri(uri) == their.uri
    assert citation_markdown(title, public_uri(uri), current=current) == their.citation_markdown
