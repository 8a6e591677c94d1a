#!/usr/bin/env python3
"""Keys of agents can be taken back, and one name is in one place. Real processes."""
import os, pathlib, shutil, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cluster"))
from daemons import check, ignore_load, play, run, start, stop, wait, work

cell = work / "cell"
agents = cell / "agents"


def admin(*words):
    return run("almanac-admin", words[0], cell, *words[1:], folder=cell)


def logged(folder, name, text, count=1):
    return (folder / "log" / f"{name}.log").read_text().count(text) >= count


def audited(*texts):
    return any(all(text in line for text in texts) for line in (cell / "log" / "audit").read_text().splitlines())


def line_of(host):
    """The host's words in the listing of the register."""
    lines = [line.split() for line in admin("hosts")[1].splitlines()]
    return next((words for words in lines if words and words[0] == host), [])


def state_of(job):
    lines = [line.split() for line in run("qstat", "-u", "*", folder=cell)[1].splitlines()]
    return next((line[4] for line in lines if line and line[0] == str(job)), "gone")


def is_up(host):
    return line_of(host)[1:2] == ["up"]


def copy_of(host, name):
    """As somebody takes it: keys and spool, without what only a running agent has."""
    def left_out(where, names):
        return [n for n in names if n in ("run", "log") or (pathlib.Path(where) / n).is_socket()]

    folder = work / name
    shutil.copytree(agents / host, folder, symlinks=True, ignore=left_out)
    for inner in ("run", "log"):
        (folder / inner).mkdir()
    return folder


def copied_folder():
    wait(lambda: is_up("n1"), "the agent is there")
    check(line_of("n1")[2:4] == ["good", "1"], f"its key is registered: {line_of('n1')}")
    code, text = run("qsub", "-b", "y", "-o", "/dev/null", "-j", "y", "sleep", 600, folder=cell)
    check(code == 0, text)
    wait(lambda: state_of(1) == "r", "its job runs")
    copy = copy_of("n1", "copy")
    second = start("almanac-agent", copy)
    wait(lambda: logged(copy, "agent", "is not let in: another agent of this host is there"), "a copied folder is refused beside the running agent (72)")
    wait(lambda: logged(cell, "master", "a second agent with the same key"), "the master's log says so")
    check(" error " in next(line for line in (cell / "log" / "master.log").read_text().splitlines() if "a second agent with the same key" in line), "as an error")
    check(audited('host="n1"', 'exit=1', "is not let in"), "the audit log says so")
    for words in (("almanac-console", "hosts"), ("qhost",), ("almanac-admin", "hosts", cell)):
        text = run(*words, folder=cell)[1]
        check("a second agent with the same key is at" in text, f"{words[0]} says so: {text}")
    check(is_up("n1") and state_of(1) == "r", "the first one is as it was")
    check(not logged(agents / "n1", "agent", "agent has no session"), "and heard nothing of it")
    check(list(copy.glob("spool.copied-*")), "the tasks in the copy's spool are not its own to end")
    stop(second)
    return copy


def restart_at_once(first):
    for number in (2, 3):
        first.kill()
        first.wait()
        first = start("almanac-agent", agents / "n1")
        wait(lambda: logged(agents / "n1", "agent", "agent registered", number), "after kill -9 the agent is back at once", 5)
    check(state_of(1) == "r", "the job did not notice")
    run("qdel", "1", folder=cell)
    wait(lambda: state_of(1) == "gone", "it can be ended")
    return first


def installed_anew(first):
    stop(first)
    shutil.move(agents / "n1" / "spool", work / "spool of n1")
    (agents / "n1" / "spool").mkdir()
    first = start("almanac-agent", agents / "n1")
    wait(lambda: logged(agents / "n1", "agent", "is not let in"), "another spool within max_unheard is refused")
    wait(lambda: logged(agents / "n1", "agent", "agent registered", 4), "and let in after that", 30)
    check(logged(cell, "master", "its agent moved"), "which the log tells")
    return first


def rekeyed(first, copy):
    code, text = admin("rekey-host", "n1")
    check(code == 0 and 'replaces the key of host "n1"' in text and str(agents / "n1") in text, text)
    check(is_up("n1") and line_of("n1")[3] == "1", "the old key counts until the new one comes")
    stop(first)
    first = start("almanac-agent", agents / "n1")
    wait(lambda: is_up("n1") and line_of("n1")[2:4] == ["good", "2"], "the agent comes with the new key", 30)
    thief = start("almanac-agent", copy)
    wait(lambda: logged(copy, "agent", "its key was replaced: its ticket has the serial 1, 2 is valid"), "the old one is refused")
    stop(thief)
    check(is_up("n1"), "and changes nothing")
    return first


def revoked(first):
    code, text = run("qsub", "-b", "y", "-o", "/dev/null", "-j", "y", "sleep", 600, folder=cell)
    check(code == 0, text)
    wait(lambda: state_of(2) == "r", "a job runs")
    code, text = admin("revoke-host", "n1")
    check(code == 0 and 'revoked the key of host "n1"' in text, text)
    wait(lambda: not is_up("n1"), "the session ends at once", 3)
    wait(lambda: logged(agents / "n1", "agent", "its key is revoked"), "the agent hears why")
    check(run("qhost", folder=cell)[1].count("the key of host n1 is revoked") == 1, "qhost says so")
    check(state_of(2) == "r", "its job is that of a host that can't be reached")
    check(any((agents / "n1" / "spool").glob("2.*")), "and was not ended in silence")
    code, text = admin("rekey-host", "n1", "--days", 30)
    check(code == 0, text)
    stop(first)
    first = start("almanac-agent", agents / "n1")
    wait(lambda: is_up("n1") and line_of("n1")[2:4] == ["good", "3"] and "never" not in line_of("n1"), "with new keys it is back")
    check(state_of(2) == "r", "with its job")
    run("qdel", "2", folder=cell)
    wait(lambda: state_of(2) == "gone", "which can be ended")
    return first


