#!/usr/bin/env python3
"""The TCP door: a host without an agent, a private munged, and what a stranger may try. Real processes."""
import contextlib, os, pwd, shutil, socket, ssl, struct, subprocess, threading

from daemons import bin, check, ignore_load, is_closed, munged, play, run, spawn, start, stop, typed, wait, work

cell, far = work / "cell", work / "far"
speaks = "almanac-door-1"


def look_at(port, munge, authority=None):
    """From now on the far host knows a door at this port."""
    (far / "doors").write_text(f"tcp 127.0.0.1:{port} {munge}\n")
    shutil.copyfile(authority or cell / "doors.pem", far / "doors.pem")


def client_context(protocol=speaks, version=ssl.TLSVersion.TLSv1_3):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cell / "doors.pem")
    context.check_hostname = False
    context.maximum_version = version
    if protocol:
        context.set_alpn_protocols([protocol])
    return context


@contextlib.contextmanager
def channel(port, context=None):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as client:
        with (context or client_context()).wrap_socket(client) as tls:
            yield tls


def receive(connection, size):
    content = b""
    while len(content) < size:
        more = connection.recv(size - len(content))
        if not more:
            break
        content += more
    return content


def receive_frame(connection):
    head = receive(connection, 4)
    return receive(connection, struct.unpack(">I", head)[0]) if len(head) == 4 else b""


def ask(port, frame):
    with channel(port) as client:
        client.sendall(struct.pack(">I", len(frame)) + frame)
        return receive_frame(client)


class Listener:
    """Takes connections at a port of its own, one after the other."""

    def __init__(self):
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                self.take(self.server.accept()[0])


class FarEnd(Listener):
    """Whoever answers where a command takes the master to be: with these certificates, and what it gets."""

    def __init__(self, folder, certificate, key, protocol=speaks, version=ssl.TLSVersion.TLSv1_3):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(folder / certificate, folder / key)
        self.context.maximum_version = version
        self.context.set_alpn_protocols([protocol])
        self.got, self.calls = [], 0
        super().__init__()

    def take(self, connection):
        self.calls += 1
        with contextlib.suppress(OSError), connection:
            connection.settimeout(5)
            with self.context.wrap_socket(connection, server_side=True) as tls:
                if frame := receive_frame(tls):
                    self.got.append(frame)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.close()


class Wire(Listener):
    """Passes everything on to the door, and keeps it: what somebody sees who is between."""

    def __init__(self, port):
        self.to, self.seen = port, bytearray()
        super().__init__()

    def take(self, near):
        there = socket.create_connection(("127.0.0.1", self.to))
        for pair in ((near, there), (there, near)):
            threading.Thread(target=self.carry, args=pair, daemon=True).start()

    def carry(self, source, target):
        with contextlib.suppress(OSError):
            while piece := source.recv(65536):
                self.seen += piece
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)


def a_host_without_an_agent(port, user, good):
    """It has the files `doors` and `doors.pem`, and nothing else."""
    (far / "doors").write_text((cell / "doors").read_text())
    (far / "doors.pem").write_bytes((cell / "doors.pem").read_bytes())
    check((cell / "doors.pem").stat().st_mode & 0o777 == 0o644, "the certificate of the authority is for all to read")
    check("PRIVATE" not in (cell / "doors.pem").read_text(), "there is no key in it")
    name = user or pwd.getpwuid(os.geteuid()).pw_name
    wait(lambda: "-NA-" not in run("qstat", "-f", folder=far)[1], "the agent registers, seen through the TCP door")
    code, text = run("qsub", "-sync", "y", "-b", "y", "-j", "y", "-o", "/dev/null", "true", folder=far, user=user)
    check(code == 0, f"a job through the TCP door: {text}")
    code, text = run("qacct", "-j", 1, folder=far, user=user)
    check(code == 0 and f"owner        {name}" in text, f"the credential's user owns the job: {text}")
    if user:
        code, text = run("qconf", "-am", user, folder=far, user=user)
        check(code != 0 and "must be manager" in text, f"whoever it is, it is not root: {text}")
    big = work / "big.sh"
    big.write_text("# " + "x" * 900_000 + "\nexit 0\n")
    code, text = run("qsub", "-sync", "y", "-j", "y", "-o", "/dev/null", big, folder=far, user=user)
    check(code == 0, f"a large script through the TCP door: {text}")


