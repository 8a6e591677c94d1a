#!/usr/bin/env python3
"""What somebody on the network tries at the ports of master and agent and at the TCP door: attempts 64 to 66, 68 to 70 and 80 of the security review. Real processes."""
import os, pathlib, random, resource, select, shutil, socket, ssl, struct, subprocess, sys, time

cluster = pathlib.Path(__file__).resolve().parents[1] / "cluster"
sys.path.insert(0, str(cluster))
from daemons import bin, check, connect, ignore_load, is_closed, memory_mb, munged, play, processes, run, start, wait, work

cell, far = work / "cell", work / "far"
agent = cell / "agents" / "n1"


def ports():
    return [int((folder / "run" / "port").read_text()) for folder in (cell, agent)]


def has_tcp_door():
    return (cell / "doors").exists()


def tcp_door():
    return int((cell / "run" / "tcp_port").read_text())


def random_bytes():
    """64"""
    chance = random.Random(64)
    for port in ports() + ([tcp_door()] if has_tcp_door() else []):
        for size in (1, 5, 100, 10_000, 200_000):
            with connect(port) as client:
                try:
                    client.sendall(chance.randbytes(size))
                    client.shutdown(socket.SHUT_WR)
                except OSError:
                    pass
                check(is_closed(client), f"64: {size} random bytes are no greeting")


def lets_in(context, port):
    """Whether the connection is still there after the handshake: TLS 1.3 tells a client of its refusal behind it only."""
    try:
        with context.wrap_socket(connect(port)) as client:
            client.settimeout(2)
            return client.recv(1) != b""
    except TimeoutError:
        return True
    except OSError:
        return False


def plain_context():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def with_that_of_an_agent():
    context = plain_context()
    context.load_cert_chain(agent / "tls.pem", agent / "tls.key")
    context.set_alpn_protocols(["almanac-2"])
    return context


def without_a_certificate():
    """65"""
    check(all(lets_in(with_that_of_an_agent(), port) for port in ports()), "65: the certificate of an agent is good at both ports")
    for port in ports():
        check(not lets_in(plain_context(), port), "65: who has no certificate is let in")


def of_another_authority():
    """66"""
    folder = work / "foreign"
    folder.mkdir()
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=n1", "-keyout", folder / "key", "-out", folder / "pem"], check=True, capture_output=True)
    context = plain_context()
    context.load_cert_chain(folder / "pem", folder / "key")
    for port in ports():
        check(not lets_in(context, port), "66: who has a certificate of another authority is let in")


def announced_gigabytes():
    """80"""
    context = with_that_of_an_agent()
    master = processes[-2]
    before = memory_mb(master)
    for head in (b"\xff\xff\xff\xff", b"\xff\xff\xff\x00", b"\x00\x00\x00\x00" + b"\xff" * 40):
        with context.wrap_socket(connect(ports()[0])) as client:
            client.sendall(head)
            check(is_closed(client), f"80: {head} ends the connection")
    check(memory_mb(master) < before + 64, f"80: the master takes {memory_mb(master) - before} MB for what is only announced")


def at_the_tcp_door():
    """A connection in TLS, as any command has one: the door asks for no certificate."""
    context = plain_context()
    context.set_alpn_protocols(["almanac-door-1"])
    return context.wrap_socket(connect(tcp_door()))


def receive(client, size):
    content = b""
    while len(content) < size and (more := client.recv(size - len(content))):
        content += more
    return content


def ask(frame):
    with at_the_tcp_door() as client:
        client.sendall(struct.pack(">I", len(frame)) + frame)
        head = receive(client, 4)
        return receive(client, struct.unpack(">I", head)[0]) if len(head) == 4 else b""


