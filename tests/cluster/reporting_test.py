#!/usr/bin/env python3
"""The reporting file (docs/spec/reservations.md section 13.2, cli.md C11.14 to C11.16): each record once, whenever the master is killed. Real processes."""
import collections, random, re

import daemons
from daemons import check, play, start, wait, work

cell = work / "cell"
file = cell / "root" / "default" / "common" / "reporting"
chance = random.Random(13)


def run(*words, deadline=30):
    return daemons.run(*words, folder=cell, deadline=deadline)


def works(*words):
    code, text = run(*words)
    check(code == 0, f"{words}: {text}")
    return text


def records():
    """[kind, field, …] of each line."""
    if not file.exists():
        return []
    return [line.split(":")[1:] for line in file.read_text().splitlines() if not line.startswith("#")]


def reserve():
    """Nothing: the master is gone. It may be granted all the same."""
    code, text = run("qrsub", "-d", "1:0:0", "-pe", "fill", "2", deadline=3)
    return re.search(r"reservation (\d+) has", text).group(1) if code == 0 else None


def events(number):
    """How often each kind of record is there of a reservation, and each event of ar_log. Its host may be away after a restart."""
    found = collections.Counter()
    for kind, *fields in records():
        if "ar" in kind.split("_") and fields[0 if kind == "new_ar" else 1:][1] == number:
            found[fields[4] if kind == "ar_log" else kind] += 1
    return collections.Counter({what: count for what, count in found.items() if not what.startswith("RESOURCES")})


def steps(job):
    """What is told of a job, in its order."""
    said = []
    for kind, *fields in records():
        if kind == "job_log" and fields[2] == job:
            said.append((fields[1], fields[5], fields[6], fields[-1]))
        elif kind == "new_job" and fields[1] == job or kind == "acct" and fields[5] == job:
            said.append(kind)
    return said


def told():
    """Load and states change by themselves."""
    return [record for record in records() if not record[0].startswith(("queue", "host"))]


def run_a_job():
    number = re.search(r"job (\d+) ", works("qsub", "-b", "y", "-o", "/dev/null", "-j", "y", "true")).group(1)
    expected = ["new_job", ("pending", "", "root", "new job"), ("sent", "t", "master", "sent to execd"),
                ("delivered", "r", "master", "job received by execd"), "acct", ("finished", "r", "execution daemon", "job exited"),
                ("finished", "r", "master", "job waits for schedds deletion"), ("deleted", "T", "scheduler", "job deleted by schedd")]
    wait(lambda: steps(number) == expected, f"the steps of job {number}: {steps(number)}")
    used = [fields[-1] for kind, *fields in records() if kind == "queue_consumable"]
    check("slots=1.000000=4.000000" in used and used[-1] == "slots=0.000000=4.000000", f"slots are taken and given back: {used}")


def gather():
    """Lines wait for flush_time, and for nothing else."""
    (work / "conf").write_text("reporting_params reporting=true flush_time=0:0:3\n")
    works("qconf", "-Mconf", work / "conf")
    works("qmod", "-d", "all.q@n1")
    states = lambda: [fields[-1] for kind, *fields in records() if kind == "queue"]
    check(states()[-1:] != ["d"], "nothing is written at once")
    wait(lambda: states()[-1:] == ["d"], "the queue is off")


def main():
    check(run("almanac-admin", "init", cell)[0] == 0, "init")
    master = start("almanac-master", cell)
    check(run("almanac-admin", "add-host", cell, "n1", "--slots", "4")[0] == 0, "add-host")
    start("almanac-agent", cell / "agents" / "n1")
    check(not file.exists(), "nobody asked for it")
    daemons.ignore_load(cell)
    (work / "conf").write_text("reporting_params reporting=true joblog=true log_consumables=true flush_time=0:0:0\n")
    works("qconf", "-Mconf", work / "conf")
    run_a_job()

    whole = collections.Counter({"new_ar": 1, "ar_attribute": 1, "START TIME REACHED": 1, "DELETED": 1, "ar_acct": 1})
    numbers = set()
    # The accounting file is looked at first at each start: that is "exported" for the first time.
    for crash in 3 * ["", "exported:2", "exported:3", "after-commit:2", "before-answer:1"]:
        master.kill()
        master.wait()
        master = start("almanac-master", cell, crash_at=crash)
        numbers |= {number for number in (reserve(), reserve()) if number}
        if crash or chance.random() < 0.5:
            master.kill()
            master.wait()
            master = start("almanac-master", cell)
        for number in re.findall(r"^ *(\d+) ", works("qrstat"), re.M):
            numbers.add(number)
            works("qrdel", number)
    for number in numbers:
        wait(lambda: events(number) == whole, f"each record of reservation {number} is there once")
    check(all(len(record) > 3 for record in records()), "no line is cut")
    before = told()
    master.kill()
    master.wait()
    start("almanac-master", cell)
    works("qrstat")
    check(told() == before, "nothing is written again")
    gather()


play(main)
