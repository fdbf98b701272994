"""A Neo4j Community server of our own: brought from Maven, started, stopped.

Used by the tests (a fresh server that dies with the test run) and by
``make demo GRAPH=neo4j`` (a server whose data stays in ``var/``). The standard
library is enough for it.

    neo4j_server.py jars            bring the server's jars, once per version
    neo4j_server.py run HOME PORT   run a server over HOME in the foreground
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import progress

DEFAULT_VERSION = "5.26.12"
"""The long-term release that the product is tested on; ``NEO4J_VERSION`` chooses another."""

CACHE = Path(__file__).resolve().parent.parent / "var" / "neo4j"
START_SECONDS = 120.0
STOP_SECONDS = 40.0
USERNAME = "neo4j"
DATABASE = "neo4j"

_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>review-console</groupId><artifactId>neo4j-server</artifactId><version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.neo4j.app</groupId><artifactId>neo4j-server</artifactId><version>{version}</version></dependency>
    <dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>{version}</version></dependency>
  </dependencies>
</project>
"""

_CONF = """server.bolt.listen_address=127.0.0.1:{port}
server.http.enabled=false
server.https.enabled=false
server.memory.heap.max_size={heap}
server.memory.pagecache.size={pages}
dbms.usage_report.enabled=false
"""


def wanted_version() -> str:
    """The version that ``NEO4J_VERSION`` names, else the default."""
    return os.environ.get("NEO4J_VERSION") or DEFAULT_VERSION


def _heap() -> str:
    return os.environ.get("NEO4J_HEAP") or "512m"


def _pages() -> str:
    """The page cache, which a larger heap is given as much memory for."""
    return os.environ.get("NEO4J_HEAP") or "128m"


def bring_jars(version: str) -> Path:
    """Returns the folder with the server's jars, fetched through Maven when it is not there yet.

    Raises progress.Failed when Java or Maven is missing or too old, or when
    Maven cannot fetch the server.
    """
    require_java(version)
    folder = CACHE / version
    jars = folder / "lib"
    if jars.is_dir():
        return jars
    maven = shutil.which("mvn")
    if maven is None:
        raise progress.Failed(
            "Maven (mvn) is needed to bring Neo4j: install it (Debian: apt-get install maven;"
            " macOS: brew install maven), or leave Neo4j out with ENGINES=embedded."
        )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pom.xml").write_text(_POM.format(version=version), encoding="utf-8")
    # Into a folder of another name first, so that an interrupted copy is never taken for a whole one.
    partial = folder / "lib.partial"
    shutil.rmtree(partial, ignore_errors=True)
    progress.run(
        f"bringing Neo4j {version} through Maven (115 MB, one to two minutes the first time)",
        [
            *(maven, "-q", "-B", "-f", folder / "pom.xml", "dependency:copy-dependencies"),
            *(f"-DoutputDirectory={partial}", "-DincludeScope=runtime"),
        ],
        folder / "maven.log",
    )
    partial.rename(jars)
    return jars


def require_java(version: str) -> tuple[str, int]:
    """Returns a java command that this Neo4j runs on, and its major version.

    ``JAVA_HOME`` alone when it is set, else the one on the PATH or any that is
    installed beside it. Raises progress.Failed when none will do.
    """
    needed = 17 if version.startswith(("4.", "5.")) else 21
    home = os.environ.get("JAVA_HOME")
    installed = map(os.fspath, sorted(Path("/usr/lib/jvm").glob("*/bin/java")))
    found: list[str] = []
    for java in [os.fspath(Path(home, "bin", "java"))] if home else ["java", *installed]:
        try:
            run = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
        except OSError:
            continue
        said = re.search(r'version "(\d+)[^"]*"', run.stderr)
        if said is not None and int(said[1]) >= needed:
            return java, int(said[1])
        found.append(said[0] if said is not None else f"{java}, which does not run")
    raise progress.Failed(
        f"Java {needed} or newer is needed for Neo4j {version} and there is {found[0] if found else 'none'}:"
        f" install it (Debian: apt-get install openjdk-{needed}-jre-headless; macOS: brew install openjdk),"
        " or name one with JAVA_HOME, or leave Neo4j out with ENGINES=embedded."
    )


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def prepare(home: Path, port: int, version: str, more: str = "") -> str:
    """Write the configuration of the server in ``home`` and, once, its initial password, which is returned.

    ``more`` are further lines of the configuration.
    The password is kept in ``home/password``, readable by its owner only.
    """
    jars = bring_jars(version)
    java, _ = require_java(version)
    (home / "conf").mkdir(parents=True, exist_ok=True)
    for name in ("data", "logs"):
        (home / name).mkdir(exist_ok=True)
    conf = _CONF.format(port=port, heap=_heap(), pages=_pages())
    (home / "conf" / "neo4j.conf").write_text(conf + more, encoding="utf-8")
    kept = home / "password"
    if kept.exists():
        return kept.read_text(encoding="ascii")
    password = secrets.token_urlsafe(18)
    progress.run(
        "setting Neo4j's password",
        [
            java,
            "-cp",
            f"{jars}/*",
            "org.neo4j.cli.AdminTool",
            "dbms",
            "set-initial-password",
            password,
        ],
        home / "logs" / "set-password.log",
        environ=os.environ
        | {"NEO4J_HOME": os.fspath(home), "NEO4J_CONF": os.fspath(home / "conf")},
    )
    kept.touch(mode=0o600)
    kept.write_text(password, encoding="ascii")
    return password


