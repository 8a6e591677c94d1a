#!/usr/bin/env python3
"""The reporting file (docs/spec/reservations.md section 13.2): each record once, whenever the master is killed. Real processes."""
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
        if fields[0 if kind == "new_ar" else 1:][1] == number:
            found[fields[4] if kind == "ar_log" else kind] += 1
    return collections.Counter({what: count for what, count in found.items() if not what.startswith("RESOURCES")})


def main():
    check(run("almanac-admin", "init", cell)[0] == 0, "init")
    master = start("almanac-master", cell)
    check(run("almanac-admin", "add-host", cell, "n1", "--slots", "4")[0] == 0, "add-host")
    start("almanac-agent", cell / "agents" / "n1")
    check(not file.exists(), "nobody asked for it")
    (work / "conf").write_text("reporting_params reporting=true\n")
    works("qconf", "-Mconf", work / "conf")

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
    before = file.read_text()
    master.kill()
    master.wait()
    start("almanac-master", cell)
    works("qrstat")
    check(file.read_text() == before, "nothing is written again")


play(main)
