#!/usr/bin/env python3
"""kill -9 of master and agent at named points and at random: nothing acknowledged is lost, nothing runs twice.

    crash_test.py BIN points   each named point is reached 20 times
    crash_test.py BIN random   rounds of 4 clients with at least 200 acknowledged changes each
    crash_test.py BIN faults   the same load while daemons are stopped, shepherds killed and, as root, links cut or slow, the disk full or read-only

ALMANAC_CRASH_ROUNDS says how many rounds, ALMANAC_CRASH_MINUTES for how long random ones go on; each ends with what was acknowledged, found, lost and
doubled. At the end every decision is replayed.
"""
import os, pathlib, random, re, shutil, signal, subprocess, sys, tempfile, threading, time

from network import Network

bin = pathlib.Path(sys.argv[1]).resolve()
work = pathlib.Path(tempfile.mkdtemp(prefix="almanac-crash-"))
os.chmod(work, 0o755)
cell = work / "cell"
runs = work / "runs"
env = {**os.environ, "ALMANAC_DIR": str(cell), "ALMANAC_DEADLINE": "60"}
daemons = {}
network = None  # with it, agents run in namespaces of their own


def run(*words):
    return subprocess.run([str(bin / words[0]), *map(str, words[1:])], env=env, capture_output=True, text=True, timeout=600)


def folder(name):
    return cell if name == "master" else cell / "agents" / name


def start(name, crash=None):
    ready = folder(name) / "run" / "ready"
    ready.unlink(missing_ok=True)
    own = {**env, **({"ALMANAC_CRASH_AT": crash} if crash else {})}
    program = "almanac-master" if name == "master" else "almanac-agent"
    place = network.inside(name) if network and name != "master" else []
    daemons[name] = subprocess.Popen([*place, str(bin / program), "--dir", str(folder(name))], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=own)
    end = time.time() + 30
    while not ready.exists():
        if daemons[name].poll() is not None:
            return  # a crash point in its very first steps
        assert time.time() < end, f"{name} does not start"
        time.sleep(0.02)


def kill(name):
    daemons[name].kill()
    daemons[name].wait()


def submit(name, *options):
    """Each run of the job adds a line with its name: who ran twice shows. With a limit: without, all reservations to come would keep it waiting."""
    done = run("qsub", "-terse", "-N", name, "-l", "h_rt=600", *options, "-b", "y", "-o", "/dev/null", "-j", "y", f"echo {name} >> {runs}")
    assert done.returncode == 0, done.stdout + done.stderr
    return int(done.stdout)


def wait_for_empty(seconds=90):
    end = time.time() + seconds
    while run("qstat", "-u", "*").stdout:
        assert time.time() < end, "jobs do not end:\n" + run("qstat", "-u", "*").stdout + run("qstat", "-f").stdout
        time.sleep(0.1)


def accounting_file(acknowledged):
    """The names of the jobs in the file, which follows the store: the last of them may be on their way."""
    end = time.time() + 10
    while True:
        names = [line.split(":")[4] for line in next(cell.glob("root/*/common/accounting")).read_text().splitlines() if not line.startswith("#")]
        if set(acknowledged) <= set(names) or time.time() > end:
            return names
        time.sleep(0.05)


def verify(acknowledged):
    """acknowledged: name -> number."""
    assert len(set(acknowledged.values())) == len(acknowledged), "an id was given twice"
    lines = runs.read_text().split() if runs.exists() else []
    for name in acknowledged:
        assert lines.count(name) == 1, f"{name} ran {lines.count(name)} times"
    assert set(lines) <= set(acknowledged), f"ran without an acknowledgement: {set(lines) - set(acknowledged)}"
    told = re.findall(r"^jobname +(\S+)", run("qacct", "-j").stdout, re.MULTILINE)
    filed = accounting_file(acknowledged)
    for name in acknowledged:
        assert told.count(name) == 1, f"qacct has {name} {told.count(name)} times"
        assert filed.count(name) == 1, f"{name} is {filed.count(name)} times in the accounting file"


def disk_for_the_cell():
    """A disk of its own that may be filled; False where only root could mount it."""
    cell.mkdir(mode=0o755)
    return os.geteuid() == 0 and subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256m,mode=755", "tmpfs", str(cell)], capture_output=True).returncode == 0


