"""Set-up finds what works, and says in one sentence what is missing."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import neo4j_server
import progress
from tests.servers import is_alive, wait_until

ROOT = Path(__file__).resolve().parent.parent


def program(path: Path, script: str) -> Path:
    """An executable shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def find_python(**environ: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs the search with nothing in the environment but this."""
    return subprocess.run(
        [ROOT / "bin" / "find-python"],
        env={name: str(value) for name, value in environ.items()},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_name_that_fails_when_run_is_passed_over(tmp_path: Path) -> None:
    """A shim on the PATH may stand for an interpreter that is not there."""
    program(tmp_path / "bin" / "python3.14", "exit 127")
    works = program(tmp_path / "bin" / "python3.13", f'exec {sys.executable} "$@"')
    found = find_python(PATH=tmp_path / "bin", HOME=tmp_path)
    assert (found.returncode, found.stdout) == (0, f"{works}\n")


def test_an_old_python_is_passed_over_for_one_that_pyenv_holds(tmp_path: Path) -> None:
    """The default `python3` is often older than the product needs."""
    program(tmp_path / "bin" / "python3", "exit 1")
    works = program(
        tmp_path / "pyenv" / "versions" / "3.13.0" / "bin" / "python", f'exec {sys.executable} "$@"'
    )
    found = find_python(PATH=tmp_path / "bin", HOME=tmp_path, PYENV_ROOT=tmp_path / "pyenv")
    assert (found.returncode, found.stdout) == (0, f"{works}\n")


def test_without_python_one_sentence_says_what_to_do(tmp_path: Path) -> None:
    """What is missing is named, with how to get it."""
    found = find_python(PATH=tmp_path, HOME=tmp_path)
    assert found.returncode == 1
    assert found.stderr.startswith("Python 3.12 or newer is needed and none was found: install it")
    assert found.stderr.count("\n") == 1


def test_without_java_one_sentence_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The sentence names the version that this Neo4j needs and the way around it."""
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(
        progress.Failed, match=r"^Java 17 or newer .* there is none: .* ENGINES=embedded"
    ):
        neo4j_server.require_java("5.26.12")


def test_an_older_java_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A newer Neo4j needs a newer Java, and the sentence says which one was found."""
    program(tmp_path / "bin" / "java", "echo 'openjdk version \"17.0.15\"' >&2")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(
        progress.Failed, match=r"^Java 21 or newer .* there is version \"17\.0\.15\""
    ):
        neo4j_server.require_java("2026.08.1")


def test_a_failing_step_shows_the_end_of_its_output(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The output of a long step is kept in a log and shown when it matters."""
    with pytest.raises(progress.Failed, match="trying: it ended with 3"):
        progress.run("trying", ["sh", "-c", "echo the cause; exit 3"], tmp_path / "try.log")
    assert "the cause" in capfd.readouterr().err


def test_a_leashed_command_dies_with_its_starter(tmp_path: Path) -> None:
    """Killing whoever started a server leaves neither the leash nor the server."""
    pids = tmp_path / "pids"
    server = f"echo $$ $PPID > {pids}.draft; mv {pids}.draft {pids}; exec sleep 600"
    start = "import subprocess as s, sys; s.Popen(sys.argv[1:], stdin=s.PIPE, start_new_session=1).wait()"
    starter = subprocess.Popen(
        [
            sys.executable,
            "-c",
            start,
            *(sys.executable, str(ROOT / "bin" / "leash.py"), "sh", "-c", server),
        ]
    )
    wait_until(pids.exists, what="the server's start")
    started = [int(pid) for pid in pids.read_text().split()]
    assert all(is_alive(pid) for pid in started)
    os.kill(starter.pid, signal.SIGKILL)
    starter.wait()
    wait_until(lambda: not any(is_alive(pid) for pid in started), what="the server's end")
