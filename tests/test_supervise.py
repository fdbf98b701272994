"""The supervisor keeps its services running, ends them in order, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import is_alive, wait_until

NAMES = ("graph", "worker", "web")


class Supervised:
    """A supervisor in a process of its own, with three services."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        program = Path(__file__).with_name("supervised.py")
        self.process = subprocess.Popen(
            [sys.executable, program, folder], stdout=subprocess.PIPE, text=True
        )
        self.said = ""
        self.wait_for("all up")

    def wait_for(self, words: str) -> None:
        """Read what the supervisor says until it says this."""
        assert self.process.stdout
        for line in self.process.stdout:
            self.said += line
            if words in line:
                return
        raise AssertionError(f"the supervisor ended without saying {words!r}: {self.said}")

    def pids(self) -> list[int]:
        """Every process of every service, children included."""
        files = [self.folder / f"{name}.pids" for name in NAMES]
        return [int(pid) for file in files for pid in file.read_text().split()]

    def end(self) -> str:
        """Wait for the end; returns all that was said."""
        assert self.process.stdout
        if not self.process.stdout.closed:
            self.said += self.process.stdout.read()
            self.process.stdout.close()
        self.process.wait()
        return self.said


@pytest.fixture
def supervised(tmp_path: Path) -> Iterator[Supervised]:
    """Three running services; after the test none of their processes may be left."""
    started = Supervised(tmp_path)
    yield started
    if started.process.poll() is None:
        started.process.kill()
    started.end()
    wait_until(lambda: not any(is_alive(pid) for pid in started.pids()), what="the services' end")


def test_stop_is_in_reverse_order_and_complete(supervised: Supervised) -> None:
    """Web stops before the worker, and both before the graph they need."""
    pids = supervised.pids()
    supervised.process.send_signal(signal.SIGINT)
    said = supervised.end()
    assert supervised.process.returncode == 0
    assert (supervised.folder / "stopped").read_text().split() == ["web", "worker", "graph"]
    assert said.endswith("Everything is stopped.\n")
    assert not any(is_alive(pid) for pid in pids)


@pytest.mark.parametrize("name", NAMES)
def test_a_killed_service_is_said_and_started_again(supervised: Supervised, name: str) -> None:
    """One service dies with its children and comes back; the others never notice."""
    file = supervised.folder / f"{name}.pids"
    others = [pid for pid in supervised.pids() if str(pid) not in file.read_text().split()]
    killed = [int(pid) for pid in file.read_text().split()]
    file.unlink()
    os.kill(killed[0], signal.SIGKILL)
    supervised.wait_for(f"! {name} ended with")
    supervised.wait_for(f"{name} is back")
    assert not any(is_alive(pid) for pid in killed)
    assert all(is_alive(pid) for pid in others)


def test_killing_the_supervisor_ends_its_services(supervised: Supervised) -> None:
    """Even ``kill -9`` of the supervisor leaves no process of any service."""
    supervised.process.kill()
    supervised.end()
    wait_until(
        lambda: not any(is_alive(pid) for pid in supervised.pids()), what="the services' end"
    )
    assert sorted((supervised.folder / "stopped").read_text().split()) == sorted(NAMES)