def begin():
    assert run("almanac-admin", "init", cell).returncode == 0
    if network:
        settings = (cell / "settings.toml").read_text()
        (cell / "settings.toml").write_text(re.sub('address = ".*"', f'address = "{Network.master}"', settings))
    start("master")
    (work / "q").write_text("qname all.q\nload_thresholds NONE\n")
    assert run("qconf", "-Mq", work / "q").returncode == 0
    for host in ("n1", "n2"):
        done = run("almanac-admin", "add-host", cell, host, "--slots", 4)
        assert done.returncode == 0, done.stderr
        start(host)


def points(rounds):
    begin()
    acknowledged = {}
    plan = [("master", p) for p in ("before-commit", "after-commit", "before-answer", "before-launch", "spooled", "forked", "exit-written", "acknowledged")]
    plan += [("n1", p) for p in ("before-spool", "spooled", "forked", "acknowledged")]
    for who, point in plan:
        reached = 0
        for i in range(rounds):
            kill(who)
            start(who, f"{point}:{random.randint(1, 2)}")
            names = [f"{who}.{point}.{i}.{n}" for n in range(3)]
            aim = [] if who == "master" else ["-q", f"all.q@{who}"]  # other hosts would be faster than one that starts
            clients = [threading.Thread(target=lambda n=n: acknowledged.__setitem__(n, submit(n, *aim))) for n in names]
            for client in clients:
                client.start()
            end = time.time() + 20
            while daemons[who].poll() is None and time.time() < end:
                time.sleep(0.01)
            if daemons[who].poll() is not None:
                reached += 1
                start(who)
            for client in clients:
                client.join()
            assert all(n in acknowledged for n in names), "a submission got no answer"
        assert reached >= rounds, f"{who} reached {point} {reached} of {rounds} times"
        print(f"{who} killed at {point}: {reached} times", flush=True)
    wait_for_empty()
    verify(acknowledged)
    print(f"{len(acknowledged)} jobs acknowledged, each ran once and is accounted once")


class Acknowledged:
    """What the clients of a round were told; each client changes its own things only."""

    def __init__(self):
        self.jobs, self.held, self.deleted, self.reservations, self.cancelled, self.users = {}, {}, {}, {}, {}, set()

    def __len__(self):
        return len(self.jobs) + len(self.held) + 2 * len(self.deleted) + len(self.reservations) + 2 * len(self.cancelled) + len(self.users)

    def change(self, chance, number, me, i):
        """One change of client `me`: a job, a held job, a reservation, a user, or the end of one of the first three."""
        mine = f"r{number}c{me}"
        name = f"{mine}n{i}"
        kind = chance.choice(["job", "job", "job", "held", "delete", "reserve", "cancel", "user"])
        if kind == "job":
            self.jobs[name] = submit(name)
        elif kind == "held":
            self.held[name] = submit(name, "-h")
        elif kind == "reserve":
            done = run("qrsub", "-a", "210001010000", "-d", "60", "-N", name)
            if done.returncode == 0:
                self.reservations[name] = done.stdout.split()[3]
            else:
                assert "no suitable queues" in done.stderr, done.stderr
        elif kind == "user":
            done = run("qconf", "-au", name, "arusers")
            assert done.returncode == 0, done.stdout + done.stderr
            self.users.add(name)
        else:
            command, here, gone = ("qdel", self.held, self.deleted) if kind == "delete" else ("qrdel", self.reservations, self.cancelled)
            old = next((n for n in list(here) if n.startswith(mine + "n")), None)
            if old:
                done = run(command, here[old])
                assert done.returncode == 0, done.stdout + done.stderr
                gone[old] = here.pop(old)

    def verify(self):
        """Compares with what there is; ends what is held."""
        listed = {line.split()[0]: line.split()[4] for line in run("qstat", "-u", "*").stdout.splitlines()[2:]}
        for name, id in self.held.items():
            assert listed.get(str(id)) == "hqw", f"{name} is not held, but {listed.get(str(id), 'lost')}"
        for name, id in self.deleted.items():
            assert str(id) not in listed, f"{name} was deleted and is there"
        reserved = run("qrstat").stdout.splitlines()[2:]
        assert sorted(line.split()[0] for line in reserved) == sorted(self.reservations.values()), f"reservations: {reserved}, not {self.reservations}"
        stored = run("qconf", "-su", "arusers").stdout.replace(",", " ").split()
        for user in self.users:
            assert stored.count(user) == 1, f"user {user} is lost or doubled"
        for id in self.held.values():
            assert run("qdel", id).returncode == 0
        for id in self.reservations.values():
            assert run("qrdel", id).returncode == 0
        wait_for_empty()
        verify(self.jobs)


