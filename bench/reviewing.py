"""A queue of 300 flags worked through by a scripted reviewer in a real browser, and what it took.

    python -m bench.reviewing [--engine embedded|neo4j] [--few] [--write]

A web server, a worker and a graph run as they do for people. Afterwards the record is read
again: everything was judged once. Exits with 1 when something was not reached. `--few` takes
a handbook of a few rules instead of 300; `--write` puts the tables into `docs/reviewing.md`.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PROJECT = "pumps"
REVIEWER = "bob"
PAUSES = 10


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--engine", choices=("embedded", "neo4j"), default="embedded")
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    with tempfile.TemporaryDirectory(prefix="reviewing") as folder:
        os.environ["RC_VAR"] = folder
        import django

        django.setup()
        return _run(Path(folder), chosen)


def _run(folder: Path, chosen: Any) -> int:
    # Django's models may be imported only now.
    from bench import handbook, reviewing_report
    from bench.operations import graphs_of
    from bench.reviewed import misses

    numbers = handbook.FEW if chosen.few else handbook.EXPECTED
    with graphs_of(chosen.engine, folder / "graph") as graphs, graphs.empty_graph() as raw:
        run = _reviewed(chosen.engine, folder, raw.settings.environ(), numbers)
    print(reviewing_report.text(run))
    missed = misses(run)
    for what in missed:
        print(f"not reached: {what}")
    if chosen.write:
        reviewing_report.write(run)
    return 1 if missed else 0


def _reviewed(
    engine: str, folder: Path, graph: Mapping[str, str], numbers: Mapping[Any, int]
) -> Any:
    from playwright.sync_api import sync_playwright

    from bench import handbook
    from bench.reviewed import Run, read_back, work_through
    from graphstore import Settings, connect
    from reviewconsole.models import Role
    from tests.browser.chromium import launch_args
    from tests.browser.console import Console, make_template
    from tests.browser.windows import Windows

    store = connect(Settings.from_env({**graph, "LEDGER_KEY": os.environ["LEDGER_KEY"]}))
    store.setup_schema()
    start = time.monotonic()
    rules = handbook.fill(store, PROJECT, numbers)
    print(f"{engine}: {len(rules)} flags in {time.monotonic() - start:.0f} s", flush=True)
    timed = {**graph, "RC_SERVER_TIMING": "1"}
    console = Console(folder / "console", timed, make_template(folder / "template"))
    console.grant(REVIEWER, PROJECT, Role.REVIEWER)
    console.start()
    try:
        console.start_worker()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(**launch_args())
            windows = Windows(browser, console)
            reviewer = work_through(windows.open(REVIEWER), PROJECT, PAUSES)
            windows.close()
            browser.close()
    finally:
        console.stop_worker()
        console.stop()
    run = Run(engine, rules, reviewer, read_back(store, PROJECT, rules))
    store.close()
    return run


if __name__ == "__main__":
    sys.exit(main())
