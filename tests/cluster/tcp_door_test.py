#!/usr/bin/env python3
"""The TCP door: a host without an agent, a private munged, and what a stranger may try. Real processes."""
import os, pwd, socket, struct, subprocess

from daemons import check, ignore_load, play, run, spawn, start, stop, typed, wait, work


def munged(name):
    folder = work / name
    folder.mkdir(mode=0o755)
    key = folder / "key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o600)
    paths = [f"--{option}={folder / option}" for option in ("socket", "pid-file", "log-file", "seed-file")]
    spawn("munged", "--foreground", "--force", f"--key-file={key}", *paths)
    wait(lambda: (folder / "socket").exists(), f"{name} starts")
    return folder / "socket"


def recorded(port, give):
    """Plays a door that closes after one frame: what a client says to it."""
    with socket.create_server(("127.0.0.1", port)) as server:
        client = give(server.getsockname()[1])
        connection, _ = server.accept()
        with connection:
            size = struct.unpack(">I", connection.recv(4, socket.MSG_WAITALL))[0]
            frame = connection.recv(size, socket.MSG_WAITALL)
        client.kill()
        client.wait()
        return frame


def ask(port, frame):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as client:
        client.sendall(struct.pack(">I", len(frame)) + frame)
        head = client.recv(4, socket.MSG_WAITALL)
        return client.recv(struct.unpack(">I", head)[0], socket.MSG_WAITALL) if len(head) == 4 else b""


def main():
    good, other = munged("munged-a"), munged("munged-b")
    cell = work / "cell"
    check(run("almanac-admin", "init", cell, folder=cell)[0] == 0, "init")
    settings = cell / "settings.toml"
    plain = settings.read_text()

    # No munged: shut, and said so; the Unix door works.
    settings.write_text(plain + 'munge_socket = "/nowhere/munge.socket"\n')
    master = start("almanac-master", cell)
    log = cell / "log" / "master.log"
    check("the TCP door is shut" in log.read_text() and not (cell / "doors").exists(), "a shut door is said to be shut")
    check(run("qstat", folder=cell)[0] == 0, "the Unix door is open")
    stop(master)

    settings.write_text(plain + f'munge_socket = "{good}"\n')
    start("almanac-master", cell)
    check(run("almanac-admin", "add-host", cell, "n1", "--slots", 4, folder=cell)[0] == 0, "add-host")
    start("almanac-agent", cell / "agents" / "n1")
    ignore_load(cell)
    doors = (cell / "doors").read_text()
    port = int(doors.split(":")[-1].split()[0])

    # A host without an agent has the file `doors` and nothing else.
    far = work / "far"
    far.mkdir(mode=0o755)
    (far / "doors").write_text(doors)
    user = "almanac-t1" if os.geteuid() == 0 else None
    name = user or pwd.getpwuid(os.geteuid()).pw_name
    wait(lambda: "-NA-" not in run("qstat", "-f", folder=far)[1], "the agent registers, seen through the TCP door")
    code, text = run("qsub", "-sync", "y", "-b", "y", "-j", "y", "-o", "/dev/null", "true", folder=far, user=user)
    check(code == 0, f"a job through the TCP door: {text}")
    code, text = run("qacct", "-j", 1, folder=far, user=user)
    check(code == 0 and f"owner        {name}" in text, f"the credential's user owns the job: {text}")
    if user:
        code, text = run("qconf", "-am", user, folder=far, user=user)
        check(code != 0 and "must be manager" in text, f"whoever it is, it is not root: {text}")

    # Another realm's credential, none at all, a wrong file.
    (far / "doors").write_text(f"tcp 127.0.0.1:{port} {other}\n")
    code, text = run("qstat", folder=far)
    check(code == 1 and "the credential is refused" in text, text)
    (far / "doors").write_text(f"tcp 127.0.0.1:{port} /nowhere\n")
    code, text = run("qstat", folder=far)
    check(code == 1 and "no MUNGE credential" in text, text)
    (far / "doors").write_text("tcp somewhere\n")
    code, text = run("qstat", folder=far)
    check(code == 1 and "doors:1:" in text and "is expected" in text, text)
    (far / "doors").write_text("# nothing\n")
    code, text = run("qstat", folder=far)
    check(code == 1 and "there is no door in" in text, text)

    # A frame taken from the wire: good once, then never again, nor with anything changed.
    def give(fake):
        (far / "doors").write_text(f"tcp 127.0.0.1:{fake} {good}\n")
        arguments, env = typed("qsub", "-b", "y", "-N", "taken", "-j", "y", "-o", "/dev/null", "true", folder=far)
        return spawn(*arguments, env=env)

    frame = recorded(0, give)
    check(b"is for another request" in ask(port, frame.replace(b"taken", b"other")), "a changed request is refused")
    frame = recorded(0, give)
    check(b'("taken") has been submitted' in ask(port, frame), "the frame as it was is taken")
    check(b"Replayed" in ask(port, frame), "a second time it is not")
    for garbage in (b"", b"\x00", b"x" * 64, os.urandom(4000), b"GET / HTTP/1.0\r\n\r\n"):
        try:
            ask(port, garbage)
        except (TimeoutError, ConnectionError):
            pass
    with socket.create_connection(("127.0.0.1", port), timeout=5) as client:
        client.sendall(b"\xff\xff\xff\xff")
        check(client.recv(1) == b"", "a frame that is too long closes the connection")
    (far / "doors").write_text(doors)
    code, text = run("qsub", "-sync", "y", "-b", "y", "-j", "y", "-o", "/dev/null", "true", folder=far)
    check(code == 0, f"the door lives on: {text}")
    print("the TCP door lets in whom munged vouches for, and nobody else")


play(main)
