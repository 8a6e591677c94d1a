#!/usr/bin/env python3
"""Nothing that anybody sends is believed: a client that checks nothing at a real door, and a record that has to go. Real processes."""
import os, pathlib, socket, subprocess, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cluster"))
import daemons
from daemons import bin, check, play, start, stop, wait, work

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


def changes_and_refusals_are_audited():
    audit = cell / "log" / "audit"
    check(audit.stat().st_mode & 0o777 == 0o600, "the audit log is its owner's only")
    text = audit.read_bytes()
    lines = text.decode().splitlines()
    check(all(c >= 0x20 and c != 0x7f or c == 0x0a for c in text), "no terminal obeys it")
    check(max(map(len, text.splitlines())) < 1024, "lines are short")

    def has(*parts):
        check(any(all(part in line for part in parts) for line in lines), f"a line with {parts}: {lines[-5:]}")

    has('user="root"', 'through="unix door"', r'what="submits \"edge\""', "exit=0 number=1")
    has(r'what="submits \"x\x1bc\""', "exit=1 why=")
    has('what="asks" exit=1 why=')
    check(not any('what="asks" exit=0' in line for line in lines), "who asks changes nothing")
    if os.geteuid() == 0:
        code, said = daemons.run("qdel", 2, folder=cell, user="almanac-t1")
        check(code == 1, said)
        last = audit.read_text().splitlines()[-1]
        check('user="almanac-t1"' in last and 'what="deletes jobs 2" exit=1 why="' in last, last)

    # It may be moved away at any time, without a signal.
    audit.rename(audit.with_suffix(".1"))
    check(run("qhold", 2)[0] == 0, "a change goes on")
    check(len(audit.read_text().splitlines()) == 1, "in a new file")
    # Nothing is configured of which there is no line, not the first thing either.
    audit.rename(audit.with_suffix(".2"))
    audit.symlink_to("/dev/full")
    code, said = run("qconf", "-am", "unseen")
    check(code == 1 and "nothing is configured" in said and "unseen" not in run("qconf", "-sm")[1].split(), f"{code} {said}")
    audit.unlink()
    check(run("qconf", "-am", "seen")[0] == 0 and run("qconf", "-dm", "seen")[0] == 0, "as soon as there is one again")
    lines = [line for line in audit.read_text().splitlines() if "configures" in line or "manager" in line]
    check(len(lines) == 4 and lines[0].endswith(" begins") and " exit=0" in lines[1], f"before and after: {lines}")
    # Where it can't be written the master goes on.
    audit.unlink()
    audit.mkdir()
    check(run("qrls", 2)[0] == 0 and run("qhold", 2)[0] == 0, "without an audit log, too")
    check("cannot be written" in (cell / "log" / "master.log").read_text(), "which the log says")
    # Jobs do; the cell itself is not changed unseen.
    for words in (("qconf", "-am", "somebody"), ("almanac-admin", "add-host", cell, "unseen"), ("almanac-admin", "revoke-host", cell, "n1")):
        code, said = run(*words)
        check(code == 1 and "nothing is configured" in said, f"{words}: {code} {said}")
    audit.rmdir()


def refusals_do_not_fill_a_disk():
    audit = cell / "log" / "audit"
    before = audit.stat().st_size if audit.exists() else 0
    noise = b"\0\0\0\x04nois"
    for _ in range(20):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
            door.connect(str(cell / "run" / "door"))
            for _ in range(100):
                door.sendall(noise)
                check(len(door.recv(4, socket.MSG_WAITALL)) == 4, "each is answered")
                door.recv(65536)
    grown = audit.stat().st_size - before
    check(grown < 60 * 1024, f"of 2,000 refusals few are written: {grown} bytes")
    check("refusals not written one by one: 19" in run("almanac-console", "show", "gate")[1], "the others are counted")
    check(run("qhold", 2)[0] == 0, "a change")
    check('what="holds' in audit.read_text().splitlines()[-1], "is always written")

    def told():
        return [line for line in audit.read_text().splitlines() if "is refused more often than is written" in line]

    wait(lambda: told(), "and told in one line, once their minute is over", seconds=75)
    check(f"uid={os.geteuid()} " in told()[0] and 1900 <= int(told()[0].split("count=")[1]) <= 2000, told())


def main():
    check(run("almanac-admin", "init", cell)[0] == 0, "init")
    master = start("almanac-master", cell)
    for tasks in ((1, 10, 0), (1, 10, -1), (1, most, 2**62), (1, -5, 1), (least, most, 1)):
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

    changes_and_refusals_are_audited()
    refusals_do_not_fill_a_disk()

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
