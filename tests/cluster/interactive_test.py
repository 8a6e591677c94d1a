#!/usr/bin/env python3
"""qrsh and qlogin with real terminals: streams, signals, window sizes, ends (docs/spec/cli.md section 10). Real processes."""
import fcntl, os, pathlib, pty, re, select, signal, struct, subprocess, termios, threading, time

import daemons
from daemons import bin, check, ignore_load, memory_mb, network_half, play, start, stop, typed, wait, work

cell = work / "cell"
near, far = cell / "agents" / "n1", cell / "agents" / "n2"
agents = {}


def run(*words, folder=cell, deadline=20, **more):
    arguments, env = typed(*words, folder=folder, deadline=deadline)
    return subprocess.run(arguments, env=env, capture_output=True, text=True, timeout=120, cwd="/tmp", **more)


def works(*words, folder=cell):
    done = run(*words, folder=folder)
    check(done.returncode == 0, f"{words}: {done.stdout}{done.stderr}")
    return done.stdout


def qrsh(*words, **more):
    return run("qrsh", "-l", "h=n2", *words, folder=near, **more)


def spawn(*words, folder=near, **more):
    arguments, env = typed(*words, folder=folder, deadline=20)
    return subprocess.Popen(arguments, env=env, cwd="/tmp", **more)


def cluster():
    works("almanac-admin", "init", cell)
    agents["master"] = start("almanac-master", cell)
    for host in ("n1", "n2"):
        works("almanac-admin", "add-host", cell, host, "--slots", 8)
        agents[host] = start("almanac-agent", cell / "agents" / host)
    works("qconf", "-ah", "n1")  # its root is root
    ignore_load(cell)
    wait(lambda: works("qstat", "-f").count("all.q@") == 2 and "au" not in works("qstat", "-f"), "both hosts are there")


def is_idle():
    return "QRLOGIN" not in (text := works("qstat")) and not text.strip()


class Terminal:
    """A command at a terminal of its own, as somebody who types sees it."""

    def __init__(self, *words, rows=31, columns=99, folder=near):
        arguments, env = typed(*words, folder=folder, deadline=20)
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            time.sleep(0.1)  # its size is set meanwhile
            os.chdir("/tmp")
            os.execve(arguments[0], arguments, {**env, "TERM": "xterm", "PS1": "$ "})
        self.seen = ""
        self.resize(rows, columns)

    def resize(self, rows, columns):
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text):
        os.write(self.file, text.encode())

    def read(self, seconds):
        if not select.select([self.file], [], [], seconds)[0]:
            return False
        try:
            content = os.read(self.file, 65536)
        except OSError:
            return False
        self.seen += content.decode(errors="replace")
        return bool(content)

    def sees(self, pattern, seconds=20):
        end = time.time() + seconds
        while not re.search(pattern, self.seen):
            check(time.time() < end, f"{pattern!r} comes within {seconds} s; it says: {self.seen!r}")
            self.read(0.2)
        return re.search(pattern, self.seen)

    def is_raw(self):
        return not termios.tcgetattr(self.file)[3] & termios.ICANON

    def end(self, seconds=20):
        end = time.time() + seconds
        while True:
            self.read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            if time.time() > end:
                os.kill(self.pid, signal.SIGKILL)
                raise AssertionError(f"it ends within {seconds} s; it says: {self.seen!r}")


# ---- without a terminal (C10.2) -------------------------------------------------------------------


def streams_and_exit_status():
    done = qrsh("read line; echo got $line; echo sad >&2; exit 7", input="a word\nmore\n")
    check((done.returncode, done.stdout, done.stderr) == (7, "got a word\n", "sad\n"), str(done))
    done = qrsh("echo", "$HOSTNAME", "$JOB_NAME", "-", "$SGE_O_HOST")
    check(done.stdout == "n2 echo - n1\n", str(done))
    done = qrsh("-nostdin", "cat; tty", input="not read")
    check(done.stdout == "not a tty\n" and done.returncode == 1, str(done))
    done = qrsh("-noshell", "echo", "$HOME")
    check(done.stdout == "$HOME\n", str(done))
    done = qrsh("-o", work / "no.out", "-e", work / "no.err", "-j", "y", "echo here; echo apart >&2")  # C10.10
    check((done.stdout, done.stderr) == ("here\n", "apart\n") and not (work / "no.out").exists() and not (work / "no.err").exists(), str(done))
    done = qrsh("kill -TERM $$")
    check(done.returncode == 128 + 15, str(done))
    done = qrsh("/nosuch/program")
    check(done.returncode == 127, str(done))
    done = qrsh("-verbose", "-N", "loud", "true")
    check(re.search(r'Your job \d+ \("loud"\) has been submitted\nwaiting for interactive job to be scheduled ...\n'
                    r"Your interactive job \d+ has been successfully scheduled.\nEstablishing session to host n2 ...\n", done.stderr), str(done))
    script = work / "script.sh"
    script.write_text("#!/bin/sh\ncat\necho script $1\n")
    done = qrsh("-b", "n", script, "one", input="input\n")
    check(done.stdout == "input\nscript one\n", str(done))
    done = run("qrsh", "-l", "h=n1", "cat", folder=near, input="the same host")
    check(done.stdout == "the same host", str(done))
    wait(is_idle, "all of them are over")


