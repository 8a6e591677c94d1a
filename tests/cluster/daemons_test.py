#!/usr/bin/env python3
"""Daemons against what may come at them: settings, stores, doors, strangers. Real processes."""
import fcntl, json, os, pathlib, re, shutil, socket, struct, subprocess, time

import daemons
from daemons import bin, check, play, start, wait, work


def run(*words, cell="a"):
    return daemons.run(*words, folder=work / cell)


def fails_to_start(program, folder, *texts):
    done = subprocess.run([str(bin / program), "--dir", str(folder)], capture_output=True, text=True, timeout=20)
    check(done.returncode != 0, f"{program} refuses to start")
    for text in texts:
        check(text in done.stderr, f"{program} says {text!r}, it said {done.stderr!r}")


def log(folder):
    path = folder / "log" / ("agent.log" if "agents" in str(folder) else "master.log")
    return path.read_text() if path.exists() else ""


def garbage_at_the_door(path):
    frames = [b"", b"\x00", b"\x00\x00\x00\x00", b"\xff\xff\xff\xff", struct.pack(">I", 64) + b"x" * 64, struct.pack(">I", 64) + b"x" * 10, b"GET / HTTP/1.0\r\n\r\n", os.urandom(4000),
              struct.pack(">I", 1 << 20) + os.urandom(1 << 20)]
    for frame in frames:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(1)
            client.connect(str(path))
            try:
                client.sendall(frame)
                client.recv(100)
            except (TimeoutError, BrokenPipeError, ConnectionResetError):
                pass


