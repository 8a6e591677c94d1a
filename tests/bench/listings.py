#!/usr/bin/env python3
"""What listings, accounting and large configurations take, each figure beside a baseline of the same run. Prints; asserts nothing."""
import os, pathlib, shutil, statistics, subprocess, sys, tempfile, time

from report import report

bin = pathlib.Path(sys.argv[1]).resolve()
work = pathlib.Path(tempfile.mkdtemp(prefix="almanac-bench-"))
os.chmod(work, 0o755)


class Cell:
    """A master with a cell of this size, without agents."""

    def __init__(self, name, *size):
        self.folder = work / name
        self.env = {**os.environ, "ALMANAC_DIR": str(self.folder)}
        made = [str(bin / "bench_cell"), str(self.folder), *size] if size else [str(bin / "almanac-admin"), "init", str(self.folder)]
        subprocess.run(made, check=True, stdout=subprocess.DEVNULL)
        self.master = subprocess.Popen([str(bin / "almanac-master"), "--dir", str(self.folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not (self.folder / "run" / "ready").exists():
            time.sleep(0.02)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.master.kill()
        self.master.wait()

    def run(self, *words):
        done = subprocess.run([str(bin / words[0]), *map(str, words[1:])], env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, done.stdout.decode()[-2000:]
        return done.stdout

    def seconds(self, times, *words):
        taken = []
        for _ in range(times):
            begin = time.perf_counter()
            subprocess.run([str(bin / words[0]), *map(str, words[1:])], env=self.env, stdout=subprocess.DEVNULL, check=True)
            taken.append(time.perf_counter() - begin)
        return statistics.median(taken)

    def to_first_byte(self, *words):
        begin = time.perf_counter()
        with subprocess.Popen([str(bin / words[0]), *words[1:]], env=self.env, stdout=subprocess.PIPE) as command:
            command.stdout.read(1)
            taken = time.perf_counter() - begin
            command.stdout.read()
        return taken

    def memory(self):
        return int(next(l for l in open(f"/proc/{self.master.pid}/status") if l.startswith("VmRSS")).split()[1]) / 1024


def an_idle_cell():
    empty = statistics.median(timed_true() for _ in range(200))
    with Cell("idle") as cell:
        floor = f"baseline: /bin/true {empty * 1e3:.2f} ms"
        report("qsub, idle cell, start of the program included", f"{cell.seconds(200, 'qsub', '-h', '-b', 'y', 'true') * 1e3:.2f} ms", "3 ms", floor)
        cell.run("qdel", "-u", "*")
        report("qstat, idle cell", f"{cell.seconds(200, 'qstat') * 1e3:.2f} ms", "3 ms", floor)


def timed_true():
    begin = time.perf_counter()
    subprocess.run(["/bin/true"], check=True)
    return time.perf_counter() - begin


def many_jobs():
    with Cell("jobs", "--hosts", "10", "--jobs", "11000", "--classes", "50") as cell:
        cell.run("qstat", "-u", "*")
        before = cell.memory()
        report("qstat -u '*' of 11,000 jobs", f"{cell.seconds(9, 'qstat', '-u', '*') * 1e3:.0f} ms", "30 ms")
        report("qstat -xml -j '*' of them", f"{cell.seconds(3, 'qstat', '-xml', '-j', '*'):.2f} s", "1 s")
        first = statistics.median(cell.to_first_byte("qstat", "-xml", "-j", "*") for _ in range(3))
        report("  until its first byte", f"{first * 1e3:.0f} ms", "20 ms")
        report("  memory of the master, more than before", f"{cell.memory() - before:.1f} MB", "8 MB")


def many_hosts():
    with Cell("hosts", "--hosts", "10000") as cell:
        report("qhost -F of 10,000 hosts", f"{cell.seconds(5, 'qhost', '-F') * 1e3:.0f} ms", "300 ms")


def a_large_configuration():
    """1,000 queues over 1,000 hosts, 20 instances on each: files as another cell has shown them."""
    with Cell("conf") as cell:
        template = cell.run("qconf", "-sq", "all.q").decode()
        spool = work / "spool"
        for kind in ("exec_hosts", "cqueues", "hostgroups", "pe", "complexes", "calendars", "usersets", "projects", "users", "ckpt"):
            (spool / kind).mkdir(parents=True)
        hosts = [f"c{number}" for number in range(1000)]
        for host in hosts:
            (spool / "exec_hosts" / host).write_text(f"hostname {host}\nload_scaling NONE\ncomplex_values NONE\nuser_lists NONE\nxuser_lists NONE\nprojects NONE\nxprojects NONE\nusage_scaling NONE\nreport_variables NONE\n")
        for number in range(1000):
            name = f"q{number}"
            own = " ".join(hosts[(number + step * 50) % 1000] for step in range(20))
            lines = [f"qname {name}" if l.startswith("qname") else f"hostlist {own}" if l.startswith("hostlist") else l for l in template.splitlines() if not l.startswith(" ")]
            (spool / "cqueues" / name).write_text("\n".join(lines) + "\n")
        begin = time.perf_counter()
        cell.run("almanac-admin", "import-gridengine", cell.folder, spool)
        report("1,000 queues over 1,000 hosts, 20 on each, imported", f"{time.perf_counter() - begin:.1f} s", "5 s")


def much_accounting():
    """A million lines of a file; the archive's records are measured by bench_archive."""
    with Cell("accounting") as cell:
        line = "all.q:n{0}:ann:u{0}:job:{1}:sge:0:1700000000:1700000001:17000000{2:02}:0:0:10:1.0:0.5:1024:0:0:0:0:10:0:0:0:0:0:0:0:5:6:NONE:defaultdepartment:NONE:1:0:1.5:0.1:0.0:-U x:0.0:NONE:2048.0:0:0\n"
        file = work / "records"
        with open(file, "w") as out:
            for number in range(1_000_000):
                out.write(line.format(number % 50, number + 1, number % 100))
        report("qacct -f, 1,000,000 records, -o u7", f"{cell.seconds(3, 'qacct', '-f', file, '-o', 'u7'):.2f} s", "1 s", f"baseline: wc -l {wc(file):.2f} s")
        report("qacct -f, -j 500000", f"{cell.seconds(3, 'qacct', '-f', file, '-j', '500000'):.2f} s", "")


def wc(file):
    begin = time.perf_counter()
    subprocess.run(["wc", "-l", file], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin


try:
    report("what", "figure", "target")
    for part in (an_idle_cell, many_jobs, many_hosts, a_large_configuration, much_accounting):
        if len(sys.argv) < 3 or part.__name__ in sys.argv[2:]:
            part()
finally:
    shutil.rmtree(work, ignore_errors=True)