def random_round(number, changes):
    told = Acknowledged()
    problems = []
    stop = threading.Event()

    def client(me):
        chance = random.Random(number * 10 + me)
        i = 0
        try:
            while not stop.is_set():
                i += 1
                told.change(chance, number, me, i)
                if len(told) >= changes:
                    stop.set()
        except BaseException as problem:
            problems.append(problem)
            stop.set()

    clients = [threading.Thread(target=client, args=(me,)) for me in range(4)]
    for thread in clients:
        thread.start()
    kills = 0
    while not stop.is_set():
        time.sleep(random.uniform(0.02, 0.25))
        who = random.choice(["master", "master", "n1", "n2"])
        kill(who)
        start(who)
        kills += 1
    for thread in clients:
        thread.join()
    if problems:
        raise problems[0]
    told.verify()
    runs.unlink(missing_ok=True)
    print(f"round {number}: {kills} kills; acknowledged and found: {len(told.jobs)} jobs, {len(told.held)} held ones, {len(told.reservations)} reservations, {len(told.users)} users, "
          f"{len(told.deleted)} and {len(told.cancelled)} deletions; nothing lost, nothing doubled", flush=True)


def pause(name, seconds):
    halves = subprocess.run(["pgrep", "-P", str(daemons[name].pid), "-x", "almanac-agent-s"], capture_output=True, text=True).stdout.split()
    for what in (signal.SIGSTOP, signal.SIGCONT):
        for pid in (daemons[name].pid, *map(int, halves)):
            os.kill(pid, what)
        time.sleep(seconds if what == signal.SIGSTOP else 0)


def lost_sessions():
    return (cell / "log" / "master.log").read_text().count("lost its session")


