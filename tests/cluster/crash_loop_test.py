#!/usr/bin/env python3
"""A master that crashes by its own fault: a poisonous request, a crash loop, a checkpoint renewed. Real processes."""
import os, pathlib, shutil, subprocess, sys, tempfile, time

bin = pathlib.Path(sys.argv[1]).resolve()
work = pathlib.Path(tempfile.mkdtemp(prefix="almanac-loop-"))
cell = work / "cell"
daemons = []


def check(holds, what):
    if not holds:
        raise AssertionError(what)


def wait(holds, what, seconds=20):
    end = time.time() + seconds
    while not holds():
        check(time.time() < end, f"within {seconds} s: {what}")
        time.sleep(0.05)


def command(*words):
    return [str(bin / words[0]), *map(str, words[1:])], {**os.environ, "ALMANAC_DIR": str(cell), "ALMANAC_DEADLINE": "20"}


def run(*words):
    arguments, env = command(*words)
    done = subprocess.run(arguments, env=env, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


def start(program, folder, crash_at=""):
    (folder / "run" / "ready").unlink(missing_ok=True)
    daemons.append(subprocess.Popen([str(bin / program), "--dir", str(folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "ALMANAC_CRASH_AT": crash_at}))
    wait(lambda: (folder / "run" / "ready").exists(), f"{program} starts")
    return daemons[-1]


def stop(process):
    process.terminate()
    process.wait()


def passes():
    return run("almanac-console", "show", "calendar")[1].split("passes: ")[1].split()[0]


def main():
    check(run("almanac-admin", "init", cell)[0] == 0, "init")
    master = start("almanac-master", cell)
    check(run("almanac-admin", "add-host", cell, "n1", "--slots", 2)[0] == 0, "add-host")
    start("almanac-agent", cell / "agents" / "n1")
    # Killed from outside again and again is no crash loop.
    for _ in range(4):
        master.kill()
        master.wait()
        master = start("almanac-master", cell)
    check(passes() == "on", "kill -9 is no crash of the master's own")
    stop(master)

    # A request that brings the master down twice is set aside when its client asks a third time.
    arguments, env = command("qsub", "-b", "y", "-o", "/dev/null", "-j", "y", "poison")
    master = start("almanac-master", cell, "in-hand:1:abort")
    client = subprocess.Popen(arguments, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for _ in range(2):
        master.wait()
        master = start("almanac-master", cell, "in-hand:1:abort")
    text = client.communicate(timeout=30)[0]
    check(client.returncode == 1 and "crashed twice over this request" in text, text)
    check(master.poll() is None, "the master lives on")

    # The third crash within five minutes switches passes off; all else works, and says so.
    subprocess.run(arguments[:-1] + ["true"], env={**env, "ALMANAC_DEADLINE": "1"}, capture_output=True)
    master.wait()
    master = start("almanac-master", cell)
    check(passes() == "off" and "passes are off" in (cell / "log" / "master.log").read_text(), "passes are off and it is said")
    code, text = run("qsub", "-terse", "-b", "y", "-o", "/dev/null", "-j", "y", "true")
    check(code == 0, text)
    job = text.strip()
    check("has crashed three times" in run("qstat", "-j", job)[1], "qstat -j tells why")
    stop(master)
    (cell / "settings.toml").write_text((cell / "settings.toml").read_text() + "inputs_kept = 0\n")
    master = start("almanac-master", cell)
    check(passes() == "on", "after a clean stop they are on")
    wait(lambda: run("qacct", "-j", job)[0] == 0, "the job runs")
    stop(master)
    # With inputs_kept = 0 that start made a new checkpoint: replay begins there.
    code, text = run("almanac-admin", "replay", cell)
    check(code == 0 and "is that of the stored records" in text, text)
    print("a master that crashes helps itself")


try:
    main()
finally:
    for process in daemons:
        process.kill()
        process.wait()
    shutil.rmtree(work, ignore_errors=True)
