#!/usr/bin/env python3
"""What 200 qsub of one user take while another one attacks the door, beside the same attacker at a closed door.
As root, with the users almanac-t1 and almanac-t2; the attacker has one core. Prints; asserts nothing."""
import os, pathlib, pwd, resource, signal, socket, statistics, struct, subprocess, sys, threading, time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cluster"))
from daemons import memory_mb, play, run, start, typed, work

cell = work / "cell"


def become(name):
    user = pwd.getpwnam(name)
    os.setgid(user.pw_gid)
    os.setuid(user.pw_uid)


def knock(door):
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(1)
    try:
        client.connect(door)
    except OSError:
        client.close()
        return None
    return client


def attempt(client, content):
    try:
        client.sendall(content)
    except OSError:
        client.close()
        return False
    return True


def crowd(door):
    """Always 8,192 connections that say nothing, or as many as there is room for."""
    kept = []
    while True:
        kept.append(knock(door))
        if len(kept) > 8192:
            gone = kept.pop(0)
            if gone:
                gone.close()


def announce(door):
    """1,500 connections that announce a megabyte each, and send a byte of it now and then."""
    kept = []
    while True:
        client = knock(door)
        if client and attempt(client, struct.pack(">I", 1 << 20)):
            kept.append(client)
        if len(kept) >= 1500:
            kept = [client for client in kept if attempt(client, b"x")]


def pipeline(door):
    """60,000 questions on a connection, whose answers nobody reads; then the next one."""
    frames = (struct.pack(">I", 16) + b"\0" * 16) * 100
    while True:
        client = knock(door)
        for _ in range(600):
            if not client or not attempt(client, frames):
                break
        if client:
            client.close()


def under(attack, door):
    """The attack's process, on a core of its own."""
    child = os.fork()
    if child == 0:
        become("almanac-t1")
        os.sched_setaffinity(0, {0})
        attack(str(door))
    time.sleep(2)
    return child


def submissions():
    """The median of 200 qsub, in ms."""
    words, env = typed("qsub", "-h", "-terse", "-b", "y", "-o", "/dev/null", "-j", "y", "true", folder=cell, deadline=60)
    taken = []
    for _ in range(200):
        begin = time.monotonic()
        subprocess.run(words, env=env, stdout=subprocess.DEVNULL, check=True, cwd="/tmp", user="almanac-t2")
        taken.append(time.monotonic() - begin)
    return statistics.median(taken) * 1e3


def most_memory(process, until):
    seen = []

    def look():
        while not until.wait(0.1):
            seen.append(memory_mb(process))
    thread = threading.Thread(target=look)
    thread.start()
    return lambda: (thread.join(), max(seen))[1]


attacks = sys.argv[2:] or ["crowd", "announce", "pipeline"]


def main():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 20_000), hard))
    run("almanac-admin", "init", cell, folder=cell)
    master = start("almanac-master", cell)
    closed = work / "closed"
    with socket.socket(socket.AF_UNIX) as nobody:
        nobody.bind(str(closed))
    closed.chmod(0o777)
    print(f"200 qsub, nobody attacks: {submissions():.1f} ms each")
    for attack in map(globals().get, attacks):
        figures = []
        for door in (closed, cell / "run" / "door"):
            before, over = memory_mb(master), threading.Event()
            most = most_memory(master, over)
            child = under(attack, door)
            figures.append(submissions())
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            over.set()
        time.sleep(11)
        print(f"{attack.__name__}: {figures[1]:.1f} ms each, at a closed door {figures[0]:.1f} ms: {figures[1] / figures[0]:.2f} x (target 2 x);"
              f" memory {most() - before:+.0f} MB at most, {memory_mb(master) - before:+.0f} MB afterwards", flush=True)


play(main)