def command(home: Path, version: str) -> list[str]:
    """The command that runs the server in ``home`` in the foreground, all paths absolute.

    ``NEO4J_HEAP`` (as ``2g``) gives it more memory than its half gigabyte, for a large graph.
    """
    java, java_version = require_java(version)
    old = version.startswith(("4.", "5."))
    vector = [] if old or java_version < 25 else ["--add-modules", "jdk.incubator.vector"]
    opens = [
        f"--add-opens=java.base/{package}=ALL-UNNAMED"
        for package in ("java.nio", "java.io", "sun.nio.ch")
    ]
    entry = "CommunityEntryPoint" if old else "Neo4jCommunity"
    return [
        *(java, "-Xms256m", f"-Xmx{_heap()}", "-XX:+UseG1GC", *opens, *vector),
        *("-cp", f"{bring_jars(version)}/*", f"org.neo4j.server.{entry}"),
        *(f"--home-dir={home}", f"--config-dir={home / 'conf'}"),
    ]


def speaks_bolt(port: int) -> bool:
    """Whether a server on ``port`` completes Bolt's version handshake."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
            connection.settimeout(2)
            connection.sendall(bytes.fromhex("6060b017 00000405 00000404 00000305 00000004"))
            return len(connection.recv(4)) == 4
    except OSError:
        return False


class Server:
    """A running Neo4j that dies with this process."""

    def __init__(
        self, home: Path, version: str | None = None, more: str = "", port: int | None = None
    ) -> None:
        """Start a server over ``home`` on ``port``, by default a free one, and wait until it answers.

        ``more`` are further lines of its configuration.

        Raises progress.Failed when it does not come up within ``START_SECONDS``.
        """
        version = version or wanted_version()
        home = home.absolute()
        self.port = port or free_port()
        self.uri = f"bolt://127.0.0.1:{self.port}"
        self.username, self.database = USERNAME, DATABASE
        self.password = prepare(home, self.port, version, more)
        log = home / "logs" / "console.log"
        with log.open("ab") as output:
            self._leash = subprocess.Popen(
                [sys.executable, Path(__file__).with_name("leash.py"), *command(home, version)],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        try:
            self._wait(version, log)
        except BaseException:
            self.stop()
            raise

    def _wait(self, version: str, log: Path) -> None:
        progress.say(f"· starting Neo4j {version} (some ten seconds)")
        began = time.monotonic()
        next_sign = progress.FIRST_SIGN_SECONDS
        while not speaks_bolt(self.port):
            spent = time.monotonic() - began
            if self._leash.poll() is not None:
                raise progress.Failed(f"Neo4j {version} ended while starting; see {log}")
            if spent > START_SECONDS:
                raise progress.Failed(
                    f"Neo4j {version} does not answer after {spent:.0f} s; see {log}"
                )
            if spent >= next_sign:
                next_sign = spent + progress.SIGN_SECONDS
                progress.say(f"  … {spent:.0f} s")
            time.sleep(0.1)

    def stop(self, *, at_once: bool = False) -> None:
        """Stop the server and wait until it is gone. Stopping twice is harmless.

        A shutdown in order takes some ten seconds; ``at_once`` is for data that nobody will read again.
        """
        if self._leash.stdin is not None and not self._leash.stdin.closed:
            if at_once:
                self._leash.stdin.write(b"!")
            # The pipe is broken when the server has ended already.
            with contextlib.suppress(BrokenPipeError):
                self._leash.stdin.close()
        try:
            self._leash.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._leash.kill()
            self._leash.wait()


def main(arguments: Sequence[str]) -> int:
    """Carry out one of the two commands in the module's docstring."""
    version = wanted_version()
    try:
        match arguments:
            case ["jars"]:
                bring_jars(version)
            case ["run", home, port]:
                where = Path(home).absolute()
                prepare(where, int(port), version)
                words = command(where, version)
                os.execvp(words[0], words)
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except progress.Failed as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