def waits_for_who_is_on_the_way_out(cell):
    """A master that was killed just now may hold the lock for another moment: the next one waits for it."""
    with open(cell / "run" / "lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        (cell / "run" / "ready").unlink(missing_ok=True)
        master = daemons.spawn(bin / "almanac-master", "--dir", cell)
        wait(lambda: has_open(master, cell / "run" / "lock"), "the next master opens the lock")
    wait((cell / "run" / "ready").exists, "it starts once the lock is free")
    return master


def has_open(process, path):
    """Whether a process that has not ended has opened the file."""
    files = pathlib.Path(f"/proc/{process.pid}/fd")
    return process.poll() is None and any(os.path.realpath(file) == str(path) for file in files.iterdir())


def a_trace_shows_what_names_its_job(cell):
    """The other inputs stay in the store: the console says which it wants."""
    numbers = [run("qsub", "-terse", "-h", "-N", name, "-b", "y", "true", cell=cell.name)[1].strip() for name in ("traced", "other")]
    seen = work / "trace"
    arguments, env = daemons.typed("almanac-console", "--json", "trace", numbers[0], folder=cell)
    with open(seen, "w") as file:
        trace = subprocess.Popen(arguments, env=env, stdout=file, stderr=subprocess.STDOUT)
    daemons.processes.append(trace)
    wait(lambda: '"state"' in seen.read_text(), "the job is traced")
    for number in reversed(numbers):
        check(run("qalter", "-p", -5, number, cell=cell.name)[0] == 0, f"qalter {number}")
    wait(lambda: "alters" in seen.read_text(), "what changes the job is seen")
    run("qdel", *numbers, cell=cell.name)
    check(trace.wait(timeout=20) == 0, "the trace ends with the job")
    inputs = [line for line in map(json.loads, seen.read_text().splitlines()) if "about" in line]
    check(inputs and all({f"name {numbers[0]}", "name traced"} & set(line["about"]) for line in inputs), f"nothing else is seen: {inputs}")


def taken_down(cell, *daemons_of_it):
    """After scripts/local down nothing of a cell is left, not even a job that ran."""
    daemons.ignore_load(cell)
    runs = work / "runs"
    code, text = run("qsub", "-b", "y", "-o", "/dev/null", "-j", "y", f"echo $$ > {runs}.new; mv {runs}.new {runs}; exec sleep 86397", cell=cell.name)
    check(code == 0, text)
    wait(runs.exists, "the job runs")
    script = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "local"
    done = subprocess.run([script, "down"], env={**os.environ, "ALMANAC_LOCAL": str(cell)}, capture_output=True, text=True, timeout=60)
    check(done.returncode == 0, done.stdout + done.stderr)
    check(not cell.exists(), "the folder is gone")
    check(not pathlib.Path("/proc", runs.read_text().strip()).exists(), "so is the job's process")
    wait(lambda: all(process.poll() is not None for process in daemons_of_it), "so are the daemons")
    wait(lambda: subprocess.run(["pgrep", "-f", cell], stdout=subprocess.DEVNULL).returncode == 1, "so is all that had to do with it")


def main():
    for cell in ("a", "b"):
        code, text = run("almanac-admin", "init", work / cell, "--cell", cell)
        check(code == 0, text)
    code, text = run("almanac-admin", "init", work / "a")
    check(code == 1 and "is not empty" in text, text)
    a, b = work / "a", work / "b"

    # Settings with a typo, settings that are no settings.
    good = (a / "settings.toml").read_text()
    (a / "settings.toml").write_text(good + "prot = 1\n")
    fails_to_start("almanac-master", a, "settings.toml:5", '"prot" is not a setting')
    (a / "settings.toml").write_text(good.replace("port = 0", 'port = "many"'))
    fails_to_start("almanac-master", a, "settings.toml:4", "a number from 0 to 65535 is expected")
    (a / "settings.toml").write_text("[[[")
    fails_to_start("almanac-master", a, "settings.toml:1")
    (a / "settings.toml").write_text(good)
    fails_to_start("almanac-master", work / "nosuch", f"can't read {work}/nosuch/settings.toml: is --dir the folder of a cell?")
    fails_to_start("almanac-agent", work / "nosuch", f"can't read {work}/nosuch/settings.toml: is --dir the folder of an agent?")
    for program in ("almanac-master", "almanac-agent"):
        done = subprocess.run([str(bin / program), "--nonsense"], capture_output=True, text=True, timeout=20)
        check(done.returncode == 1, f"{program} ends with 1 on a wrong option, not {done.returncode}")

    master_of_b = waits_for_who_is_on_the_way_out(b)
    start("almanac-master", a)
    fails_to_start("almanac-master", a, "another process works in")
    check(run("almanac-admin", "add-host", a, "bad host")[0] == 1, "a host name with a blank is refused")
    for host in ("n1", "n2"):
        code, text = run("almanac-admin", "add-host", a, host, "--slots", 2)
        check(code == 0, text)
    check(run("almanac-admin", "add-host", a, "n1")[0] == 1, "a host is added once")
    run("almanac-admin", "add-host", b, "n1", cell="b")
    daemons.ignore_load(a)
    os.environ["EDITOR"] = "true"
    code, text = run("qconf", "-aq", "untouched")
    check(code == 1 and "file unchanged" in text, f"a template that was not edited: {text}")
    check("untouched" not in run("qconf", "-sql")[1], "nothing is added")
    del os.environ["EDITOR"]
    start("almanac-agent", a / "agents" / "n1")
    wait(lambda: "-NA-" not in run("qstat", "-f")[1].split("all.q@n2")[0], "n1 registers")

    # Somebody else's name, with the ticket of n2.
    thief = work / "thief"
    shutil.copytree(a / "agents" / "n2", thief, symlinks=True)
    settings = (thief / "settings.toml").read_text()
    (thief / "settings.toml").write_text(settings.replace('host = "n2"', 'host = "n1"'))
    start("almanac-agent", thief)
    wait(lambda: "the ticket is that of agent n2" in log(a), "the master refuses the wrong name")
    # Another cell's certificate does not even get a session.
    stranger = work / "stranger"
    shutil.copytree(b / "agents" / "n1", stranger, symlinks=True)
    port = (a / "run" / "port").read_text().strip()
    settings = (stranger / "settings.toml").read_text()
    (stranger / "settings.toml").write_text(re.sub(r"master = .*", f'master = "127.0.0.1:{port}"', settings))
    process = start("almanac-agent", stranger)
    wait(lambda: "no session with the master" in (stranger / "log" / "agent.log").read_text(), "another cell's agent is kept out")
    process.kill()

    for door in (a / "run" / "door", a / "agents" / "n1" / "run" / "door"):
        garbage_at_the_door(door)
    code, text = run("qsub", "-sync", "y", "-b", "y", "-o", "/dev/null", "-j", "y", "true")
    check(code == 0, f"the daemons live on: {text}")
    # A named change is carried out once, whoever asks for it how often.
    os.environ["ALMANAC_REQUEST_ID"] = "nightly"
    first, again, other = (run("qsub", "-h", "-b", "y", program) for program in ("true", "true", "false"))
    del os.environ["ALMANAC_REQUEST_ID"]
    check(first[0] == 0 and again == first, f"{first} and {again}")
    check(other[0] == 1 and "the request id nightly was used for another request" in other[1], other[1])
    check(run("qdel", "-u", "*")[1].count("\n") == 1, "there is one such job")
    # The answer to a change that is refused is not kept: its name can be used again.
    os.environ["ALMANAC_REQUEST_ID"] = "refused"
    first, other = run("qdel", 4711), run("qdel", 4712)
    del os.environ["ALMANAC_REQUEST_ID"]
    check(first == (1, 'denied: job "4711" does not exist\n') and other == (1, 'denied: job "4712" does not exist\n'), f"{first} and {other}")
    # The agent's door relays; who is root here is somebody from an admin host.
    check(run("qconf", "-ah", "n1")[0] == 0, "n1 is an admin host")
    code, text = run("qsub", "-sync", "y", "-b", "y", "-o", "/dev/null", "-j", "y", "true", cell="a/agents/n1")
    check(code == 0, f"the agent's door relays: {text}")
    big = work / "big.sh"
    big.write_text("#!/bin/sh\n" + "# filler\n" * 200_000)
    code, text = run("qsub", big)
    check(code == 1 and "at most 1048576 are taken: is the script too large? Let it read what it carries from a file" in text, text)

    # Whoever brings garbage to the port, or is killed, harms no one else's session.
    dying = start("almanac-agent", a / "agents" / "n2")
    wait(lambda: "host registered host=n2" in log(a), "n2 registers")
    with socket.create_connection(("127.0.0.1", int(port))) as client:
        client.sendall(b"GET / HTTP/1.0\r\n\r\n")
        time.sleep(1)
    dying.kill()
    wait(lambda: "host lost its session host=n2" in log(a), "the master sees that n2 is gone")
    time.sleep(3)  # each session has spoken since
    check("lost its session host=n1" not in log(a), "n1 keeps its session")

    # The console shows every actor, as text and as JSON.
    code, text = run("almanac-console", "actors")
    check(code == 0 and "calendar" in text and "host" in text, text)
    code, text = run("almanac-console", "show", "calendar")
    check(code == 0 and "term:" in text, text)
    code, text = run("almanac-console", "show", "host/n1", "--json")
    check(code == 0 and '"phase": 2' in text, text)
    check(run("almanac-console", "show", "99999")[0] == 1, "an unknown actor")
    a_trace_shows_what_names_its_job(a)

    # A list that is longer than any buffer, from the master and by way of an agent.
    many = 40_000
    run("qmod", "-d", "all.q")
    subprocess.run([str(bin / "bench_submit"), str(a / "run" / "door"), str(many)], check=True, capture_output=True)
    for cell in ("a", "a/agents/n1"):
        code, text = run("qstat", "-u", "*", cell=cell)
        check(code == 0 and text.count("\n") >= many, f"{cell}: {code}, {len(text)} characters")

    taken_down(b, master_of_b, start("almanac-agent", b / "agents" / "n1"))

    # A store of a newer version is refused; so is none.
    daemons.end_all()
    code, text = run("almanac-admin", "replay", a)
    check(code == 0 and "is that of the stored records" in text, text)
    subprocess.run(["rm", "-rf", str(a / "store")])
    fails_to_start("almanac-master", a, "the store")
    print("daemons stand what comes at them")


play(main)