def flood():
    """64 clients who never rest cost no lease."""
    before = lost_sessions()
    loop = f"end=$(($(date +%s) + 5)); while [ $(date +%s) -lt $end ]; do {bin}/qstat -u '*'; {bin}/qsub -w v -b y true; done"
    clients = [subprocess.Popen(["sh", "-c", loop], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(64)]
    for client in clients:
        client.wait()
    assert lost_sessions() == before, "an agent lost its session while clients flooded the door"


def cut_link(seconds):
    network.cut("n1")
    time.sleep(seconds)
    network.mend("n1")


def slow_link():
    network.slow("n1", "delay", "200ms", "100ms", "loss", "20%")
    time.sleep(4)
    network.hurry("n1")


def kill_shepherds():
    subprocess.run(["pkill", "-9", "-f", f"almanac-shepherd {work}"])


def fill_disk():
    filler = cell / "filler"
    with open(filler, "wb") as file:
        try:
            while True:
                file.write(b"x" * (1 << 20))
                file.flush()
        except OSError:
            pass
    time.sleep(4)
    for command in ("qstat", "qhost"):
        warned = run(command).stderr
        assert "the disk of the master is nearly full" in warned, f"{command} on a full disk: {warned}"
    filler.unlink()


def refuse_a_read_only_disk():
    for name in daemons:
        kill(name)
    end = time.time() + 5
    while subprocess.run(["mount", "-o", "remount,ro", str(cell)], capture_output=True).returncode != 0:
        assert time.time() < end, "somebody still writes there"  # the other half of an agent is on its way out
        time.sleep(0.05)
    master = subprocess.run([str(bin / "almanac-master"), "--dir", str(cell)], capture_output=True, text=True, timeout=30)
    subprocess.run(["mount", "-o", "remount,rw", str(cell)], check=True)
    assert master.returncode != 0 and master.stderr.strip(), "a master starts on a read-only disk, or does not say why not"
    print(f"read-only disk: {master.stderr.strip().splitlines()[-1]}", flush=True)
    for name in daemons:
        start(name)


def revive():
    for name in daemons:
        if daemons[name].poll() is not None:
            start(name)


def fault_round(number, fault, bring, may_fail, times=3):
    """Clients at work; the fault comes, three times if it is short. Then what they were told is compared with what there is."""
    acknowledged, refused = {}, [0]
    stop = threading.Event()

    def client(me):
        i = 0
        while not stop.is_set():
            i += 1
            name = f"f{number}.{fault}.c{me}.{i}"
            done = run("qsub", "-terse", "-N", name, "-b", "y", "-o", "/dev/null", "-j", "y", f"echo {name} >> {runs}")
            if done.returncode == 0:
                acknowledged[name] = int(done.stdout)
                time.sleep(0.03)
            else:
                refused[0] += 1
                time.sleep(0.2)

    clients = [threading.Thread(target=client, args=(me,), daemon=True) for me in range(3)]
    for thread in clients:
        thread.start()
    for _ in range(times):
        time.sleep(random.uniform(0.3, 1.0))
        bring()
        revive()
    stop.set()
    for thread in clients:
        thread.join()
    revive()
    run("qmod", "-cq", "all.q")
    run("qmod", "-cj", "*")
    wait_for_empty()
    accounted = accounting_file(acknowledged)
    ran = runs.read_text().split() if runs.exists() else []
    lost = [name for name in acknowledged if name not in accounted or (name not in ran and not may_fail)]
    doubled = [name for name in acknowledged if accounted.count(name) > 1 or ran.count(name) > 1]
    print(f"{fault}: {len(acknowledged)} acknowledged, {refused[0]} refused, {len([n for n in acknowledged if n in accounted])} found, {len(lost)} lost, {len(doubled)} doubled", flush=True)
    assert not lost and not doubled, f"lost {lost[:5]}, doubled {doubled[:5]}"
    assert len(acknowledged) > 3, "hardly anything was acknowledged: the round proves nothing"
    assert len(set(acknowledged.values())) == len(acknowledged), "an id was given twice"


def faults(rounds):
    global network
    own_disk = disk_for_the_cell()
    network = Network(["n1", "n2"]) if os.geteuid() == 0 else None
    if network and not network.make():
        network = None
    begin()
    kinds = [("flooded-door", flood, False, 1), ("stopped-master", lambda: pause("master", 3), False), ("stopped-agent", lambda: pause("n1", 6), False), ("killed-shepherds", kill_shepherds, True)]
    if network:
        kinds += [("link-cut", lambda: cut_link(4), False), ("link-cut-for-long", lambda: cut_link(13), False, 1)]
        if network.slow("n1", "delay", "1ms"):
            network.hurry("n1")
            kinds += [("slow-and-lossy-link", slow_link, False)]
        else:
            print("this kernel has no netem: links are cut, not slowed down", flush=True)
    if own_disk:
        kinds += [("full-disk", fill_disk, True)]
    for number in range(rounds):
        for kind in kinds:
            fault_round(number, *kind)
    if own_disk:
        refuse_a_read_only_disk()


try:
    random.seed(7)
    if sys.argv[2] == "faults":
        faults(int(os.environ.get("ALMANAC_CRASH_ROUNDS", "1")))
    elif sys.argv[2] == "points":
        points(int(os.environ.get("ALMANAC_CRASH_ROUNDS", "20")))
    else:
        begin()
        end = time.time() + 60 * float(os.environ.get("ALMANAC_CRASH_MINUTES", "0"))
        number, least = 0, int(os.environ.get("ALMANAC_CRASH_ROUNDS", "3"))
        while number < least or time.time() < end:
            random_round(number, 200)
            number += 1
    for name in list(daemons):
        kill(name)
    done = run("almanac-admin", "replay", cell)
    assert done.returncode == 0, done.stdout + done.stderr
    print(done.stdout.strip())
except BaseException:
    for log in (cell / "log" / "master.log", cell / "agents" / "n1" / "log" / "agent.log"):
        if log.exists():
            print(f"--- {log}", *log.read_text().splitlines()[-25:], sep="\n")
    raise
finally:
    for process in daemons.values():
        process.kill()
        process.wait()
    subprocess.run(["pkill", "-9", "-f", str(work)])
    if network:
        network.remove()
    subprocess.run(["umount", str(cell)], capture_output=True)
    shutil.rmtree(work, ignore_errors=True)