def accounting():
    record = works("qacct", "-j", "loud")
    for line in (r"hostname +n2", r"failed +0 *\n", r"exit_status +0"):
        check(re.search(line, record), f"{line}: {record}")


def much():
    megabytes = 256
    began = time.time()
    done = spawn("qrsh", "-l", "h=n2", f"head -c {megabytes}M /dev/zero", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    size = 0
    while content := done.stdout.read(1 << 20):
        size += len(content)
    check(done.wait() == 0 and size == megabytes << 20, f"{size} bytes of {megabytes} MB come")
    print(f"output: {megabytes / (time.time() - began):.0f} MB/s")
    began = time.time()
    source = subprocess.Popen(["head", "-c", f"{megabytes}M", "/dev/zero"], stdout=subprocess.PIPE)
    done = spawn("qrsh", "-l", "h=n2", "wc -c", stdin=source.stdout, stdout=subprocess.PIPE, text=True)
    check(done.communicate(timeout=120)[0] == f"{megabytes << 20}\n", "all of the input comes")
    print(f"input: {megabytes / (time.time() - began):.0f} MB/s")


def a_reader_that_stands_still():
    before = memory_mb(agents["n1"]), memory_mb(agents["n2"])
    stands = [spawn("qrsh", "-l", "h=n2", "cat /dev/zero", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) for _ in range(4)]
    for process in stands:
        process.stdout.read(1)
    time.sleep(3)
    for host in ("n1", "n2"):
        half = pathlib.Path(f"/proc/{network_half(agents[host])}/status").read_text()
        used = int(half.split("VmRSS:")[1].split()[0]) >> 10
        check(used < 150, f"the agent on {host} has {used} MB (its helper had {before})")
    for process in stands:
        process.kill()
        process.wait()
    wait(is_idle, "jobs whose clients were killed end")


def eight_at_once():
    def count(name):
        return (cell / "log" / "master.log").read_text().count(name)

    lost = count("lost its session")
    sizes = []

    def one():
        process = spawn("qrsh", "-l", "h=n2", "head -c 128M /dev/zero", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        size = 0
        while content := process.stdout.read(1 << 20):
            size += len(content)
        process.wait()
        sizes.append(size)

    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads:
        thread.start()
    began, asked = time.time(), 0
    while any(thread.is_alive() for thread in threads):
        works("qsub", "-b", "y", "-o", "/dev/null", "-j", "y", "-h", "true")
        asked += 1
    print(f"qsub while eight streams are full: {1000 * (time.time() - began) / max(1, asked):.1f} ms")
    check(sizes == [128 << 20] * 8, f"all of it comes: {sizes}")
    check(count("lost its session") == lost, "no lease is missed")
    works("qdel", "-u", "*")
    wait(is_idle, "nothing is left")


# ---- with a terminal (C10.1) ----------------------------------------------------------------------


def a_terminal():
    terminal = Terminal("qrsh", "-pty", "y", "-l", "h=n2", "stty size; tty; echo $TERM; read word; echo got $word; exit 9")
    terminal.sees(r"31 99\r\n/dev/pts/\d+\r\nxterm\r\n")
    check(terminal.is_raw(), "what is typed goes to the job as it is")
    terminal.type("hello\r")
    terminal.sees(r"hello\r\ngot hello")
    check(terminal.end() == 9, terminal.seen)
    terminal = Terminal("qrsh", "-pty", "y", "-l", "h=n2", "trap 'stty size' WINCH; echo ready; while :; do sleep 0.1; done")
    terminal.sees("ready")
    terminal.resize(50, 132)
    terminal.sees("50 132")
    terminal.type("\x03")
    check(terminal.end() == 130, f"Ctrl-C is the job's: {terminal.seen}")
    wait(is_idle, "they are over")


def a_login():
    terminal = Terminal("qlogin", "-l", "h=n2")
    terminal.sees(r"Your interactive job \d+ has been successfully scheduled")
    terminal.type("echo shell $0 host $HOSTNAME job $JOB_NAME\r")
    terminal.sees(r"shell -\w+ host n2 job QLOGIN")
    terminal.type("exit 4\r")
    check(terminal.end() == 4, terminal.seen)
    terminal = Terminal("qrsh", "-l", "h=n2")
    terminal.type("echo job $JOB_NAME; cat\r")
    terminal.sees(r"job QRLOGIN")
    terminal.type("\x04")
    terminal.type("exit\r")
    check(terminal.end() == 0, terminal.seen)
    wait(is_idle, "they are over")


# ---- ends -----------------------------------------------------------------------------------------


def a_client_that_goes():
    mark = work / "hung-up"
    client = spawn("qrsh", "-N", "left", "-l", "h=n2", f"trap 'echo hup >{mark}; exit' HUP; echo ready; while :; do sleep 0.1; done",
                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    check(client.stdout.readline() == "ready\n", "it runs")
    client.kill()
    client.wait()
    wait(mark.exists, "the job hears SIGHUP")
    wait(is_idle, "it ends")
    record = works("qacct", "-j", "left")
    check(re.search(r"failed +100 : .*its client has gone", record), record)
    stubborn = spawn("qrsh", "-l", "h=n2", "trap '' HUP; echo ready; while :; do sleep 0.1; done", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    check(stubborn.stdout.readline() == "ready\n", "it runs")
    stubborn.kill()
    stubborn.wait()
    wait(is_idle, "SIGKILL follows", 30)


def an_interrupt():
    for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # Ctrl-C first
        client = spawn("qrsh", "-l", "h=n2", "echo ready; sleep 100", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        check(client.stdout.readline() == "ready\n", "it runs")
        client.send_signal(sent)
        check(client.wait(20) == 128 + sent, f"{sent.name} ends a client without a terminal, which says so")
        wait(is_idle, "and its job")


def qdel_ends_it():
    client = spawn("qrsh", "-N", "deleted", "-l", "h=n2", "echo ready; sleep 100", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    check(client.stdout.readline() == "ready\n", "it runs")
    works("qdel", "deleted")
    check(client.wait(20) == 128 + 9 and "killed" in client.stderr.read(), "the client hears of it")


def now_or_later():
    works("qsub", "-N", "full", "-pe", "fill", 16, "-b", "y", "-o", "/dev/null", "-j", "y", "sleep", 1000)
    wait(lambda: " r " in works("qstat"), "the cluster is full")
    began = time.time()
    done = run("qrsh", "hostname", folder=near)
    check(done.returncode == 1 and 'Your "qrsh" request could not be scheduled, try again later.' in done.stderr, str(done))
    done = run("qlogin", folder=near)
    check(done.returncode == 1 and 'Your "qlogin" request could not be scheduled, try again later.' in done.stderr, str(done))
    check(time.time() - began < 5, "at once")
    waits = spawn("qrsh", "-now", "n", "-N", "later", "echo at last", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    gives_up = spawn("qrsh", "-now", "n", "-N", "never", "echo no", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    wait(lambda: "later" in (text := works("qstat")) and "never" in text, "both wait")
    gives_up.send_signal(signal.SIGINT)
    check(gives_up.wait(20) == 130 and gives_up.stdout.read() == "", "who gives up takes the job back")
    wait(lambda: "never" not in works("qstat"), "it is gone")
    works("qdel", "full")
    check(waits.communicate(timeout=60)[0] == "at last\n" and waits.returncode == 0, "the other one runs")
    wait(is_idle, "all are over")


def a_reservation():
    granted = works("qrsub", "-d", "0:10:0", "-now", "-pe", "fill", 2, "-N", "talk")
    number = re.search(r"(\d+)", granted).group(1)
    wait(lambda: re.search(rf"^ *{number} .* r ", works("qrstat"), re.M), "it runs")
    done = run("qrsh", "-ar", number, "-l", "h_rt=60", "echo $SGE_AR_ID", folder=near)
    check(done.stdout == f"{number}\n", str(done))
    done = run("qrsh", "-ar", number, "-l", "h_rt=7200", "true", folder=near)
    check(done.returncode == 1 and "the job duration" in done.stderr, str(done))
    done = run("qrsh", "-ar", 999, "true", folder=near)
    check(done.returncode == 1 and "the advance reservation id 999 is invalid" in done.stderr, str(done))
    works("qrdel", number)


# ---- what may break -------------------------------------------------------------------------------


def the_door_of_the_master():
    done = run("qrsh", "hostname", folder=cell)
    check(done.returncode == 1 and "needs the door of an agent" in done.stdout + done.stderr, str(done))
    check(is_idle(), "no job came of it")


def a_master_that_is_away():
    client = spawn("qrsh", "-l", "h=n2", "while read line; do echo $line; done; exit 3", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def says(word):
        client.stdin.write(word + "\n")
        client.stdin.flush()
        return client.stdout.readline() == word + "\n"

    check(says("before"), "it runs")
    stop(agents["master"])
    check(says("without"), "streams do not go through the master")
    client.stdin.close()
    check(client.wait(20) == 3, "nor does the end")
    agents["master"] = start("almanac-master", cell)
    wait(is_idle, "the master hears of the end", 60)


def a_host_that_is_lost():
    client = spawn("qrsh", "-l", "h=n2", "echo ready; sleep 100", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    check(client.stdout.readline() == "ready\n", "it runs")
    half = network_half(agents["n2"])
    agents["n2"].kill()
    os.kill(half, signal.SIGKILL)
    agents["n2"].wait()
    check(client.wait(60) == 1, "the client ends")
    text = client.stderr.read()
    check("host n2" in text, f"and says why: {text}")
    agents["n2"] = start("almanac-agent", far)
    wait(is_idle, "the job is hung up when the agent is back", 60)


# ---- qrsh -inherit (C10.4) ------------------------------------------------------------------------


def inside_a_job():
    script = work / "inside.sh"
    script.write_text("""#!/bin/sh
other=$(awk -v own=$HOSTNAME '$1 != own { print $1; exit }' $PE_HOSTFILE)
echo word | qrsh -inherit -verbose $other 'read line; echo got $line; echo sad >&2; exit 5' 2>$TMPDIR/error
echo "status $?"
grep -cx sad $TMPDIR/error
qrsh -inherit -nostdin -noshell $other echo '$HOME' '*'
qrsh -inherit -nostdin $other "trap 'echo hup >$1; exit' HUP; while :; do sleep 0.1; done" &
sleep 1
kill -9 $!
sleep 2
""")
    mark, output = work / "inherited", work / "inside.out"
    works("qsub", "-sync", "y", "-N", "inside", "-pe", "mpi", 2, "-j", "y", "-o", output, script, mark)
    check(output.read_text().startswith("got word\nstatus 5\n1\n$HOME *\n"), output.read_text())
    wait(mark.exists, "a process whose qrsh was killed hears SIGHUP")
    wait(is_idle, "it is over")


def an_agent_that_is_restarted():
    script = work / "restarted.sh"
    script.write_text("""#!/bin/sh
other=$(awk -v own=$HOSTNAME '$1 != own { print $1; exit }' $PE_HOSTFILE)
echo $HOSTNAME $other >$1.hosts
qrsh -inherit -nostdin $other "echo \\$\\$ >$1.pid; while :; do sleep 0.1; done"
echo $? >$1.status
until test -e $1.go; do sleep 0.1; done
until qrsh -inherit -nostdin $other "touch $1.second"; do sleep 0.2; done
""")
    for place, name in enumerate(("first", "other")):
        mark = work / f"restarted.{name}"
        beside = {word: pathlib.Path(f"{mark}.{word}") for word in ("hosts", "pid", "status", "go", "second")}
        works("qsub", "-N", mark.name, "-pe", "mpi", 2, "-j", "y", "-o", "/dev/null", script, mark)
        wait(lambda: beside["pid"].exists() and beside["pid"].read_text().endswith("\n"), "a process runs on the other host")
        pid, host = beside["pid"].read_text().strip(), beside["hosts"].read_text().split()[place]
        half = network_half(agents[host])
        agents[host].kill()
        os.kill(half, signal.SIGKILL)
        agents[host].wait()
        agents[host] = start("almanac-agent", cell / "agents" / host)
        wait(lambda: beside["status"].exists() and beside["status"].read_text() == "1\n", f"qrsh says that it lost its connection ({name} host)")
        wait(lambda: not pathlib.Path(f"/proc/{pid}").exists(), f"the process ends ({name} host)")
        beside["go"].touch()
        wait(beside["second"].exists, f"another one takes its place ({name} host)")
        wait(is_idle, "the job itself ran on, and is over", 60)


def main():
    cluster()
    streams_and_exit_status()
    accounting()
    a_terminal()
    a_login()
    a_client_that_goes()
    an_interrupt()
    qdel_ends_it()
    now_or_later()
    a_reservation()
    the_door_of_the_master()
    inside_a_job()
    an_agent_that_is_restarted()
    a_master_that_is_away()
    much()
    a_reader_that_stands_still()
    eight_at_once()
    a_host_that_is_lost()


play(main)