def what_a_command_needs():
    """TLS is a module beside the programs: at the Unix door nobody misses it. What a TCP door cannot do is said."""
    alone = work / "alone" / "bin"
    alone.mkdir(parents=True)
    shutil.copy(bin / "almanac-commands", alone / "qstat")
    for folder, code_wanted, words in ((cell, 0, ""), (far, 1, "a TCP door needs TLS, which can't be loaded")):
        done = subprocess.run([alone / "qstat"], env={**os.environ, "ALMANAC_DIR": str(folder)}, capture_output=True, text=True, timeout=60)
        check(done.returncode == code_wanted and words in done.stderr, f"without the module: {done}")
    arguments, env = typed("qrsh", "-inherit", "n1", "true", folder=far)
    done = subprocess.run(arguments, env={**env, "JOB_ID": "1"}, capture_output=True, text=True, timeout=60)
    check(done.returncode == 1 and "this needs the door of an agent" in done.stderr, f"qrsh -inherit: {done}")


def other_realms_and_wrong_files(port, good, other):
    look_at(port, other)
    code, text = run("qstat", folder=far)
    check(code == 1 and "the credential is refused" in text, text)
    look_at(port, "/nowhere")
    code, text = run("qstat", folder=far)
    check(code == 1 and "no MUNGE credential" in text, text)
    for line, why in (("tcp somewhere\n", "doors:1:"), ("# nothing\n", "there is no door in")):
        (far / "doors").write_text(line)
        code, text = run("qstat", folder=far)
        check(code == 1 and why in text, text)
    look_at(port, good)
    (far / "doors.pem").unlink()
    code, text = run("qstat", folder=far)
    check(code == 1 and "doors.pem, which can't be read" in text and "copy doors.pem" in text, text)
    (far / "doors.pem").write_text("nothing\n")
    code, text = run("qstat", folder=far)
    check(code == 1 and "is not the certificate of a cell" in text and "copy doors.pem" in text, text)


def false_masters(good):
    """Who can't prove that it is the master gets no request, and the command says so at once."""
    code, text = run("almanac-admin", "init", work / "foreign", folder=cell)
    check(code == 0, text)
    agent = cell / "agents" / "n1"
    tls12 = ssl.TLSVersion.TLSv1_2
    for who, end in (
        ("of another authority", FarEnd(work / "foreign" / "ca", "master.pem", "master.key")),
        ("with the certificate of an agent", FarEnd(agent, "tls.pem", "tls.key")),
        ("that means a link", FarEnd(cell / "ca", "master.pem", "master.key", protocol="almanac-2")),
        ("that speaks TLS 1.2", FarEnd(cell / "ca", "master.pem", "master.key", version=tls12)),
    ):
        with end:
            look_at(end.port, good)
            code, text = run("qsub", "-b", "y", "true", folder=far, deadline=60)
            check(code == 1 and "can't prove that it is the master" in text and "Nothing was sent" in text, f"a master {who}: {text}")
            check(end.calls == 1 and not end.got, f"a master {who} gets {end.got} in {end.calls} calls")
    # So does one that has seen the answers of an authority that the host does not know.
    look_at(int((cell / "run" / "tcp_port").read_text()), good, work / "foreign" / "ca" / "ca.pem")
    code, text = run("qstat", folder=far)
    check(code == 1 and "can't prove that it is the master" in text, text)


def no_tls(port):
    """Who speaks in clear, or TLS of another kind, is closed; the log says why."""
    for noise in (struct.pack(">I", 64) + bytes(64), b"", b"\x00", b"x" * 64, b"\xff" * 5000, b"GET / HTTP/1.0\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", port), timeout=5) as client:
            with contextlib.suppress(OSError):
                client.sendall(noise)
                client.shutdown(socket.SHUT_WR)
            check(is_closed(client), f"{noise[:20]} ends the connection")
    log = cell / "log" / "master.log"
    wait(lambda: log.read_text().count("it does not speak TLS") == 5, "each that speaks in clear is told of once")
    for context in (client_context(version=ssl.TLSVersion.TLSv1_2), client_context("almanac-2"), client_context(None)):
        with contextlib.suppress(OSError):
            with channel(port, context) as client:
                check(is_closed(client), "who does not mean this door is let in")
    with channel(port) as client:
        client.sendall(b"\xff\xff\xff\xff")
        check(is_closed(client), "a frame that is too long closes the connection")
    for size in (64, 4000):
        check(b"can't be read" in ask(port, os.urandom(size)), "what can't be read is answered so")
    with channel(port) as client:
        frame = struct.pack(">I", 64) + b"y" * 64
        for at in range(0, len(frame)):
            client.sendall(frame[at : at + 1])
        client.sendall(frame + frame[:2])
        client.sendall(frame[2:])
        check([b"can't be read" in receive_frame(client) for _ in range(3)] == [True] * 3, "frames may come in any pieces")


