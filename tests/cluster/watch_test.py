#!/usr/bin/env python3
"""What changes, as almanac-console watch follows it on real processes: the master is killed with -9, and the row goes on where it was. A copy that is built from nothing but
the changes is what a fresh list shows."""
import json, subprocess, threading

import daemons
from daemons import check, play, start, typed, wait, work

cell = work / "cell"


def run(*words):
    code, text = daemons.run(*words, folder=cell, deadline=30)
    check(code == 0, f"{words}: {text}")
    return text


class Copy:
    """A process that watches, and what comes of its lines."""

    def __init__(self, *words):
        arguments, env = typed("almanac-console", "--json", "watch", *words, folder=cell, deadline=30)
        self.process = subprocess.Popen(arguments, env=env, stdout=subprocess.PIPE, text=True, cwd="/tmp")
        daemons.processes.append(self.process)
        self.lines, self.objects = [], {}
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        for line in self.process.stdout:
            change = json.loads(line)
            if "event" in change:
                kind, verb = change["event"].rsplit("_", 1)
                if verb == "DEL":
                    self.objects.pop((kind, change["id"]), None)
                else:
                    self.objects[kind, change["id"]] = shown(change)
            self.lines.append(change)

    def cursor(self):
        known = [line["cursor"] for line in self.lines if line["cursor"] != "-"]
        return known[-1] if known else None

    def events(self):
        return [(line["event"], line["id"]) for line in list(self.lines) if "event" in line]


def shown(change):
    return {name: value for name, value in change.items() if name not in ("cursor", "event")}


def fresh_list():
    """What there is now, of all kinds."""
    lines = [json.loads(line) for line in run("almanac-console", "--json", "watch", "--list", "--once").splitlines()]
    return {(line["event"].rsplit("_", 1)[0], line["id"]): shown(line) for line in lines if "event" in line}


def submit(name):
    return run("qsub", "-terse", "-h", "-N", name, "-b", "y", "sleep", "60").strip()


def main():
    check(daemons.run("almanac-admin", "init", cell, folder=cell)[0] == 0, "init")
    master = start("almanac-master", cell)
    before = submit("before")
    copy = Copy("--list")
    wait(lambda: copy.cursor(), "the list ends with a cursor")
    check(("JOB_LIST", before) in copy.events(), f"the list has what was there: {copy.events()}")

    first, second = submit("first"), submit("second")
    run("qalter", "-N", "renamed", first)
    run("qdel", second)
    run("qconf", "-au", "alice", "arusers")
    wait(lambda: ("JOB_DEL", second) in copy.events() and ("USERSET_MOD", "arusers") in copy.events(), "what changes is told")
    cursor = copy.cursor()

    # The one that watches is not told of the crash: it finds the next master by itself.
    master.kill()
    master.wait()
    master = start("almanac-master", cell)
    third = submit("third")
    run("qdel", before)
    wait(lambda: ("JOB_ADD", third) in copy.events() and ("JOB_DEL", before) in copy.events(), "it goes on with the next master", 40)
    check(copy.process.poll() is None, "it goes on watching")
    told = [event for event in copy.events() if event[0] in ("JOB_ADD", "JOB_DEL")]
    check(len(told) == len(set(told)), f"nothing is told twice: {told}")

    # Somebody who comes with the cursor from before the crash hears the rest, and nothing else.
    late = run("almanac-console", "--json", "watch", "job", "--after", cursor, "--once")
    events = [(line["event"], line["id"]) for line in map(json.loads, late.splitlines()) if "event" in line]
    check(("JOB_ADD", third) in events and ("JOB_DEL", before) in events, f"behind the cursor: {events}")
    check(not any(id in (first, second) for _, id in events), f"what was heard before is not told again: {events}")

    # All of it, compared with what a list shows now.
    wait(lambda: copy.objects == fresh_list(), f"the copy is what there is: {differences(copy.objects, fresh_list())}", 10)

    code, text = daemons.run("almanac-console", "watch", "--after", "1-1", folder=cell)
    check(code == 1 and "no longer kept" in text, f"a cursor of nobody: {text}")
    code, text = daemons.run("almanac-console", "watch", "nosuch", folder=cell)
    check(code == 1 and "no events of the kind" in text, f"a kind that is none: {text}")


def differences(one, other):
    return [(key, one.get(key), other.get(key)) for key in set(one) | set(other) if one.get(key) != other.get(key)]


play(main)
