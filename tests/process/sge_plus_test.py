#!/usr/bin/env python3
"""What share/init/sge_plus, the script that starts and stops the scheduler at boot, calls and says: with commands in its way that write down how they
were called (plus.md P1.13, P3.10)."""
import os
import pathlib
import subprocess
import sys
import tempfile

script = pathlib.Path(__file__).resolve().parents[2] / "share/init/sge_plus"
wrong = []


def expect(what, is_right, said):
    if not is_right:
        wrong.append(f"{what}: {said}")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    calls = folder / "calls"

    def command(command_name, text, code):
        """A command that is called like this one: it says a text, and ends with a code."""
        path = folder / command_name
        path.write_text(f'#!/bin/sh\necho "{command_name} $* root=${{SGE_ROOT:-}} patience=${{ALMANAC_DEADLINE:-}}" >>"{calls}"\n'
                        f'[ -z "{text}" ] || echo "{text}" >&2\nexit {code}\n')
        path.chmod(0o755)

    def run(*words):
        """Its exit code, what it says, and what it has called."""
        calls.write_text("")
        environment = {"PATH": f"{folder}:{os.environ['PATH']}", "SGE_PLUS_DEFAULTS": str(folder / "defaults"), "SGE_PLUS_PATIENCE": "7"}
        done = subprocess.run(["sh", script, *words], env=environment, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr, calls.read_text()

    def console(*lines, code=0):
        """almanac-console, which shows these lines."""
        path = folder / "almanac-console"
        path.write_text("#!/bin/sh\n" + "".join(f"echo '{line}'\n" for line in lines) + f'[ "$*" = "show calendar" ] || exit 2\nexit {code}\n')
        path.chmod(0o755)

    for each in ("plus_scheduler", "plus_schedkill", "plus_status"):
        command(each, "", 0)
    console("sequence: 9", "scheduling: on", "committing: no")
    said = run("start")
    expect("start without settings", said == (0, "", "plus_scheduler  root= patience=7\n"), said)
    (folder / "defaults").write_text('SGE_ROOT=/cell\nPLUS_OPTIONS="-a Sort -ne 50"\n')
    said = run("start")
    expect("start with settings", said == (0, "", "plus_scheduler -a Sort -ne 50 root=/cell patience=7\n"), said)
    said = run("stop")
    expect("stop", said[:2] == (0, "") and said[2].startswith("plus_schedkill  root=/cell"), said)
    said = run("restart")
    expect("restart", said[0] == 0 and [line.split()[0] for line in said[2].splitlines()] == ["plus_schedkill", "plus_scheduler"], said)
    said = run("status")
    expect("status", said == (0, "the scheduler runs\n", ""), said)
    console("sequence: 9", "scheduling: off", "committing: no")
    expect("status of what is off", run("status") == (3, "the scheduler is off\n", ""), run("status"))
    console("denied", code=1)
    said = run("status")
    expect("status for others than managers", said[0] == 4 and said[1].startswith("the scheduler can be reached; only managers"), said)

    command("plus_schedkill", "plus_schedkill: the scheduler is off already", 1)
    expect("stop of what is off", run("stop")[:2] == (0, ""), run("stop"))
    command("plus_schedkill", 'plus_schedkill: denied', 1)
    said = run("restart")
    expect("a stop that is refused", said[0] == 1 and "denied" in said[1] and "plus_scheduler" not in said[2], said)
    command("plus_scheduler", "plus_scheduler: no master", 3)
    expect("a start without a master", run("start")[:2] == (3, "plus_scheduler: no master\n"), run("start"))
    command("plus_schedkill", "plus_schedkill: no master", 3)
    expect("a stop without a master", run("stop")[:2] == (0, "plus_schedkill: no master\n"), run("stop"))
    command("plus_status", "", 3)
    expect("status without a master", run("status")[:2] == (3, "the scheduler cannot be reached\n"), run("status"))
    for words in ([], ["reload"]):
        said = run(*words)
        expect("another word", said == (2, "usage: sge_plus start|stop|restart|status\n", ""), said)

print("\n".join(wrong) or "sge_plus calls what it should")
sys.exit(bool(wrong))
