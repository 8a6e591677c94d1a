#!/usr/bin/env python3
"""Letters are in the store until a mailer has taken them: also when it refuses them at first and the master is killed. Real processes."""
import os

import daemons
from daemons import check, play, start, wait, work

cell, mails, whose, refuses = work / "cell", work / "mails", work / "whose", work / "refuses"


def run(*words):
    return daemons.run(*words, folder=cell)


def log():
    return (cell / "log" / "master.log").read_text()


def end_a_job(*options):
    code, text = run("qsub", "-terse", "-h", "-m", "a", *options, "-b", "y", "true")
    check(code == 0, text)
    check(run("qdel", text.strip())[0] == 0, "qdel")


def main():
    check(run("almanac-admin", "init", cell)[0] == 0, "init")
    mailer = work / "mailer"
    mailer.write_text(f"#!/bin/sh\n[ -e {refuses} ] && exit 75\nid -u > {whose}\necho \"$3\" >> {mails}\ncat > /dev/null\n")
    mailer.chmod(0o755)
    for file in (mails, whose):
        file.touch()
        file.chmod(0o666)
    settings = work / "settings"
    master = start("almanac-master", cell)

    def use(program):
        settings.write_text(f"mailer {program}\n")
        check(run("qconf", "-Mconf", settings)[0] == 0, "the mailer is set")

    use(work / "nosuch")
    end_a_job("-M", "early")
    wait(lambda: "mail to early" in log() and "No such file" in log(), "a mailer that is not there is told of")
    use(mailer)
    refuses.touch()
    end_a_job("-M", "carol,dave")
    wait(lambda: log().count("exited with 75") == 2, "a mailer that refuses is told of")
    check("waiting: 3" in run("almanac-console", "show", "postman")[1], "all wait for the next try")

    master.kill()
    master.wait()
    refuses.unlink()
    master = start("almanac-master", cell)
    wait(lambda: sorted(mails.read_text().split()) == ["carol", "dave", "early"], "all are sent after the restart")
    end_a_job()
    wait(lambda: len(mails.read_text().split()) == 4, "without -M it goes to the owner")
    check(int(whose.read_text()) == (os.geteuid() or 65534), "the mailer of a master that is root is nobody")
    wait(lambda: "waiting: 0" in run("almanac-console", "show", "postman")[1], "none waits")
    master.kill()
    master.wait()
    master = start("almanac-master", cell)
    use("NONE")
    end_a_job("-M", "nobody")
    wait(lambda: "sent: 1\nwaiting: 0" in run("almanac-console", "show", "postman")[1], "NONE is told as sent")
    check(len(mails.read_text().split()) == 4, "nothing is sent twice that was sent, and nothing with NONE")
    print("letters outlive refusing mailers and a killed master")


play(main)
