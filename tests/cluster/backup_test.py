#!/usr/bin/env python3
"""A cell in a backup of its running master, and back; check; a drain; a host that is removed. Real processes."""
import os, re, shutil, socket, stat

from daemons import check, ignore_load, play, run, start, stop, wait, work


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def admin(*words, code=0, folder=None):
    got, text = run("almanac-admin", *words, folder=folder or work)
    check(got == code, f"almanac-admin {words}: exit status {got}: {text}")
    return text


def typed(cell, *words, code=0):
    got, text = run(*words, folder=cell)
    check(got == code, f"{words}: exit status {got}: {text}")
    return text


def submit(cell, name, *command):
    text = typed(cell, "qsub", "-N", name, "-b", "y", "-o", "/dev/null", "-j", "y", *command)
    return int(re.search(r"Your job (\d+)", text).group(1))


def runs(cell, job):
    return re.search(rf"^ *{job} .* r ", typed(cell, "qstat", "-s", "r"), re.M) is not None


def main():
    cell, port = work / "cell", free_port()
    admin("init", cell)
    settings = cell / "settings.toml"
    settings.write_text(settings.read_text().replace("port = 0", f"port = {port}", 1))
    master = start("almanac-master", cell)
    admin("add-host", cell, "n1", "--slots", "4")
    admin("add-host", cell, "n2", "--slots", "1")
    ignore_load(cell)
    # The agents' own copies, as on hosts of their own.
    agents = {name: work / name for name in ("n1", "n2")}
    for name, folder in agents.items():
        shutil.copytree(cell / "agents" / name, folder, symlinks=True)
        start("almanac-agent", folder)
    first = submit(cell, "first", "-q", "all.q@n1", "sleep", "600")
    wait(lambda: runs(cell, first), "the first job runs")

    # ---- a backup of a running master
    file = work / "backup.tar"
    text = admin("backup", cell, file, "--with-keys")
    check("private keys are in it" in text, text)
    check(stat.S_IMODE(file.stat().st_mode) == 0o600, "the file is its owner's")
    check("is there already" in admin("backup", cell, file, code=1), "nothing is written over")
    check("nothing is wrong" in admin("check", cell), "the store of a running master is checked")

    # ---- what came since is lost, and what runs is not
    later = submit(cell, "later", "-q", "all.q@n1", "sleep", "20")
    wait(lambda: runs(cell, later), "the later job runs")
    stop(master)
    place = work / "restored"
    check("nothing is wrong" in admin("restore", place, file), "the restored store is sound")
    admin("restore", place, file, code=1)
    master = start("almanac-master", place)
    wait(lambda: runs(place, first), "the first job goes on")
    # With the next load that the agent reports.
    wait(lambda: "1 tasks run here that no record knows" in typed(place, "qhost"), "qhost tells of the task", 60)
    log = (place / "log" / "master.log").read_text()
    check("has task 0 of the job with the key" in log, "and so does the log")
    new = submit(place, "new", "-q", "all.q@n1", "sleep", "1")
    check(new > later + 9_000, f"numbers go on beyond: {new}")
    wait(lambda: f"job={new} to=ended" in (place / "log" / "master.log").read_text(), "the log tells the life of a job")
    for step in ("to=submitted", "to=sent", "to=running", "to=gone"):
        check(re.search(rf"job={new} .*{step}|job={new} {step}", (place / "log" / "master.log").read_text()), step)

    # ---- a host goes
    refused = admin("remove-host", place, "n1", code=1)
    check(f'job {first} ("first") of ' in refused, refused)
    check("disabled" not in typed(place, "qstat", "-f", "-explain", "d"), "a refusal changes nothing")
    admin("remove-host", place, "n2", "--wait")
    check("n2" not in typed(place, "qconf", "-sel") + typed(place, "qconf", "-shgrp", "@allhosts"), "n2 is gone")
    admin("add-host", place, "n2", "--slots", "1")
    stop(master)
    check("nothing is wrong" in admin("check", place), "what was changed is sound")

    # ---- without keys, into a cell of its own; what is damaged is refused
    bare = work / "bare.tar"
    admin("backup", place, bare)
    check((place / "ca" / "sign.key").read_bytes() not in bare.read_bytes(), "no key is in it")
    check("rekey-host" in admin("restore", work / "bare", bare), "agents need new tickets")
    cut = work / "cut.tar"
    cut.write_bytes(bare.read_bytes()[:-4_000])
    check("it ends" in admin("restore", work / "cut", cut, code=1), "a file that was cut is refused")
    check(not os.listdir(work / "cut"), "and nothing is left of it")


play(main)