def replaced_at_once(first):
    code, text = admin("rekey-host", "n1", "--now")
    check(code == 0, text)
    wait(lambda: not is_up("n1"), "the session with the old key ends at once", 3)
    stop(first)
    first = start("almanac-agent", agents / "n1")
    wait(lambda: is_up("n1"), "with the new key it is back")
    return first


def removed_and_added(first):
    thief = copy_of("n1", "taken")
    group, queue = work / "group", work / "slots"
    group.write_text("group_name @allhosts\nhostlist NONE\n")
    code, text = run("qconf", "-Mhgrp", group, folder=cell)
    check(code == 0, text)
    queue.write_text("qname all.q\nslots 1\n")
    code, text = run("qconf", "-Mq", queue, folder=cell)
    check(code == 0, text)
    code, text = run("qconf", "-de", "n1", folder=cell)
    check(code == 0, text)
    wait(lambda: logged(agents / "n1", "agent", "is not an exec host of this cell"), "the session of a host that is removed ends")
    stop(first)
    code, text = admin("add-host", "n1")
    check(code == 1 and "exists already" in text and line_of("n1") == [], f"an old folder is in the way, and nothing is changed: {text}")
    shutil.move(agents / "n1", work / "old n1")
    code, text = admin("add-host", "n1")
    check(code == 0, text)
    old = start("almanac-agent", thief)
    wait(lambda: logged(thief, "agent", "its key is revoked"), "the old folder is refused (73)")
    start("almanac-agent", agents / "n1")
    wait(lambda: is_up("n1"), "the new one is let in")
    check(line_of("n1")[2] == "good", line_of("n1"))
    stop(old)


def bad_input():
    before = admin("hosts")[1]
    for words, reason in (
        (("rekey-host", "n9"), 'exechost "n9" does not exist'),
        (("revoke-host", "n9"), 'exechost "n9" does not exist'),
        (("revoke-host", "global"), 'exechost "global" does not exist'),
        (("rekey-host", "two words"), "is not a host name"),
        (("rekey-host", "n1", "--days", "0"), "--days"),
        (("revoke-host",), "HOST is required"),
        (("hosts", "more"), "more"),
    ):
        code, text = admin(*words)
        check(code == 1 and reason in text, f"{words}: {code} {text}")
    check(admin("hosts")[1] == before, "nothing is changed")
    for verb in ("rekey-host", "revoke-host", "hosts"):
        code, text = run("almanac-admin", verb, "--help", folder=cell)
        check(code == 0 and "DIR" in text, text)


def squashed():
    on_n1 = agents / "n1"
    code, text = run("qconf", "-ah", "n1", folder=cell)
    check(code == 0, f"who is root here is somebody from an admin host: {text}")
    code, text = run("qsub", "-b", "y", "-o", "/dev/null", "-j", "y", "true", folder=on_n1)
    check(code == 0, text)
    host = work / "host"
    for value in ("all", str(os.getuid()), f"{os.getuid()}-{os.getuid() + 5}"):
        host.write_text(f"hostname n1\nsquash {value}\n")
        code, text = run("qconf", "-Me", host, folder=cell)
        check(code == 0, text)
        code, text = run("qsub", "-b", "y", "true", folder=on_n1)
        check(code == 1 and f"uid {os.getuid()} is nobody in this cell" in text, text)
    check(audited(f"uid={os.getuid()} ", 'host="n1" through="the agent on n1"', "exit=1", "is nobody in this cell"), "the audit log says who, through whom")
    code, text = run("qstat", folder=on_n1)
    check(code == 0, f"nobody may look: {text}")
    code, text = run("almanac-console", "actors", folder=on_n1)
    check(code == 1, text)
    host.write_text("hostname n1\nsquash alice\n")
    code, text = run("qconf", "-Me", host, folder=cell)
    check(code == 1 and '"alice" is not a uid' in text, text)
    own = run("qsub", "-b", "y", "-o", "/dev/null", "-j", "y", "true", folder=cell)
    check(own[0] == 0, f"the master's own door believes the kernel: {own[1]}")


def replays(master):
    stop(master)
    code, text = admin("replay")
    check(code == 0 and "is that of the stored records" in text, text)


def main():
    check(run("almanac-admin", "init", cell, folder=cell)[0] == 0, "init")
    master = start("almanac-master", cell)
    code, text = admin("add-host", "n1", "--slots", 4)
    check(code == 0, text)
    ignore_load(cell)
    first = start("almanac-agent", agents / "n1")
    copy = copied_folder()
    first = restart_at_once(first)
    first = installed_anew(first)
    first = rekeyed(first, copy)
    first = revoked(first)
    first = replaced_at_once(first)
    removed_and_added(first)
    bad_input()
    squashed()
    replays(master)
    print("keys are taken back; one name is in one place")


play(main)