def noise_at_the_tcp_door():
    """68"""
    for noise in (struct.pack(">I", 0), struct.pack(">I", 0xFFFFFFFF), struct.pack(">I", (1 << 20) + 100_000), b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", os.urandom(5000), struct.pack(">I", 64) + os.urandom(64)):
        for opens in (lambda: connect(tcp_door()), at_the_tcp_door):
            with opens() as client:
                try:
                    client.sendall(noise)
                    client.shutdown(socket.SHUT_WR)
                except OSError:
                    pass
                check(is_closed(client), f"68: {noise[:20]} ends the connection")


def is_open(client):
    """Whether nothing has come from the far end, its goodbye included."""
    poll = select.poll()
    poll.register(client, select.POLLIN)
    return not poll.poll(0)


def who_only_shakes_hands():
    """68 again, 70"""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 20_000), hard))
    master = processes[-2]
    before, kept, announced = memory_mb(master), [], []
    for number in range(1500):
        try:
            client = connect(tcp_door())
            kept.append(client)
            if number % 3 == 0:
                client.sendall(b"\x16\x03\x01\x40\x00" + b"\x01\x02\x00\x00" + b"\x00" * 4000) # the begin of the longest greeting
            elif number % 3 == 1:
                context = plain_context()
                context.set_alpn_protocols(["almanac-door-1"])
                kept[-1] = context.wrap_socket(client)
                if number % 2:
                    kept[-1].sendall(struct.pack(">I", 1 << 20))
                    announced.append(kept[-1])
            elif number % 2:
                client.sendall(struct.pack(">I", 1 << 20))
        except OSError:
            pass
    more = memory_mb(master) - before
    check(more < 100, f"1,500 handshakes and announced lengths cost the master {more} MB")
    check(any(is_open(client) for client in announced), "some of those who announce a megabyte are there")
    check(run("qstat", folder=cell)[0] == 0, "others are served meanwhile")
    wait(lambda: len(os.listdir(f"/proc/{master.pid}/fd")) < 200, "those who say no more are closed", 30)
    wait(lambda: not any(is_open(client) for client in announced), "those who announced a megabyte are among them", 30)
    print(f"handshakes cost {more} MB")


def a_crowd_at_the_tcp_door():
    """68 again"""
    master = processes[-2]
    for greets in ([], ["almanac-door-1"]):
        before = len(os.listdir(f"/proc/{master.pid}/fd"))
        crowd = subprocess.Popen([sys.executable, cluster / "crowd.py", str(tcp_door()), "1000", *greets])
        wait(lambda: len(os.listdir(f"/proc/{master.pid}/fd")) > before + 300, "somebody holds the places of the address")
        time.sleep(1)
        answers = [run("qstat", folder=far)[0] for _ in range(10)]
        check(crowd.poll() is None and len(os.listdir(f"/proc/{master.pid}/fd")) > before + 300, "meanwhile they are held")
        crowd.kill()
        crowd.wait()
        check(answers.count(0) >= 9, f"another user of the address is served all the same: {answers}")


def a_recorded_request():
    """69"""
    def answer(what):
        return subprocess.run([bin / "sealed_client", far, what], capture_output=True, text=True, timeout=60, check=True).stdout

    for what in ("changed", "elsewhere", "unbound"):
        check("is for another request, or for another connection" in answer(what), f"69: {what}: it is refused")
    first, second = answer("twice").splitlines()
    check("has been submitted" in first, "69: as it was it is taken")
    check("Replayed" in second, "69: a second time it is not")


def play_all(attacks):
    for attack in attacks:
        begin = time.time()
        attack()
        check(all(process.poll() is None for process in processes), "the daemons live")
        print(f"{attack.__doc__}: {attack.__name__.replace('_', ' ')}: held ({time.time() - begin:.1f} s)", flush=True)
    code, text = run("qsub", "-sync", "y", "-b", "y", "-o", "/dev/null", "-j", "y", "true", folder=cell)
    check(code == 0, f"the service goes on: {text}")


def main():
    check(run("almanac-admin", "init", cell, folder=cell)[0] == 0, "init")
    if shutil.which("munged"):
        settings = cell / "settings.toml"
        settings.write_text(settings.read_text() + f'munge_socket = "{munged("munged")}"\n')
    start("almanac-master", cell)
    check(run("almanac-admin", "add-host", cell, "n1", "--slots", 2, folder=cell)[0] == 0, "add-host")
    start("almanac-agent", agent)
    ignore_load(cell)
    attacks = [random_bytes, without_a_certificate, of_another_authority]
    if has_tcp_door():
        far.mkdir(mode=0o755)
        for name in ("doors", "doors.pem"):
            shutil.copyfile(cell / name, far / name)
    doors = [noise_at_the_tcp_door, a_recorded_request, who_only_shakes_hands, a_crowd_at_the_tcp_door] if has_tcp_door() else []
    play_all(attacks + [announced_gigabytes] + doors)
    print("the network gets nowhere: 64-66, 68-70, 80")


play(main)
