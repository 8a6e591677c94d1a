#!/usr/bin/env python3
"""The master's common files on a host that does not see the master's disk (docs/spec/objects.md O12.10 to O12.12). Real processes."""
import os, shutil, subprocess

import daemons
from daemons import check, play, start, stop, wait, work

cell = work / "cell"
# As if it were on another machine: the folder of the agent is not below that of the cell.
agent = work / "n1"
name_of_cell = "rq"
masters, copies = cell / "root" / name_of_cell / "common", agent / name_of_cell / "common"


def run(*words, folder=cell):
    return daemons.run(*words, folder=folder)


def works(*words, folder=cell):
    code, text = run(*words, folder=folder)
    check(code == 0, f"{words}: {text}")
    return text


def log(folder, name):
    return (folder / "log" / f"{name}.log").read_text()


def read(name):
    """As a command of that host reads it; None: there is none."""
    try:
        return (copies / name).read_text()
    except FileNotFoundError:
        return None


def arrives(name, content, what):
    wait(lambda: read(name) == content, f"{what}: {name} is {read(name)!r}, not {content!r}")


def registers(times):
    wait(lambda: log(cell, "master").count("host registered host=n1") == times, f"n1 registers, number {times}", 60)


def a_host_of_its_own():
    works("almanac-admin", "init", cell, "--cell", name_of_cell)
    process = start("almanac-master", cell)
    works("almanac-admin", "add-host", cell, "n1", "--slots", 1)
    shutil.move(cell / "agents" / "n1", agent)
    return process


def the_masters_files_arrive():
    arrives("sge_request", "-j y\n", "what was there before the agent")
    check(read("sge_qstat") is None, "a file that the master does not have is not there")
    facts = (copies / "sge_request").stat()
    check(facts.st_mode & 0o777 == 0o644 and facts.st_uid == os.geteuid(), f"it has the mode {facts.st_mode:o}")
    (masters / "sge_qquota").write_text("-u *\n")
    arrives("sge_qquota", "-u *\n", "a new one")
    (masters / "sge_request.new").write_text("-j n\n")
    (masters / "sge_request.new").rename(masters / "sge_request")
    arrives("sge_request", "-j n\n", "a change")


def nothing_else_is_shown():
    (masters / "settings.sh").write_text("secret\n")
    (masters / "sge_qstat").symlink_to(cell / "ca" / "ca.key")
    (masters / "sge_qrstat").write_text("x" * (64 * 1024 + 1))
    wait(lambda: "sge_qstat: it is not a plain file" in log(cell, "master"), "the log tells of a link")
    wait(lambda: "sge_qrstat: it has 65537 bytes" in log(cell, "master"), "the log tells of what is too large")
    (masters / "sge_ar_request").write_text("-l arch=*\n")
    arrives("sge_ar_request", "-l arch=*\n", "what comes after them")
    names = {path.name for path in copies.iterdir() if path.exists()}
    check(names == {"sge_request", "sge_qquota", "sge_ar_request"}, names)
    (masters / "sge_qstat").unlink()
    (masters / "sge_qrstat").unlink()
    for what in ("it is not a plain file", "it has 65537 bytes"):
        check(log(cell, "master").count(what) == 1, f"the log says once: {what}")


def what_a_host_has_of_its_own_stays(process):
    stop(process)
    (copies / "sge_qselect").unlink()
    (copies / "sge_qselect").write_text("own\n")
    (copies / "settings.sh").write_text("own\n")
    (masters / "sge_qselect").write_text("the master's\n")
    (masters / "sge_qrstat").write_text("-u *\n")
    process = start("almanac-agent", agent)
    arrives("sge_qrstat", "-u *\n", "after a start of the agent")
    check(read("sge_qselect") == "own\n" and read("settings.sh") == "own\n", "the host's own files")
    return process


def the_copies_stay_without_a_master(master, process):
    master.kill()
    master.wait()
    (masters / "sge_qquota").unlink()
    before = {name: read(name) for name in ("sge_request", "sge_qquota", "sge_ar_request")}
    check(None not in before.values(), before)
    stop(process)
    check({name: read(name) for name in before} == before, "without an agent")
    process = start("almanac-agent", agent)
    wait(lambda: "no session with the master" in log(agent, "agent").split("starting version")[-1], "the agent finds no master")
    check({name: read(name) for name in before} == before, "after a restart of the agent")
    return process


def what_is_removed_goes():
    arrives("sge_qquota", None, "what was removed while the master was away")
    check(read("sge_request") == "-j n\n", "the others stay")
    (masters / "sge_request").unlink()
    arrives("sge_request", None, "what is removed")
    check((copies / "settings.sh").exists(), "the host's own files")


def prints(*words, **variables):
    """What a command prints to whom nothing else is set."""
    env = {"PATH": os.environ["PATH"], "HOME": str(work), "ALMANAC_DEADLINE": "5"} | {name: str(value) for name, value in variables.items()}
    done = subprocess.run([daemons.bin / words[0], *words[1:]], env=env, capture_output=True, text=True, timeout=60, cwd="/tmp")
    check(done.returncode == 0, f"{words} with {variables}: {done.stdout}{done.stderr}")
    return done.stdout


def site_defaults_are_obeyed(places):
    """By a command that is told one folder only, and by one that is told SGE_ROOT and SGE_CELL."""
    for variables in places:
        check("<qquota_result" not in prints("qquota", **variables), f"qquota without a default, with {variables}")
    (masters / "sge_qquota").write_text("-xml\n")
    arrives("sge_qquota", "-xml\n", "a default")
    for variables in places:
        check("<qquota_result" in prints("qquota", **variables), f"qquota obeys the default of the site, with {variables}")


def main():
    os.umask(0o022)  # as most sites have it: what others may not read is not shown
    master = a_host_of_its_own()
    (masters / "sge_request").write_text("-j y\n")
    process = start("almanac-agent", agent)
    registers(1)
    the_masters_files_arrive()
    nothing_else_is_shown()
    process = what_a_host_has_of_its_own_stays(process)
    registers(2)
    process = the_copies_stay_without_a_master(master, process)
    start("almanac-master", cell)
    registers(3)
    what_is_removed_goes()
    site_defaults_are_obeyed(
        [
            {"ALMANAC_DIR": cell},
            {"ALMANAC_DIR": agent},
            {"SGE_ROOT": cell / "root", "SGE_CELL": name_of_cell},
            {"SGE_ROOT": agent, "SGE_CELL": name_of_cell},
        ]
    )
    check("lost its session" not in log(cell, "master").split("starting version")[-1], "no session ended over it")
    print("an agent has the master's common files, and keeps them while it is away")


play(main)
