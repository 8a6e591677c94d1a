#!/usr/bin/env python3
"""Makes a small store with something of everything: how the stores in this folder came about.   make_store.py BIN OUT.tar.gz

BIN has the programs of the version that is to write it. Its jobs have no end of their own, so that they run when the store is read again; beside the
archive lies what qstat showed (OUT.qstat)."""
import os, pathlib, shutil, subprocess, sys, tempfile, time

bin, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
work = pathlib.Path(tempfile.mkdtemp(prefix="almanac-golden-"))
os.chmod(work, 0o755)
cell = work / "cell"
env = {**os.environ, "ALMANAC_DIR": str(cell), "ALMANAC_DEADLINE": "5"}
daemons = []


def run(*words):
    done = subprocess.run([str(bin / words[0]), *map(str, words[1:])], env=env, capture_output=True, text=True, cwd="/tmp", timeout=60)
    print(" ".join(map(str, words)), "->", done.returncode, (done.stdout + done.stderr).strip()[:200])
    return done.stdout


def start(program, folder):
    (folder / "run" / "ready").unlink(missing_ok=True)
    daemons.append(subprocess.Popen([str(bin / program), "--dir", str(folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    while not (folder / "run" / "ready").exists():
        time.sleep(0.05)


def submit(*words):
    return run("qsub", "-o", "/dev/null", "-j", "y", "-b", "y", *words).split()[2].split(".")[0]


def until(holds):
    end = time.time() + 60
    while not holds():
        assert time.time() < end, run("qstat", "-u", "*")
        time.sleep(0.1)


try:
    run("almanac-admin", "init", cell)
    start("almanac-master", cell)
    (work / "queue").write_text("qname all.q\nload_thresholds NONE\n")
    run("qconf", "-Mq", work / "queue")
    run("almanac-admin", "add-host", cell, "n1", "--slots", 6)
    start("almanac-agent", cell / "agents" / "n1")
    (work / "sched").write_text("max_reservation 10\ndefault_duration 1:0:0\n")
    run("qconf", "-Msconf", work / "sched")
    until(lambda: "n1" in run("qstat", "-f"))
    reservation = run("qrsub", "-d", "1000:0:0", "-l", "h_rt=1:0:0").split()
    number = next(word for word in reservation if word.isdigit())
    failing = submit("-N", "failing", "exit 100")
    until(lambda: "Eqw" in run("qstat", "-u", "*"))
    ending = submit("-N", "ending", "true")
    until(lambda: "ending" not in run("qstat", "-u", "*"))
    submit("-N", "inside", "-ar", number, "sleep 1000000000")
    # A plain job runs, and three tasks of an array; one of them has had its turn, one is deleted while it runs.
    submit("-N", "single", "sleep 1000000000")
    array = submit("-N", "array", "-t", "1-9:2", "if [ $SGE_TASK_ID = 3 ]; then exit 0; fi; exec sleep 1000000000")
    until(lambda: run("qstat", "-u", "*").count(" r ") >= 5)
    submit("-N", "held", "-h", "-t", "1-50", "true")
    submit("-N", "after", "-hold_jid", array, "true")
    submit("-N", "planned", "-R", "y", "-l", "h_rt=0:10:0", "-p", "-10", "true")
    submit("-N", "later", "-a", "203001010000", "true")
    time.sleep(3)
    daemons[1].kill()
    daemons[1].wait()
    shown = run("qstat", "-u", "*")
    daemons[0].terminate()
    daemons[0].wait()
    pathlib.Path(str(out).replace(".tar.gz", ".qstat")).write_text(shown)
    subprocess.run(["tar", "czf", str(out), "--exclude=LOG*", "-C", str(cell), "store"], check=True)
finally:
    for daemon in daemons:
        daemon.kill()
    subprocess.run(["pkill", "-f", "sleep 1000000000"])
    shutil.rmtree(work, ignore_errors=True)
