"""Start services in order, keep them running, stop them in reverse order.

Each service leads a session of its own, so that Ctrl-C in a terminal reaches the
supervisor alone and the order holds. A service that dies is said and started
again, later each time; one that keeps dying stops everything. When the
supervisor itself is killed, each service is ended by its leash.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn, Self

import progress

POLL_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 30.0
STEADY_SECONDS = 60.0
"""A service that ran this long is taken for sound: its next death starts a new count."""

DEATHS_IN_A_ROW = 6


class StopAsked(Exception):
    """A person or the system asked to stop; not a fault."""


@dataclass(frozen=True)
class Service:
    """One process to keep running.

    ``healthy`` answers whether it does its work; it may be asked many times a
    second. ``stop_seconds`` bounds a polite stop.
    """

    name: str
    command: Sequence[str | os.PathLike[str]]
    environ: Mapping[str, str]
    log: Path
    healthy: Callable[[], bool]
    start_seconds: float = 60.0
    stop_seconds: float = 15.0


class Running:
    """A service that was started, and when it may be started again."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.deaths = 0
        self.is_back = True
        self.retry_at: float | None = None
        self.start()

    def start(self) -> None:
        """Start the process; its output goes to the service's log."""
        self.service.log.parent.mkdir(parents=True, exist_ok=True)
        self.started_at = time.monotonic()
        self.retry_at = None
        with self.service.log.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, Path(__file__).with_name("leash.py"), *self.service.command],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                env=dict(self.service.environ),
                start_new_session=True,
            )

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def clear(self) -> None:
        """End whatever the dead process left in its process group."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return

    def stop(self, *, hurry: bool) -> None:
        """Stop politely within ``stop_seconds``, then by force; afterwards nothing is left."""
        if self.is_alive():
            self.process.terminate()
            try:
                self.process.wait(0.5 if hurry else self.service.stop_seconds)
            except subprocess.TimeoutExpired:
                progress.say(f"  {self.service.name} did not stop in time and was killed")
        self.clear()
        self.process.wait()


class Supervisor:
    """Services in the order of their start. Use as a context: leaving it stops them all."""

    def __init__(self) -> None:
        self._running: list[Running] = []
        self._signals = 0

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        return self

    def __exit__(self, *_fault: object) -> None:
        for running in reversed(self._running):
            progress.say(f"· stopping {running.service.name}")
            # A second Ctrl-C means: do not be polite.
            running.stop(hurry=self._signals > 1)
        progress.say("Everything is stopped.")

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._signals += 1

    def check(self) -> None:
        """Raises StopAsked once a signal has asked to stop."""
        if self._signals:
            raise StopAsked

    def start(self, service: Service) -> None:
        """Start a service and wait until it is healthy.

        Raises progress.Failed when it ends or stays unhealthy, StopAsked on a signal.
        """
        progress.say(f"· starting {service.name}")
        running = Running(service)
        self._running.append(running)
        next_sign = progress.FIRST_SIGN_SECONDS
        while not service.healthy():
            self.check()
            spent = time.monotonic() - running.started_at
            if not running.is_alive():
                raise progress.Failed(
                    f"{service.name} ended while starting{_last_words(service.log)}"
                )
            if spent > service.start_seconds:
                raise progress.Failed(
                    f"{service.name} is not ready after {spent:.0f} s; see {service.log}"
                )
            if spent > next_sign:
                next_sign = spent + progress.SIGN_SECONDS
                progress.say(f"  … {spent:.0f} s")
            time.sleep(POLL_SECONDS)

    def run_once(
        self,
        label: str,
        command: Sequence[str | os.PathLike[str]],
        environ: Mapping[str, str],
        *,
        quiet: bool = False,
    ) -> None:
        """Run a command to its end, its output in the terminal unless ``quiet``, its errors always.

        Raises progress.Failed when it fails, StopAsked (after ending it) on a signal.
        """
        if label:
            progress.say(f"· {label}")
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if quiet else None,
            env=dict(environ),
            start_new_session=True,
        )
        began, next_sign = time.monotonic(), progress.FIRST_SIGN_SECONDS
        while process.poll() is None:
            try:
                process.wait(POLL_SECONDS)
            except subprocess.TimeoutExpired:
                spent = time.monotonic() - began
                if quiet and spent > next_sign:
                    next_sign = spent + progress.SIGN_SECONDS
                    progress.say(f"  … {spent:.0f} s")
                if self._signals:
                    process.terminate()
                    process.wait()
        self.check()
        if process.returncode:
            raise progress.Failed(
                f"{label or command[-1]}: it ended with {process.returncode}, as said above."
            )

    def watch(self) -> NoReturn:
        """Keep the services running until a signal asks to stop.

        Raises StopAsked then, or progress.Failed when a service keeps dying.
        """
        while True:
            self.check()
            for running in self._running:
                self._look_after(running)
            time.sleep(POLL_SECONDS)

    def _look_after(self, running: Running) -> None:
        now = time.monotonic()
        if running.retry_at is not None:
            if now >= running.retry_at:
                running.start()
            return
        if running.is_alive():
            if not running.is_back and running.service.healthy():
                running.is_back = True
                progress.say(f"  {running.service.name} is back")
            return
        running.clear()
        running.is_back = False
        service = running.service
        running.deaths = 1 if now - running.started_at > STEADY_SECONDS else running.deaths + 1
        if running.deaths >= DEATHS_IN_A_ROW:
            raise progress.Failed(f"{service.name} keeps ending{_last_words(service.log)}")
        pause = min(2.0 ** (running.deaths - 1), LONGEST_PAUSE_SECONDS)
        progress.say(
            f"! {service.name} ended with {running.process.returncode};"
            f" starting it again in {pause:.0f} s (its log: {service.log})"
        )
        running.retry_at = now + pause


def _last_words(log: Path) -> str:
    """The end of a log as part of a sentence."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
    return (
        f": {lines[-1].strip()} (the whole log: {log})" if lines else f"; its log {log} is empty."
    )