def the_wire(port, good):
    """Somebody between sees nothing of script, environment, arguments and answer."""
    wire = Wire(port)
    look_at(wire.port, good)
    script = work / "script.sh"
    script.write_text("#!/bin/sh\n# marker-in-script\nexit 0\n")
    code, text = run("qsub", "-h", "-N", "marker-of-name", "-v", "SECRET=marker-in-environment", script, "marker-in-argument", folder=far)
    check(code == 0 and "marker-of-name" in text, text)
    number = text.split()[2]
    code, text = run("qstat", "-j", number, folder=far)
    check(code == 0 and all(word in text for word in ("marker-of-name", "marker-in-environment", "marker-in-argument")), f"the job has it all: {text}")
    check(len(wire.seen) > 3000, "all of it went over the wire")
    check(b"marker" not in wire.seen, "nothing of it can be read there")
    check(b"MUNGE" not in wire.seen, "nor a credential")


def stolen_requests(port, good):
    """A sealed request is good on its own channel, once."""
    look_at(port, good)

    def answer(what):
        done = subprocess.run([bin / "sealed_client", far, what], capture_output=True, text=True, timeout=60)
        check(done.returncode == 0, done.stdout + done.stderr)
        return done.stdout

    first, second = answer("twice").splitlines()
    check('("taken") has been submitted' in first, first)
    check("Replayed" in second, f"once more on the same channel: {second}")
    for what in ("elsewhere", "changed", "unbound"):
        check("is for another request, or for another connection" in answer(what), f"{what} is refused")
    check("nonce does not have 16 bytes" in answer("border"), "the border is where it was")

    # Who has the master's key gets a request, and still can't pass it on.
    with FarEnd(cell / "ca", "master.pem", "master.key") as end:
        look_at(end.port, good)
        arguments, env = typed("qsub", "-b", "y", "-N", "taken", "-j", "y", "-o", "/dev/null", "true", folder=far)
        client = spawn(*arguments, env=env)
        wait(lambda: end.got, "a command says it all to who has the master's certificate")
        client.kill()
        client.wait()
        check(b"is for another request, or for another connection" in ask(port, end.got[0]), "on another channel it is refused")


def main():
    good, other = munged("munged-a"), munged("munged-b")
    check(run("almanac-admin", "init", cell, folder=cell)[0] == 0, "init")
    far.mkdir(mode=0o755)
    settings = cell / "settings.toml"
    plain = settings.read_text()

    # No munged: shut, and said so; the Unix door works.
    (cell / "doors.pem").write_text("of yesterday\n")
    settings.write_text(plain + 'munge_socket = "/nowhere/munge.socket"\n')
    master = start("almanac-master", cell)
    log = cell / "log" / "master.log"
    check("the TCP door is shut" in log.read_text() and not (cell / "doors").exists() and not (cell / "doors.pem").exists(), "a shut door is said to be shut")
    check(run("qstat", folder=cell)[0] == 0, "the Unix door is open")
    stop(master)

    settings.write_text(plain + f'munge_socket = "{good}"\n')
    start("almanac-master", cell)
    check(run("almanac-admin", "add-host", cell, "n1", "--slots", 4, folder=cell)[0] == 0, "add-host")
    start("almanac-agent", cell / "agents" / "n1")
    ignore_load(cell)
    port = int((cell / "run" / "tcp_port").read_text())
    user = "almanac-t1" if os.geteuid() == 0 else None

    a_host_without_an_agent(port, user, good)
    what_a_command_needs()
    other_realms_and_wrong_files(port, good, other)
    false_masters(good)
    the_wire(port, good)
    stolen_requests(port, good)
    no_tls(port)
    look_at(port, good)
    code, text = run("qsub", "-sync", "y", "-b", "y", "-j", "y", "-o", "/dev/null", "true", folder=far)
    check(code == 0, f"the door lives on: {text}")
    print("the TCP door hides what goes through it, proves whose it is, and lets in whom munged vouches for, and nobody else")


play(main)
