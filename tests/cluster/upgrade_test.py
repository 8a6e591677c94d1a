#!/usr/bin/env python3
"""Stores that earlier versions wrote: this one brings them to its format, and nothing that was acknowledged is lost. Real processes."""
import os, pathlib, shutil, signal, stat, subprocess

import daemons
from daemons import check, play, start, stop, wait, work

golden = pathlib.Path(__file__).resolve().parent.parent / "golden"


def run(cell, *words):
    return daemons.run(*words, folder=cell)


def with_store_of(archive, name):
    """A new cell with the old store in it."""
    cell = work / name
    code, text = run(cell, "almanac-admin", "init", cell)
    check(code == 0, text)
    unpack(archive, cell)
    return cell


def unpack(archive, cell):
    shutil.rmtree(cell / "store")
    subprocess.run(["tar", "xzf", archive, "--no-same-owner", "-C", cell], check=True)


def jobs_of(text):
    """What qstat shows, without priorities, which change with time, and without the names of places that its width cuts."""
    rows = [line.split() for line in text.splitlines()[2:]]
    return sorted((row[0], row[2], row[4], row[5:]) for row in rows)


def shown(cell):
    code, text = run(cell, "qstat", "-u", "*")
    check(code == 0, text)
    return jobs_of(text)


def logged(cell):
    return (cell / "log" / "master.log").read_text()


def is_as_it_was(archive):
    cell = with_store_of(archive, archive.name.split(".")[0])
    expected = jobs_of(archive.with_name(cell.name + ".qstat").read_text())

    code, text = run(cell, "almanac-admin", "replay", cell)
    check(code != 0 and "has format 1" in text, f"nobody reads a store of another format: {text}")
    for where in ("upgrade-copied", "upgrade-marked", "upgrade"):
        master = start("almanac-master", cell, crash_at=where)
        wait(lambda: master.poll() is not None, f"it is killed at {where}")
        check(master.returncode == -signal.SIGKILL, "by SIGKILL")
        check(not (cell / "run" / "ready").exists(), "before it served anybody")

    master = start("almanac-master", cell)
    check(shown(cell) == expected, f"after the upgrade of {cell.name}: {shown(cell)} instead of {expected}")
    check("the store has format 2" in logged(cell), "the log tells of the upgrade")
    check(stat.S_IMODE((cell / "store.format1").stat().st_mode) == 0o700, "the copy is for nobody else, either")
    code, text = run(cell, "qsub", "-b", "y", "-N", "new", "true")
    check(code == 0 and '("new") has been submitted' in text, text)
    code, text = run(cell, "qdel", "5")
    check(code == 0, text)
    changed = shown(cell)
    stop(master)
    code, text = run(cell, "almanac-admin", "replay", cell)
    check(code == 0, f"the journal begins anew with the upgrade: {text}")
    master = start("almanac-master", cell)
    check(shown(cell) == changed, "a restart changes nothing")
    stop(master)

    # How to go back: the copy is the store of the earlier version.
    shutil.rmtree(cell / "store")
    os.rename(cell / "store.format1", cell / "store")
    code, text = run(cell, "almanac-admin", "replay", cell)
    check(code != 0 and "has format 1" in text, f"the copy has the format of before: {text}")
    master = start("almanac-master", cell)
    check(shown(cell) == expected, "and all that was in it")
    stop(master)

    # A copy that somebody may still need is not written over.
    unpack(archive, cell)
    done = subprocess.run([str(daemons.bin / "almanac-master"), "--dir", str(cell)], capture_output=True, text=True, timeout=20)
    check(done.returncode != 0 and "is there already: move it away. Nothing was changed" in done.stderr, done.stderr)


def main():
    archives = sorted(golden.glob("store-*.tar.gz"))
    check(archives, "there are stores to upgrade")
    for archive in archives:
        is_as_it_was(archive)


play(main)
