#!/usr/bin/env python3
"""An order that reaches its host after the job was started elsewhere begins nothing there. Real processes."""
import os, signal

import daemons
from daemons import check, freeze, play, start, thaw, wait, work

cell, ran = work / "cell", work / "ran"


def run(*words):
    return daemons.run(*words, folder=cell)


def main():
    check(run("almanac-admin", "init", cell)[0] == 0, "init")
    master = start("almanac-master", cell)
    agents = {}
    for host in ("n1", "n2"):
        check(run("almanac-admin", "add-host", cell, host, "--slots", 1)[0] == 0, "add-host")
        agents[host] = start("almanac-agent", cell / "agents" / host)
    daemons.ignore_load(cell)
    conf = work / "conf"
    conf.write_text("max_unheard 0:0:3\nreschedule_unknown 0:0:20\n")
    check(run("qconf", "-Mconf", conf)[0] == 0, "qconf")
    wait(lambda: "all.q@n2" in run("qstat", "-f")[1], "both hosts are there")
    check(run("qmod", "-d", "*@n2")[0] == 0, "qmod -d")

    freeze(agents["n1"])
    code, text = run("qsub", "-r", "y", "-b", "y", "-o", "/dev/null", "-j", "y", f"echo $$ >> {ran}; exec sleep 100")
    check(code == 0, text)
    wait(lambda: " t " in run("qstat", "-u", "*")[1], "the order is sent to the host that is stopped")
    check(run("qmod", "-e", "*@n2")[0] == 0, "qmod -e")
    wait(lambda: "@n2" in run("qstat", "-s", "r")[1], "the job starts elsewhere once it can't begin there any more", 60)
    wait(ran.exists, "it runs")
    # As long as the master can not be asked, the order is all that the host knows.
    os.kill(master.pid, signal.SIGSTOP)
    thaw(agents["n1"])
    progress = cell / "agents" / "n1" / "spool" / "1.0.1" / "progress"
    wait(lambda: progress.exists() and "\nfailed 25\n" in progress.read_text(), "its first host gives the order back")
    check("start" not in progress.read_text(), progress.read_text())
    os.kill(master.pid, signal.SIGCONT)
    wait(lambda: not progress.exists(), "and forgets it")
    check(len(ran.read_text().splitlines()) == 1, f"it began once: {ran.read_text()}")
    check("@n2" in run("qstat", "-s", "r")[1], "and goes on")
    print("an order that comes too late begins nothing")


play(main)
