#!/usr/bin/env python3
"""Reservations of a metascheduler over one connection to the port, to a master without agents. Prints; asserts nothing."""
import getpass, os, pathlib, pwd, shutil, socket, ssl, subprocess, sys, tempfile, time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cluster"))
from certificates import make_certificate
from report import report

bin = pathlib.Path(sys.argv[1]).resolve()
work = pathlib.Path(tempfile.mkdtemp(prefix="almanac-bench-"))
os.chmod(work, 0o755)
cell, settings = work / "cell", work / "gmeta.toml"
env = {**os.environ, "ALMANAC_DIR": str(cell)}
me = getpass.getuser()
runs_as = "daemon" if os.geteuid() == 0 else me
count, lone = 10_000, 300
running = []


def processor_seconds(process):
    fields = open(f"/proc/{process.pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start(*words):
    running.append(subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL if words[0].name == "almanac-master" else None))
    return running[-1]


def open_port():
    for name in ("ca", "server", "meta"):
        make_certificate(work, name, f"/CN={name}", None if name == "ca" else "ca")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    settings.write_text(f'directory = "{cell}"\nuser = "{runs_as}"\nport = {port}\ncertificate = "server.pem"\nkey = "server.key"\nclient_authority = "ca.pem"\n[[caller]]\nname = "meta"\nsubject = "CN=meta"\nuser = "{me}"\n')
    for name in ("server.pem", "server.key"):
        os.chown(work / name, pwd.getpwnam(runs_as).pw_uid, -1)
    (work / "sched").write_text(f"params GMETA_PORT={runs_as}\n")
    for words in (["qconf", "-Msconf", work / "sched"], ["qconf", "-au", me, "gmeta_meta"]):
        subprocess.run([bin / words[0], *words[1:]], env=env, check=True, stdout=subprocess.DEVNULL)
    process = start(bin / "almanac-gmeta", "--config", settings)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(work / "ca.pem")
    context.check_hostname = False
    context.load_cert_chain(work / "meta.pem", work / "meta.key")
    while process.poll() is None:
        try:
            return process, context.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=60))
        except ConnectionError:
            time.sleep(0.05)
    sys.exit("almanac-gmeta has ended")


def request(number):
    return f"SETRES USER={me};TIMENEEDED=60S;STARTTIME={begin + 100 * number};NODES=1;HOLD=600;TXID=t{number}\n"


subprocess.run([bin / "bench_cell", cell, "--hosts", "100"], check=True, stdout=subprocess.DEVNULL)
try:
    master = start(bin / "almanac-master", "--dir", cell)
    while not (cell / "run" / "ready").exists():
        time.sleep(0.02)
    port, connection = open_port()
    heard = connection.makefile("rb")
    begin = int(time.time()) + 100_000

    def answers(numbers):
        """Up to 200 lines are under way."""
        parts = [numbers[first : first + 100] for first in range(0, len(numbers), 100)]
        for before, part in zip([[]] + parts, parts + [[]]):
            if part:
                connection.sendall("".join(map(request, part)).encode())
            for _ in before:
                line = heard.readline()
                assert line.startswith(b"SC=0;SETRES=1"), line

    started = time.perf_counter()
    for number in range(lone):
        answers([number])
    one = (time.perf_counter() - started) / lone
    busy, started = [processor_seconds(process) for process in (master, port)], time.perf_counter()
    answers(range(lone, lone + count))
    took = time.perf_counter() - started
    of_master, of_port = (processor_seconds(process) - before for process, before in zip((master, port), busy))
    report("SETRES with HOLD over one connection, pipelined, durable", f"{count / took:.0f}/s", "2000/s", f"baseline: one at a time {1 / one:.0f}/s")
    report("  time of the processor for one: in the master", f"{of_master / count * 1e3:.3f} ms", "", f"in the port {of_port / count * 1e3:.3f} ms")
finally:
    for process in running:
        process.kill()
        process.wait()
    shutil.rmtree(work, ignore_errors=True)
