#!/usr/bin/env python3
"""Reservations of a metascheduler: lines of one connection to a master without agents, beside single ones. Prints; asserts nothing."""
import os, pathlib, shutil, subprocess, sys, tempfile, threading, time

bin = pathlib.Path(sys.argv[1]).resolve()
work = pathlib.Path(tempfile.mkdtemp(prefix="almanac-bench-"))
os.chmod(work, 0o755)
cell = work / "cell"
env = {**os.environ, "ALMANAC_DIR": str(cell)}
count, lone = 10_000, 300


def report(what, figure, target, baseline=""):
    print(f"{what:<58}{figure:>18}   {target:<12}{baseline}", flush=True)


def processor_seconds(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def request(number, begin):
    return f"SETRES TIMENEEDED=60S;STARTTIME={begin + 100 * number};NODES=1;HOLD=600;TXID=t{number}\n"


subprocess.run([bin / "bench_cell", cell, "--hosts", "100"], check=True, stdout=subprocess.DEVNULL)
master = subprocess.Popen([bin / "almanac-master", "--dir", cell], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    while not (cell / "run" / "ready").exists():
        time.sleep(0.02)
    client = subprocess.Popen([bin / "gmeta", "-i"], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def answers(lines):
        def send():
            client.stdin.write("".join(lines))
            client.stdin.flush()
        threading.Thread(target=send, daemon=True).start()
        return [client.stdout.readline() for _ in lines]

    begin = int(time.time()) + 100_000
    started = time.perf_counter()
    alone = [answer for number in range(lone) for answer in answers([request(number, begin)])]
    one = (time.perf_counter() - started) / lone
    busy, started = processor_seconds(master.pid), time.perf_counter()
    together = answers([request(lone + number, begin) for number in range(count)])
    took, busy = time.perf_counter() - started, processor_seconds(master.pid) - busy
    refused = [answer for answer in alone + together if not answer.startswith("SC=0;SETRES=1")]
    assert not refused, refused[0]
    report("SETRES with HOLD over one connection, pipelined, durable", f"{count / took:.0f}/s", "2000/s", f"baseline: one at a time {1 / one:.0f}/s")
    report("  of it, time of the processor in the master", f"{busy / count * 1e3:.3f} ms", "")
finally:
    master.kill()
    master.wait()
    shutil.rmtree(work, ignore_errors=True)
