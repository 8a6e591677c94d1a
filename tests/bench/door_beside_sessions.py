#!/usr/bin/env python3
"""How long a command takes while a thousand sessions come at once, beside the same without them. Prints; asserts nothing."""
import multiprocessing, pathlib, resource, socket, ssl, statistics, sys, time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cluster"))
from daemons import check, play, run, start, work

cell = work / "cell"
agents, of_an_agent = 4, 250  # nobody has all places at a port


def commands(count):
    """What so many qstat take, in ms each."""
    taken = []
    for _ in range(count):
        begin = time.monotonic()
        check(run("qstat", folder=cell)[0] == 0, "qstat is answered")
        taken.append((time.monotonic() - begin) * 1e3)
    return taken


def shake_hands(agent, port, done):
    folder = cell / "agents" / f"n{agent}"
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["almanac-2"])
    context.load_cert_chain(str(folder / "tls.pem"), str(folder / "tls.key"))
    begin = time.monotonic()
    kept = [context.wrap_socket(socket.create_connection(("127.0.0.1", port))) for _ in range(of_an_agent)]
    done.put(time.monotonic() - begin)
    time.sleep(5)
    return kept


def main():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 20_000), hard))
    run("almanac-admin", "init", cell, folder=cell)
    start("almanac-master", cell)
    for agent in range(agents):
        code, text = run("almanac-admin", "add-host", cell, f"n{agent}", folder=cell)
        check(code == 0, text)
    port = int((cell / "run" / "port").read_text())
    before = commands(50)
    done = multiprocessing.Queue()
    shakers = [multiprocessing.Process(target=shake_hands, args=(agent, port, done)) for agent in range(agents)]
    for shaker in shakers:
        shaker.start()
    meanwhile = []
    while done.qsize() < agents:
        meanwhile += commands(3)
    took = max(done.get() for _ in shakers)
    for shaker in shakers:
        shaker.kill()
    print(f"{agents * of_an_agent} sessions have shaken hands in {took:.1f} s; meanwhile {len(meanwhile)} qstat took {statistics.median(meanwhile):.1f} ms,"
          f" {max(meanwhile):.1f} ms at most (target 50 ms); before, {statistics.median(before):.1f} ms and {max(before):.1f} ms")


play(main)
