#!/usr/bin/env python3
"""The machine's clock is set back by an hour under a working cluster, and under a master that starts: what was promised happens when it would have. Real processes."""
import os, sys, time

import daemons
from daemons import check, play, start, wait, work

cell, offset, ran = work / "cell", work / "offset", work / "ran"


def run(*words):
    return daemons.run(*words, folder=cell)


def log():
    return (cell / "log" / "master.log").read_text()


def main():
    check(run("almanac-admin", "init", cell)[0] == 0, "init")
    offset.write_text("0")
    os.environ["ALMANAC_TEST_CLOCK"], os.environ["LD_PRELOAD"] = str(offset), os.path.abspath(sys.argv[2])
    master = start("almanac-master", cell)
    check(run("almanac-admin", "add-host", cell, "n1", "--slots", 4)[0] == 0, "add-host")
    daemons.ignore_load(cell)
    start("almanac-agent", cell / "agents" / "n1")
    wait(lambda: "host registered" in log(), "n1 registers")

    begun = time.time()
    soon = time.strftime("%Y%m%d%H%M.%S", time.localtime(begun + 8))
    for words in (["qrsub", "-d", 8], ["qsub", "-a", soon, "-b", "y", "-o", "/dev/null", "-j", "y", f"date >> {ran}"]):
        code, text = run(*words)
        check(code == 0, text)
    offset.write_text("-3600")
    wait(lambda: "the wall clock is 3600 s behind" in log(), "the master says so")
    wait(lambda: ran.exists() and not run("qrstat", "-u", "*")[1], "a job starts and a reservation ends when they are due")
    check(7 < time.time() - begun < 25, "not an hour late")

    master.kill()
    master.wait()
    master = start("almanac-master", cell)
    check(log().count("s behind: time goes on") == 2, "a master that starts then says so, too")
    code, text = run("qsub", "-sync", "y", "-b", "y", "-o", "/dev/null", "-j", "y", "true")
    check(code == 0, text)
    code, text = run("qacct", "-j", 2)
    check(code == 0, text)
    times = [line.split(None, 1)[1] for line in text.splitlines() if line.startswith(("qsub_time", "start_time", "end_time"))]
    check(len(times) == 3 and times == sorted(times), f"accounting goes forward: {times}")
    master.kill()
    master.wait()
    code, text = run("almanac-admin", "replay", cell)
    check(code == 0 and "is that of the stored records" in text, text)

    daemons.end_all()
    check("master.pem" not in log(), "nothing is said of certificates that last")
    offset.write_text(str(710 * 86400))
    start("almanac-master", cell)
    wait(lambda: 'master.pem of "master" ends on ' in log(), "twenty days before the end it is")
    check("ca.pem of" not in log(), "the authority's lasts longer")
    print("a clock that is set back holds up nothing")


play(main)
