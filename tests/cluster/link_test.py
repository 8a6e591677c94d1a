#!/usr/bin/env python3
"""The link between daemons, and what comes at its port. Real processes."""
import os, pathlib, resource, ssl, sys, time

from daemons import check, connect, ignore_load, is_closed, memory_mb, play, run, spawn, start, stop, wait, work

cell = work / "cell"
agent = cell / "agents" / "n1"
half_open = 2000
notice = "agent n1 speaks protocol 1: upgrade it"


def log(folder, name):
    return (folder / "log" / f"{name}.log").read_text()


def a_job_ends(when):
    code, text = run("qsub", "-sync", "y", "-b", "y", "-o", "/dev/null", "-j", "y", "true", folder=cell)
    check(code == 0, f"a job ends {when}: {text}")


def descriptors(process):
    return len(os.listdir(f"/proc/{process.pid}/fd"))


def half_open_connections(master, port):
    before = descriptors(master)
    clients = [connect(port) for _ in range(half_open)]
    begun = time.monotonic()
    for client in clients[::2]:
        try:
            client.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01")  # a ClientHello begins
        except OSError:
            pass
    check(descriptors(master) < before + half_open / 2, "an address has a share of the places")
    a_job_ends("with half-open connections at the port")
    check(all(is_closed(client) for client in clients), "each is closed")
    check(time.monotonic() - begun < 15, "in ten seconds and the pauses of a busy machine")
    wait(lambda: descriptors(master) <= before + 2, "and the master has its descriptors back")
    for client in clients:
        client.close()


def an_agent_among_half_open_connections(master, port, process):
    before = descriptors(master)
    attacker = spawn(sys.executable, pathlib.Path(__file__).with_name("crowd.py"), port, half_open)
    wait(lambda: descriptors(master) > before + 300, "somebody holds the places of the address")
    time.sleep(1)
    for _ in range(3):
        times = log(cell, "master").count("host registered host=n1")
        stop(process)
        process = start("almanac-agent", agent)
        wait(lambda: log(cell, "master").count("host registered host=n1") > times, "the agent comes in, from the same address", 10)
    check(attacker.poll() is None and descriptors(master) > before + 300, "meanwhile they are held")
    stop(attacker)
    return process


def with_the_key_of_an_agent(port, protocol="almanac-2"):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.load_verify_locations(agent / "ca.pem")
    context.load_cert_chain(agent / "tls.pem", agent / "tls.key")
    if protocol:
        context.set_alpn_protocols([protocol])
    return context.wrap_socket(connect(port))


def a_frame_of_four_gigabytes(master, port):
    before = memory_mb(master)
    for head in (b"\xff\xff\xff\x00", b"\x00\x00\x00\x00", b"\x00\x00\x00\x08" + b"no frame"):
        with with_the_key_of_an_agent(port) as client:
            client.sendall(head)
            check(is_closed(client), f"{head} ends the connection")
    check(memory_mb(master) < before + 64, "nobody gets memory for what they announce")


def of_another_version(port):
    with with_the_key_of_an_agent(port, protocol=None) as client:
        check(is_closed(client), "an agent of protocol 1 is refused")
    wait(lambda: notice in log(cell, "master"), "the log says who it is")
    check(notice in run("qhost", folder=cell)[1], "so does qhost")
    try:
        with_the_key_of_an_agent(port, protocol="almanac-9").close()
        check(False, "a protocol of the future is refused")
    except ssl.SSLError as error:
        check("NO_APPLICATION_PROTOCOL" in str(error).replace(" ", "_").upper(), str(error))


def without_a_certificate(port):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with context.wrap_socket(connect(port)) as client:
        check(is_closed(client), "who has no certificate is refused")
    with connect(port) as client:
        client.sendall(b"GET / HTTP/1.0\r\n\r\n")
        check(is_closed(client), "so is who speaks no TLS")


def main():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, most), most))
    code, text = run("almanac-admin", "init", cell, folder=cell)
    check(code == 0, text)
    master = start("almanac-master", cell)
    port = int((cell / "run" / "port").read_text())
    code, text = run("almanac-admin", "add-host", cell, "n1", "--slots", 2, folder=cell)
    check(code == 0, text)
    ignore_load(cell)
    process = start("almanac-agent", agent)
    wait(lambda: "host registered host=n1" in log(cell, "master"), "n1 registers")
    a_job_ends("over the link")

    without_a_certificate(port)
    of_another_version(port)
    a_frame_of_four_gigabytes(master, port)
    half_open_connections(master, port)
    check("lost its session" not in log(cell, "master"), "n1 keeps its session")

    stop(process)
    wait(lambda: "host lost its session host=n1" in log(cell, "master"), "the master sees that n1 is gone")
    process = start("almanac-agent", agent)
    wait(lambda: log(cell, "master").count("host registered host=n1") == 2, "n1 comes back")
    wait(lambda: notice not in run("qhost", folder=cell)[1], "and nothing is wrong with it any more")
    a_job_ends("after that")

    an_agent_among_half_open_connections(master, port, process)
    a_job_ends("after that, too")
    print("daemons talk in frames, and stand what comes at their port")


play(main)
