#!/usr/bin/env python3
"""A master that crashes by its own fault: a poisonous request, a crash loop, a checkpoint renewed. Real processes."""
import os, subprocess

import daemons
from daemons import check, ignore_load, play, start, stop, typed, wait, work

cell = work / "cell"


def run(*words):
    return daemons.run(*words, folder=cell, deadline=20)


def passes():
    return run("almanac-console", "show", "calendar")[1].split("scheduling: ")[1].split()[0]


def shut_out(question, point, user, refusal):
    """Whose questions bring the master down twice is not answered any more; others are."""
    master = start("almanac-master", cell, point)
    for _ in range(2):
        daemons.run(*question, folder=cell, deadline=1, user=user)
        master.wait()
        master = start("almanac-master", cell, point)
    code, text = daemons.run(*question, folder=cell, deadline=20, user=user)
    check(code == 1 and refusal in text, text)
    check(master.poll() is None, "the master lives on")
    stop(master)
    master = start("almanac-master", cell)
    check(daemons.run(*question, folder=cell, deadline=20, user=user)[0] == 0, "an operator's restart forgives")
    stop(master)


def main():
    check(run("almanac-admin", "init", cell)[0] == 0, "init")
    master = start("almanac-master", cell)
    check(run("almanac-admin", "add-host", cell, "n1", "--slots", 2)[0] == 0, "add-host")
    start("almanac-agent", cell / "agents" / "n1")
    ignore_load(cell)
    # Killed from outside again and again is no crash loop.
    for _ in range(4):
        master.kill()
        master.wait()
        master = start("almanac-master", cell)
    check(passes() == "on", "kill -9 is no crash of the master's own")
    stop(master)

    # A request that brings the master down twice is set aside when its client asks a third time.
    arguments, env = typed("qsub", "-b", "y", "-o", "/dev/null", "-j", "y", "poison", folder=cell, deadline=20)
    master = start("almanac-master", cell, "in-hand:1:abort")
    client = subprocess.Popen(arguments, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for _ in range(2):
        master.wait()
        master = start("almanac-master", cell, "in-hand:1:abort")
    text = client.communicate(timeout=30)[0]
    check(client.returncode == 1 and "crashed twice while handling this request" in text, text)
    check(master.poll() is None, "the master lives on")

    # The third crash within five minutes switches passes off; all else works, and says so.
    subprocess.run(arguments[:-1] + ["true"], env={**env, "ALMANAC_DEADLINE": "1"}, capture_output=True)
    master.wait()
    master = start("almanac-master", cell)
    check(passes() == "off" and "passes are off" in (cell / "log" / "master.log").read_text(), "passes are off and it is said")
    code, text = run("qsub", "-terse", "-b", "y", "-o", "/dev/null", "-j", "y", "true")
    check(code == 0, text)
    job = text.strip()
    check("the master crashed three times" in run("qstat", "-j", job)[1], "qstat -j tells why")
    stop(master)
    (cell / "settings.toml").write_text((cell / "settings.toml").read_text() + "inputs_kept = 0\n")
    master = start("almanac-master", cell)
    check(passes() == "on", "after a clean stop they are on")
    wait(lambda: run("qacct", "-j", job)[0] == 0, "the job runs")
    stop(master)
    over_user = "crashed twice while handling requests of user"
    if os.getuid() == 0:
        shut_out(["qsub", "-w", "v", "-b", "y", "true"], "question:1:abort", "almanac-t1", over_user)
        shut_out(["qstat"], "query:1:abort", "almanac-t1", over_user)
    # Of root only what crashed it is not tried again.
    shut_out(["qconf", "-sql"], "query:1:abort", None, "crashed twice while handling")
    # With inputs_kept = 0 that start made a new checkpoint: replay begins there.
    code, text = run("almanac-admin", "replay", cell)
    check(code == 0 and "is that of the stored records" in text, text)
    print("a master that crashes helps itself")


play(main)
