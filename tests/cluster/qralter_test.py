#!/usr/bin/env python3
"""60 times kill -9 of a master to which clients send one change of a reservation after the other: each is found as it was or as it was to become, never in between;
what was acknowledged is there, what was refused has left nothing, and all is decided again to the same bookings. Real processes."""
import os, random, re, signal, subprocess, threading, time

import daemons
from daemons import bin, check, play, start, wait, work

kills = int(os.environ.get("ALMANAC_CHANGE_KILLS", "60"))
cell = work / "cell"
chance = random.Random(18)
points = ("before-commit", "after-commit", "before-answer")


def run(*words):
    return daemons.run(*words, folder=cell, deadline=60)


def works(*words):
    code, text = run(*words)
    check(code == 0, f"{words}: {text}")
    return text


def seen(number):
    """Name and length in seconds, as they are shown together."""
    text = works("qrstat", "-ar", number)
    name = re.search(r"^name +(\S+)", text, re.MULTILINE)[1]
    hours, minutes, seconds = map(int, re.search(r"^duration +(\d+):(\d+):(\d+)", text, re.MULTILINE).groups())
    return name, hours * 3600 + minutes * 60 + seconds


class Client(threading.Thread):
    """Changes a reservation of its own, name and length at once, until it is told to stop."""

    def __init__(self, me):
        super().__init__(daemon=True)
        self.chance = random.Random(me)
        self.now = (f"c{me}n0", 600)
        text = works("qrsub", "-a", "210001010000", "-d", 600, "-N", self.now[0])
        self.number = text.split()[3]
        self.me, self.changed, self.refused, self.problem = me, 0, 0, None
        self.stopped = threading.Event()

    def run(self):
        try:
            while not self.stopped.is_set():
                self.change()
        except BaseException as problem:
            self.problem = problem

    def change(self):
        following = (f"c{self.me}n{self.changed + 1}", 600 + self.changed % 500 + 1)
        line = ["qralter", self.number, "-N", following[0], "-d", following[1]]
        if self.chance.random() < 0.3:
            code, text = run(*line, "-pe", "fill", 99)
            check(code == 1 and f"advance reservation {self.number} was not changed" in text, f"a change without a place: {code} {text}")
            self.refused += 1
        else:
            code, text = run(*line)
            check(code == 0 and f"modified advance reservation {self.number}" in text, f"a change: {code} {text}")
            self.now = following
            self.changed += 1
        if self.chance.random() < 0.3:
            there = seen(self.number)
            check(there == self.now, f"acknowledged was {self.now}, there is {there}")


def watch(clients, stopped, problems):
    """Whoever looks meanwhile sees name and length of one change."""
    try:
        while not stopped.is_set():
            for client in clients:
                name, length = seen(client.number)
                i = int(name.split("n")[1])
                check(length == (600 + (i - 1) % 500 + 1 if i else 600), f"half of a change: {name} with {length} s")
            time.sleep(0.1)
    except BaseException as problem:
        problems.append(problem)


def main():
    check(run("almanac-admin", "init", cell)[0] == 0, "init")
    master = start("almanac-master", cell)
    check(run("almanac-admin", "add-host", cell, "n1", "--slots", 4)[0] == 0, "add-host")
    start("almanac-agent", cell / "agents" / "n1")
    daemons.ignore_load(cell)
    wait(lambda: " au " not in run("qstat", "-f")[1], "the host is there")
    clients = [Client(me) for me in range(3)]
    stopped, problems = threading.Event(), []
    watcher = threading.Thread(target=watch, args=(clients, stopped, problems), daemon=True)
    for thread in (*clients, watcher):
        thread.start()
    reached = {point: 0 for point in points}
    for i in range(kills):
        point = points[i // 2 % len(points)] if i % 2 else ""
        if point:
            try:
                master.wait(timeout=10)
                reached[point] += 1
            except subprocess.TimeoutExpired:
                pass
        time.sleep(0 if point else chance.uniform(0.01, 0.5))
        master.kill()
        master.wait()
        following = points[(i + 1) // 2 % len(points)] if i % 2 == 0 else ""
        master = start("almanac-master", cell, f"{following}:{chance.randint(2, 6)}" if following else "")
        check(all(client.problem is None for client in clients) and not problems, f"{[client.problem for client in clients]} {problems}")
    if master.poll() is not None:
        master = start("almanac-master", cell)
    for client in clients:
        client.stopped.set()
    for client in clients:
        client.join(60)
        check(client.problem is None, f"client {client.me}: {client.problem}")
        check(seen(client.number) == client.now, f"acknowledged was {client.now}, there is {seen(client.number)}")
    stopped.set()
    watcher.join(60)
    check(not problems, str(problems))
    check(all(count >= kills // 10 for count in reached.values()), f"the named points are reached: {reached}")
    changed, refused = sum(client.changed for client in clients), sum(client.refused for client in clients)
    check(changed > kills, "a stream of changes")
    master.kill()
    master.wait()
    print(works("almanac-admin", "replay", cell).strip())
    print(f"{kills} kills, {changed} changes, {refused} refusals; {reached}")


play(main)
