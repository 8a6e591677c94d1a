#!/usr/bin/env python3
"""What users of the machine may do to the daemons: nothing. And from where who may do what. Real processes."""
import os, pathlib, pwd, subprocess, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cluster"))
from daemons import check, play, run, start, stop, wait, work

cell = work / "cell"


def nobody_keeps_the_lock(user):
    for lock in (cell / "run" / "lock", cell / "agents" / "n1" / "lock"):
        check(lock.stat().st_mode & 0o777 == 0o600, f"{lock} is its daemon's only: {oct(lock.stat().st_mode)}")
        if user:
            tried = subprocess.run(["flock", "--nonblock", str(lock), "true"], user=user, capture_output=True, text=True)
            check("Permission denied" in tried.stderr, f"another user can't even open it: {tried.stderr}")


def the_lock_is_still_one():
    second = subprocess.run([sys.argv[1] + "/almanac-master", "--dir", str(cell)], capture_output=True, text=True, timeout=20)
    check(second.returncode == 1 and "another process works in" in second.stderr, second.stderr)


def a_lock_of_an_earlier_version(master):
    stop(master)
    lock = cell / "run" / "lock"
    lock.chmod(0o644)
    master = start("almanac-master", cell)
    check(lock.stat().st_mode & 0o777 == 0o600, "is closed to others")
    stop(master)
    (cell / "run").chmod(0o777)
    tried = subprocess.run([sys.argv[1] + "/almanac-master", "--dir", str(cell)], capture_output=True, text=True, timeout=20)
    check(tried.returncode == 1 and "can be written by others" in tried.stderr, f"a folder that all may write: {tried.stderr}")
    (cell / "run").chmod(0o755)
    return start("almanac-master", cell)


def what_others_could_have_changed(user):
    agent = cell / "agents" / "n1"

    def refuses(program, folder, reason):
        tried = subprocess.run([sys.argv[1] + "/" + program, "--dir", str(folder)], capture_output=True, text=True, timeout=20)
        check(tried.returncode == 1 and reason in tried.stderr, f"{program} does not start: {reason}: {tried.stderr}")

    for program, folder, name, mode, reason in (
        ("almanac-master", cell, ".", 0o775, "can be written by others"),
        ("almanac-master", cell, "store", 0o770, "store can be written by others"),
        ("almanac-master", cell, "settings.toml", 0o646, "settings.toml can be written by others"),
        ("almanac-master", cell, "ca/sign.key", 0o640, "sign.key can be read by others"),
        ("almanac-agent", agent, "spool", 0o777, "spool can be written by others"),
        ("almanac-agent", agent, "tls.key", 0o604, "tls.key can be read by others"),
    ):
        path = folder / name
        before = path.stat().st_mode & 0o7777
        path.chmod(mode)
        refuses(program, folder, reason)
        path.chmod(before)
        if user:
            os.chown(path, pwd.getpwnam(user).pw_uid, -1)
            refuses(program, folder, "belongs to uid")
            os.chown(path, 0, -1)


def an_operator_on(host):
    check(run("qconf", "-ao", "almanac-t1", folder=cell)[0] == 0, "a user becomes operator")
    code, number = run("qsub", "-terse", "-h", "-b", "y", "-v", "TOKEN=secret", "true", folder=cell)
    check(code == 0, number)
    shown = [run("qstat", "-j", number.strip(), folder=folder, user="almanac-t1")[1] for folder in (cell, host)]
    check("TOKEN=secret" in shown[0], f"an operator sees what a job is told: {shown[0]}")
    check("TOKEN=" in shown[1] and "secret" not in shown[1], f"where they are a plain user they do not: {shown[1]}")
    check(run("qdel", number.strip(), folder=cell)[0] == 0, "the job goes")


def lists_of_hosts():
    own = os.uname().nodename.lower()
    code, text = run("qconf", "-sh", folder=cell)
    check(code == 0 and text == own + "\n", text)
    code, text = run("qconf", "-ss", folder=cell)
    check(code == 0 and text.split() == sorted([own, "n1"]), text)
    on_n1 = cell / "agents" / "n1"
    wait(lambda: run("qstat", folder=on_n1)[0] == 0, "the agent is there")
    code, text = run("qconf", "-ah", "n1", folder=on_n1)
    is_root = os.geteuid() == 0
    nobody = 'denied: uid 0 of host "n1" is nobody in this cell: it is root or below 1000 (min_uid), and the host is no admin host\n'
    check(code == 1 and text == (nobody if is_root else 'denied: host "n1" is no admin host\n'), text)
    if is_root:
        # Who has the key of one host would be root of all by a job, or the owner of all keys.
        for words in (["qsub", "-b", "y", "id"], ["qrsub", "-d", "60"], ["qalter", "-p", "-1", "1"]):
            code, text = run(*words, folder=on_n1)
            check(code != 0 and nobody.strip() in text, text)
        system = pwd.getpwnam("daemon").pw_name
        code, text = run("qsub", "-b", "y", "-o", "/dev/null", "-j", "y", "id", folder=on_n1, user=system)
        check(code != 0 and "is nobody in this cell" in text, text)
        an_operator_on(on_n1)
    code, text = run("qconf", "-ah", "n1", folder=cell)
    check(code == 0 and text == "n1 added to administrative host list\n", text)
    code, text = run("qconf", "-as", "desk", folder=on_n1)
    check(code == 0 and text == "desk added to submit host list\n", text)
    code, text = run("qconf", "-as", "desk", folder=on_n1)
    check(code == 1 and text == 'submithost "desk" already exists\n', text)
    code, text = run("qconf", "-dh", f"n1,{own}", folder=cell)
    check(code == 1 and f"can't delete master host \"{own}\"" in text and 'removed "n1" from administrative host list' in text, text)
    code, text = run("qconf", "-ds", "n1", folder=cell)
    check(code == 0, text)
    code, text = run("qstat", folder=on_n1)
    check(code == 1 and text == 'denied: host "n1" is neither submit nor admin host\n', text)


def main():
    user = "almanac-t1" if os.geteuid() == 0 else None
    check(run("almanac-admin", "init", cell, folder=cell)[0] == 0, "init")
    master = start("almanac-master", cell)
    check(run("almanac-admin", "add-host", cell, "n1", "--slots", 2, folder=cell)[0] == 0, "add-host")
    start("almanac-agent", cell / "agents" / "n1")
    nobody_keeps_the_lock(user)
    the_lock_is_still_one()
    a_lock_of_an_earlier_version(master)
    what_others_could_have_changed(user)
    lists_of_hosts()
    print("users keep no daemon from starting; hosts are trusted as far as they are listed")


play(main)
