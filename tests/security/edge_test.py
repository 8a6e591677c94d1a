#!/usr/bin/env python3
"""Nothing that anybody sends is believed: a client that checks nothing at a real door, and a record that has to go. Real processes."""
import pathlib, subprocess, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cluster"))
import daemons
from daemons import bin, check, play, start, stop, work

cell = work / "cell"
most, least = 2**63 - 1, -(2**63)


def run(*words):
    return daemons.run(*words, folder=cell)


def send(*words):
    done = subprocess.run([bin / "door_client", cell / "run" / "door", *map(str, words)], capture_output=True, timeout=20)
    return done.returncode, done.stdout.decode(errors="replace")


def refused(*words):
    code, text = send(*words)
    check(code == 1 and 0 < len(text) < 500 and "\x1b" not in text, f"{words} is refused with a reason: {code} {text[:500]}")


def main():
    check(run("almanac-admin", "init", cell)[0] == 0, "init")
    master = start("almanac-master", cell)
    for tasks in ((1, 10, 0), (1, 10, -1), (1, most, 2**62), (1, -5, 1), (least, most, 1), (1, 10, 4)):
        refused("submit", *tasks)
        refused("ask", *tasks)
    for words in (("slots", -5, -1), ("slots", 0, 0), ("slots", 10, 1), ("slots", 1, most), ("start", most), ("start", least),
                  ("reserve", least, 60), ("reserve", 2**62, 60), ("reserve", 0, most - 1), ("mail", "--exec=!id"), ("mail", "|/tmp/evil"),
                  ("mail", "/root/.ssh/authorized_keys"), ("name", "x\x1bc"), ("name", "a\nb"), ("name", b"\xff"), ("nul",)):
        refused(*words)
    check(run("qstat", "-u", "*") == (0, ""), "nothing was submitted")

    check(send("submit", 1, 10, 1)[0] == 0, "what is right is taken, as number 1: what was refused took none")
    for tasks in ((1, 10, 0), (1, 10, -1), (1, most, 2**62)):
        refused("delete", 1, *tasks)
    check("1-10:1" in run("qstat", "-u", "*")[1], "all tasks are there")
    check(master.poll() is None, "the master lives")

    # What a user may write into a path obeys nobody's terminal.
    check(run("qsub", "-h", "-b", "y", "-hold_jid", 1, "-o", "/tmp/\x1b]0;owned\x07", "true")[0] == 0, "any path is taken")
    code, text = run("qstat", "-j", 2)
    check(code == 0 and "\\x1b]0;owned\\x07" in text and "\x1b" not in text, text)

    # A record is taken out of a store that nobody works with.
    code, text = run("almanac-admin", "remove-record", cell, "job", 1)
    check(code == 1, f"not while the master runs: {text}")
    stop(master)
    code, text = run("almanac-admin", "remove-record", cell, "job", 7)
    check(code == 1 and "no job with the number 7" in text, text)
    code, text = run("almanac-admin", "remove-record", cell, "job", 1)
    check((code, text) == (0, "removed job 1 (edge, root)\n"), text)
    start("almanac-master", cell)
    code, text = run("qstat", "-j", 2)
    check(code == 0 and "predecessor" in text and "waits for job 1" not in text, text)
    check(run("qstat", "-j", 1)[0] == 1, "job 1 is gone")
    code, text = run("almanac-admin", "replay", cell)
    check(code == 0 and "is that of the stored records" in text, text)
    print("nothing that is sent is believed")


play(main)
