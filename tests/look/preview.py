"""Draws every page from invented records into a folder: `python -m tests.look.preview DIR`."""

import shutil
import sys
from pathlib import Path

from django.core.cache import cache
from django.template.loader import render_to_string

STATIC = Path(__file__).parents[2] / "static"


def draw(target: Path) -> list[str]:
    """Write each sample page as `<name>.html` beside the static files; returns the names."""
    from tests.look.pages import all_pages
    from tests.look.samples import PERSON

    cache.set(f"who:{PERSON}", "Ewa Mazur")
    target.mkdir(parents=True, exist_ok=True)
    shutil.copytree(STATIC, target / "static", dirs_exist_ok=True)
    pages = all_pages()
    for name, page in pages.items():
        html = render_to_string(page.template, page.context)
        (target / f"{name}.html").write_text(html)
    return list(pages)


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    print("\n".join(draw(Path(sys.argv[1]))))
