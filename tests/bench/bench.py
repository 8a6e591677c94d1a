#!/usr/bin/env python3
"""What the system does in a second, each figure beside a baseline of the same run. Prints; asserts nothing."""
import json, os, pathlib, shutil, statistics, subprocess, sys, tempfile, threading, time

from report import report

bin = pathlib.Path(sys.argv[1]).resolve()
work = pathlib.Path(tempfile.mkdtemp(prefix="almanac-bench-"))
os.chmod(work, 0o755)
cell = work / "cell"
env = {**os.environ, "ALMANAC_DIR": str(cell)}
daemons = []


def run(*words):
    done = subprocess.run([str(bin / words[0]), *map(str, words[1:])], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def start(program, folder):
    daemons.append(subprocess.Popen([str(bin / program), "--dir", str(folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env))
    while not (folder / "run" / "ready").exists():
        time.sleep(0.02)


def timed(action):
    begin = time.time()
    action()
    return time.time() - begin


def in_parallel(clients, each):
    threads = [threading.Thread(target=each) for _ in range(clients)]
    return timed(lambda: ([t.start() for t in threads], [t.join() for t in threads]))


def repeat(count, *words):
    for _ in range(count):
        subprocess.run(words, env=env, stdout=subprocess.DEVNULL, check=True)


def fsync_seconds():
    with open(work / "fsync", "wb") as file:
        def once():
            file.write(b"x" * 300)
            file.flush()
            os.fsync(file.fileno())
        return statistics.median(timed(once) for _ in range(50))


def resident(process):
    return int(next(l for l in open(f"/proc/{process.pid}/status") if l.startswith("VmRSS")).split()[1]) * 1024


def counters(program):
    done = subprocess.run([bin / program, "--benchmark_format=json"], capture_output=True, text=True, check=True)
    return {one["name"]: one for one in json.loads(done.stdout)["benchmarks"]}


def figures(program):
    """CPU seconds of each benchmark of a program."""
    units = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}
    return {name: one["cpu_time"] * units[one["time_unit"]] for name, one in counters(program).items()}


def the_planner_alone():
    taken = figures("bench_diagram")
    for what, name, target in (
        ("a span removed and one added", "remove_and_add", "1.2 us"), ("max in a job's window", "max_in_a_job", "0.2 us"),
        ("max in a tenth of all time", "max_in_a_tenth", "0.2 us"), ("earliest fit", "earliest_fit", "0.5 us"),
    ):
        for spans in (1000, 100000):
            plain = taken[f"{name}<StepFunction>/{spans}"]
            report(f"diagram of {spans:,} spans: {what}", f"{taken[f'{name}<Diagram>/{spans}'] * 1e6:.2f} us", target, f"baseline: std::map {plain * 1e6:.2f} us")
    for spans in (1000, 100000):
        drawn, found = taken[f"only_drawn/{spans}"], taken[f"two_points_found/{spans}"]
        report(f"  of it {spans:,}: the question drawn", f"{drawn * 1e6:.2f} us", "", f"lower bound: two points found in an array {found * 1e6:.2f} us")
    taken = figures("bench_planner")
    starts = {sets: taken[f"starts_and_ends_under_quotas/sets:{sets}/iterations:5"] / 4000 for sets in (0, 20)}
    report("start and end of a job, for each quota counter it meets", f"{(starts[20] - starts[0]) / 20 * 1e6:.2f} us", "0.4 us", f"baseline: without quotas {starts[0] * 1e6:.1f} us")
    for what, name, target in (
        ("a pass, 10,000 pending, 1,000 full hosts", "pass_on_a_full_cluster/hosts:1000/pending:10000/classes:100", "5 ms"),
        ("the same after one end, with holds", "pass_after_one_end/hosts:1000/pending:10000/classes:100/iterations:10", "5 ms"),
        ("a million pending in 1,000 classes: after one end", "pass_after_one_end/hosts:10000/pending:1000000/classes:1000/iterations:10", "100 ms"),
        ("the same from scratch", "pass_from_scratch/hosts:10000/pending:1000000/classes:1000/iterations:1", "1000 ms"),
        ("512 hosts of 10,000 with bookings: earliest start", "hold_for_a_parallel_job/hosts:10000/iterations:20", "1 ms"),
        ("a reservation granted and deleted among 100,000", "grant_among/reservations:100000/iterations:200", "0.1 ms"),
        ("a quota rule changed, 100,000 tasks run", "recount_of_a_set/running:100000", "100 ms"),
        ("quotas, 100,000 counters in use: a user's rows", "own_rows_of_quotas", "10 ms"),
        ("the same: all rows", "all_rows_of_quotas", "300 ms"),
        ("granted, changed and deleted on 10,000 hosts among 10,000", "grant_change_and_delete/hosts:10000/reservations:10000/iterations:100", "3 ms"),
    ):
        report(what, f"{taken[name] * 1e3:.3f} ms", target, "")
    taken = figures("bench_reservations")
    for what, name, target in (
        ("500 reservations begin in one second, with a job each", "reservations_begin_together/hosts:1000/reservations:500/iterations:3", "1000 ms"),
        ("one granted among 10,000", "a_grant_among/reservations:10000/iterations:200", "1 ms"),
        ("one changed among 10,000", "a_change_among/reservations:10000/iterations:200", "1 ms"),
        ("one deleted among 10,000", "a_deletion_among/reservations:10000/iterations:200", "1 ms"),
        ("1,000 jobs are told to give way to a reservation that begins", "preempt_told/jobs:1000/iterations:3", "100 ms"),
        ("the same: from their ends to the start of its job", "preempt_ended/jobs:1000/iterations:3", "2000 ms"),
        ("a price beside 100,000 pending jobs, until both plans are there", "begin_of_a_price/pending:100000/iterations:1", "2000 ms"),
    ):
        report(what, f"{taken[name] * 1e3:.3f} ms", target, "")
    freely, by_conditions = (taken[f"all_hosts_{how}/hosts:10000/iterations:20"] for how in ("freely", "by_conditions"))
    report("conditions of a site on 10,000 hosts", f"{(by_conditions - freely) * 1e3:.3f} ms", "20 ms", f"baseline: a reservation of all of them {freely * 1e3:.1f} ms")
    asked = counters("bench_sites")
    within = asked["all_starts/hosts:1000/reservations:10000/iterations:1000"]
    report("RESQUERY, 4 weeks, 1,000 hosts, 10,000 reservations, p99", f"{within['p99_ms']:.2f} ms", "100 ms", f"median {within['p50_ms']:.2f} ms")
    report("  the longest slice: nobody waits longer", f"{within['slowest_slice_ms']:.2f} ms", "10 ms")
    first = asked["first_start/hosts:1000/reservations:10000/iterations:1000"]
    report("  until the first range, p99", f"{first['p99_ms']:.2f} ms", "5 ms")
    taken = {name: one["cpu_time"] for name, one in asked.items()}
    report("held and committed among 10,000", f"{taken['hold_and_commit/reservations:10000/iterations:500']:.3f} ms", "1 ms", f"baseline: reserved in one step {taken['reserve_at_once/reservations:10000/iterations:500']:.3f} ms")


report("what", "figure", "target", "baseline")
the_planner_alone()
traces = pathlib.Path(__file__).resolve().parents[3] / "shared" / "traces"
for trace in traces.glob("*.swf.gz"):
    for what, cluster, target in (("one pool of 4008", ["--processors", 4008], "2 s"), ("1002 nodes of 4", ["--nodes", 1002, "--slots", 4], "10 s")):
        took = timed(lambda: run("almanac-sim", "replay", trace, *cluster, "--policy", "easy"))
        report(f"replay of {trace.name.split('-')[1]}, EASY, {what}", f"{took:.1f} s", target, "")

try:
    run("almanac-admin", "init", cell)
    start("almanac-master", cell)
    (work / "q").write_text("qname all.q\nload_thresholds NONE\n")
    run("qconf", "-Mq", work / "q")
    for host in ("n1", "n2", "n3", "n4"):
        run("almanac-admin", "add-host", cell, host, "--slots", 16)
        start("almanac-agent", cell / "agents" / host)
    time.sleep(2)

    fsync = fsync_seconds()
    empty = timed(lambda: repeat(200, "/bin/true")) / 200
    floor = f"baseline: /bin/true {empty * 1e3:.2f} ms + fsync {fsync * 1e3:.2f} ms"
    qsub = [str(bin / "qsub"), "-h", "-terse", "-b", "y", "-o", "/dev/null", "-j", "y", "true"]
    each = timed(lambda: repeat(200, *qsub)) / 200
    report("qsub, one client in a loop", f"{1 / each:.0f}/s", "1.5 x", f"{each / (empty + fsync):.2f} x ({floor})")
    took = in_parallel(8, lambda: repeat(100, *qsub))
    spawn = in_parallel(8, lambda: repeat(100, "/bin/true"))
    report("qsub, 8 clients", f"{800 / took:.0f}/s", "936/s", f"baseline: 8 loops of /bin/true {800 / spawn:.0f}/s")
    rate = run("bench_submit", cell / "run" / "door", 10000).strip()
    report("submissions through one connection, durable", f"{rate}/s", "20000/s", f"baseline: one fsync each {1 / fsync:.0f}/s")
    report("qstat with 11,000 jobs", f"{timed(lambda: repeat(5, str(bin / 'qstat'))) / 5 * 1e3:.0f} ms", "30 ms", "")
    run("qdel", "-u", "*")

    def drain():
        while run("qstat"):
            time.sleep(0.05)
    took = timed(lambda: (run("qsub", "-t", "1-2000", "-b", "y", "-o", "/dev/null", "-j", "y", "/bin/true"), drain()))
    bare = subprocess.run([bin / "bench_shepherds", "2000"], cwd=work, capture_output=True, text=True, check=True).stdout.strip()
    report("2000 /bin/true on 64 slots, end to end", f"{2000 / took:.0f} jobs/s", "475 jobs/s", f"baseline: bare loop with the same shepherds {bare}/s")
    took = timed(lambda: (in_parallel(8, lambda: repeat(250, *qsub[:1], *qsub[2:-1], "/bin/true")), drain()))
    report("the same, submitted by 8 clients", f"{2000 / took:.0f} jobs/s", "475 jobs/s", "bound by the submissions above")

    # The file of a job's output is made a moment before its process is there.
    def from_submission_to_start(i):
        output = work / f"start-{i}"
        begin = time.time()
        run("qsub", "-b", "y", "-o", output, "-j", "y", "/bin/true")
        while not output.exists():
            time.sleep(0.001)
        return output.stat().st_ctime - begin
    waits = sorted(from_submission_to_start(i) for i in range(200))
    report("from qsub to the job's process, idle cluster, 99th percentile", f"{waits[197] * 1e3:.1f} ms", "20 ms", f"median {waits[100] * 1e3:.1f} ms")

    def one_reservation():
        run("qrsub", "-a", "210001010000", "-d", "60", "-N", "probe")
        run("qrdel", "probe")
    pair = timed(lambda: [one_reservation() for _ in range(50)]) / 50
    report("qrsub and qrdel with 0 reservations", f"{pair * 1e3:.1f} ms", "6 ms", f"baseline: two of /bin/true {2 * empty * 1e3:.1f} ms")
    minute = 0
    def fill():
        global minute
        for _ in range(2000):
            minute += 1
            run("qrsub", "-a", time.strftime("%Y%m%d%H%M", time.gmtime(4102444800 + minute * 60)), "-d", "60")
    fill()
    pair = timed(lambda: [one_reservation() for _ in range(50)]) / 50
    report("qrsub and qrdel with 2000 reservations", f"{pair * 1e3:.1f} ms", "6 ms", "")
    # The store's own buffers are full by now.
    before = resident(daemons[0])
    run("bench_submit", cell / "run" / "door", 40000)
    report("memory of the master per pending job, its actor included", f"{(resident(daemons[0]) - before) / 40000 / 1024:.1f} KB", "3 KB", "")

    run("qsub", "-t", "1-64", "-l", "h_rt=7200", "-b", "y", "-o", "/dev/null", "-j", "y", "sleep", "3600")
    run("bench_submit", cell / "run" / "door", 60000, "waiting")
    number = run("qsub", "-terse", "-b", "y", "-l", "h_rt=60", "true").strip()
    for what, action in (("qsub", lambda: run("qsub", "-b", "y", "-l", "h_rt=60", "true")), ("qstat -j", lambda: run("qstat", "-j", number)), ("qrsub and qrdel", one_reservation)):
        times = sorted(timed(action) for _ in range(50))
        report(f"{what} with 60,000 waiting and 40,000 held jobs", f"{times[25] * 1e3:.1f} ms", "", f"the longest of 50: {times[-1] * 1e3:.0f} ms")
    price = timed(lambda: run("qrsub", "-w", "p", "-a", "210001010000", "-d", "60"))
    report("qrsub -w p with them", f"{price:.1f} s", "2 s", "of which 2 s at the most are spent on looking ahead")
    for _ in range(4):
        fill()
    report("qrstat of 10,000 reservations", f"{timed(lambda: repeat(5, str(bin / 'qrstat'))) / 5 * 1e3:.0f} ms", "150 ms", "")
    daemons[0].kill()
    daemons.pop(0).wait()
    (cell / "run" / "ready").unlink()
    report("restart with 100,000 jobs and 10,000 reservations", f"{timed(lambda: start('almanac-master', cell)):.1f} s", "5 s", "")
finally:
    for process in daemons:
        process.kill()
        process.wait()
    subprocess.run(["pkill", "-9", "-f", str(work)])
    shutil.rmtree(work, ignore_errors=True)
