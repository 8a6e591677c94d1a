#!/usr/bin/env python3
"""Who crowds the doors keeps nobody out: attempts 57 to 60 of the security review (67 is in cluster/link_test.py, 70 in network_test.py). Real processes."""
import os, pathlib, resource, socket, struct, subprocess, sys, time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cluster"))
from daemons import bin, check, memory_mb, play, run, start, stop, wait, work

cell = work / "cell"
attacker, other = ("almanac-t1", "almanac-t2") if os.getuid() == 0 else (None, None)


def knock():
    client = socket.socket(socket.AF_UNIX)
    client.connect(str(cell / "run" / "door"))
    return client


def is_closed(client):
    client.setblocking(False)
    try:
        return client.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


def as_attacker(attack):
    """Runs the attack in a process of the attacking user, until its end is asked for; a pipe tells that it is under way."""
    ready, tell = os.pipe()
    stay, end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(end)
        if attacker:
            import pwd
            os.setgid(pwd.getpwnam(attacker).pw_gid)
            os.setuid(pwd.getpwnam(attacker).pw_uid)
        kept = attack()
        os.write(tell, struct.pack(">I", sum(1 for client in kept if not is_closed(client))))
        os.read(stay, 1)
        os._exit(0)
    os.close(stay)
    held = struct.unpack(">I", os.read(ready, 4))[0]

    def leave():
        os.close(end)
        os.waitpid(child, 0)
    return held, leave


def crowd():
    """8,300 connections, each of which announces a megabyte and says no more."""
    kept = []
    for _ in range(8300):
        try:
            client = knock()
            kept.append(client)
            client.sendall(struct.pack(">I", 1 << 20))
        except OSError:
            pass
    time.sleep(1)
    return kept


def pipeline():
    """60,000 questions on a connection, whose answers nobody reads; then the next one, for ten seconds."""
    frame = struct.pack(">I", 16) + b"\0" * 16
    end = time.time() + 10
    while time.time() < end:
        client = knock()
        client.settimeout(5)
        try:
            for _ in range(600):
                client.sendall(frame * 100)
        except OSError:
            pass
    return [client]


def long_names(master):
    """59: deletions of a job whose name has a megabyte, and 150 of ten whose names have it together: only these are looked for."""
    logs = lambda: sum(path.stat().st_size for path in (cell / "log").iterdir())
    before, logged = memory_mb(master), logs()
    for size, count, times, why in ((1_000_000, 1, 15, "targets is too long"), (100_000, 10, 150, "does not exist")):
        words = [bin / "door_client", cell / "run" / "door", "delete-long", *map(str, (size, count, times))]
        done = subprocess.run(words, user=other, capture_output=True, text=True, timeout=120)
        answers = done.stdout.splitlines()
        check(done.returncode == 1 and len(answers) == count * times, f"each is refused: {done.returncode}, {len(answers)} answers, {done.stderr[:300]}")
        check(all(why in answer and len(answer) < 300 for answer in answers), f"with a short reason: {answers[0][:400]}")
    check(memory_mb(master) - before < 100, f"names of 165 MB cost {memory_mb(master) - before} MB")
    print(f"names of 165 MB cost {memory_mb(master) - before} MB")
    check(logs() - logged < 100_000, f"names of 165 MB take {logs() - logged} bytes of the logs")


def others_are_served(what):
    check(run("qstat", folder=cell, deadline=10, user=other)[0] == 0, f"{what}: another user is served")
    check(run("qstat", folder=cell, deadline=10)[0] == 0, f"{what}: root is served")


def main():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 20_000), hard))
    check(run("almanac-admin", "init", cell, folder=cell)[0] == 0, "init")
    master = start("almanac-master", cell)
    others_are_served("before")
    before = memory_mb(master)

    held, leave = as_attacker(crowd)
    if attacker:
        check(held < 1000, f"one user holds only a part of the places, not {held}")
        others_are_served("a crowd of 8,300")
    check(memory_mb(master) - before < 64, f"announced lengths cost nothing: {memory_mb(master) - before} MB")
    if other:
        long_names(master)  # meanwhile: the silent are closed after ten seconds
    wait(lambda: len(os.listdir(f"/proc/{master.pid}/fd")) < 300, "the silent are closed, whatever they do", 30)
    lines = (cell / "log" / "master.log").read_text().count("uid")
    check(lines < 200, f"what one user is refused does not fill the log: {lines} lines")
    leave()

    held, leave = as_attacker(pipeline)
    others_are_served("60,000 requests")
    check(memory_mb(master) - before < 64, f"pipelined requests cost {memory_mb(master) - before} MB")
    leave()
    check(master.poll() is None, "the master lives on")
    stop(master)
    print("nobody is kept out")


play(main)
