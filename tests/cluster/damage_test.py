#!/usr/bin/env python3
"""Stores and spools that are damaged: what is found is said, nothing is guessed, an unreadable store is not started over. Real processes."""
import os, pathlib, re, shutil, signal, subprocess, time

import daemons
from daemons import bin, check, play, start, wait, work

cell, kept = work / "cell", work / "kept"


def run(*words):
    return daemons.run(*words, folder=cell)


def last_log():
    return max((cell / "store").glob("*.log"), key=lambda log: int(log.stem))


def damaged_copy(damage):
    """The cell as it was when its master was killed, with one thing spoilt."""
    shutil.rmtree(cell)
    shutil.copytree(kept, cell, symlinks=True)
    damage()


def files():
    return {path.name: path.read_bytes() for path in sorted((cell / "store").glob("*")) if path.suffix in (".log", ".sst")}


def refuses(why):
    before = files()
    done = subprocess.run([bin / "almanac-master", "--dir", cell], capture_output=True, text=True, timeout=20)
    check(done.returncode == 1 and why in done.stderr, f"{why!r} is said: {done.returncode} {done.stderr}")
    check(files() == before, "nothing is changed")
    code, text = run("almanac-admin", "replay", cell)
    check(code == 1 and why in text, text)


def overwrite_middle():
    content = bytearray(last_log().read_bytes())
    content[len(content) // 2 : len(content) // 2 + 40] = b"\xff" * 40
    last_log().write_bytes(content)


def cut_end():
    log = last_log()
    log.write_bytes(log.read_bytes()[:-37])


def half_an_order():
    """An order that is cut off, as a power cut may leave it, and the end of one that is gone; both as an earlier version kept them, too."""
    folder = cell / "agents" / "n1" / "spool" / "session"
    folder.mkdir(parents=True)
    folder.chmod(0o700)
    for name in ("99.0.1", "97.0.1.end", "98.0.1/order", "flat-96.0.1/progress", "removed-95.0.1/order"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"half of an order")


def remove(*words):
    return run("almanac-admin", "remove-record", cell, *words)


def records_are_removed():
    """One record is taken out of a store that nobody works with, by its number or by its key."""
    master = start("almanac-master", cell)
    window = ["-a", time.strftime("%Y%m%d%H%M.%S", time.localtime(time.time() + 3600)), "-d", "1000"]
    for name in ("first", "second"):
        code, text = run("qrsub", *window, "-N", name)
        check(code == 0, text)
    code, text = run("qsub", "-terse", "-h", "-ar", "1", "-b", "y", "true")
    check(code == 0, text)
    job = text.strip()
    master.kill()
    master.wait()
    code, text = remove("reservation", 3)
    check(code == 1 and "no reservation with the number 3" in text, text)
    code, text = remove("reservation", 1)
    check(code == 1 and f"job {job} runs in this reservation: remove it first" in text, text)
    code, text = remove("job", job)
    check(code == 0, text)
    code, text = remove("reservation", 1)
    check((code, text) == (0, "removed reservation 1 (first, root)\n"), text)
    # The second reservation by its key, which is what the log names where a number can't be read.
    code, text = remove("reservation", "--key", 10**6)
    check(code == 1 and "no reservation with the key 1000000" in text, text)
    keys = [key for key in range(1, 60) if remove("reservation", "--key", key)[0] == 0]
    check(len(keys) == 1, f"it had one key: {keys}")
    master = start("almanac-master", cell)
    code, text = run("qrstat")
    check("first" not in text and "second" not in text, text)
    check(run("qrsub", *window, "-pe", "smp", "2")[0] == 0, "what they held is free")
    master.kill()
    master.wait()
    code, text = run("almanac-admin", "replay", cell)
    check(code == 0 and "is that of the stored records" in text, text)


def nothing_is_recovered_where_nothing_is_damaged():
    before = files()
    code, text = run("almanac-admin", "recover", cell)
    check((code, text) == (0, f"nothing is damaged in {cell}/store: nothing is changed\n"), text)
    check(files() == before and not (cell / "store.damaged").exists(), "nothing is changed")


def a_backup_comes_back():
    """What the hosts have heard since it was made is later than it: jobs run at once all the same, and what runs is let run."""
    damaged_copy(lambda: None)
    agent = start("almanac-agent", cell / "agents" / "n1")
    backup, newer = work / "backup", work / "newer"
    for phase in ("before", "since", "after"):
        if phase == "since":
            shutil.copytree(cell / "store", backup)
        if phase == "after":
            shutil.rmtree(cell / "store")
            shutil.copytree(backup, cell / "store")
            master = start("almanac-master", cell)
            master.kill()
            master.wait()
        master = start("almanac-master", cell)
        daemons.ignore_load(cell)
        for _ in range(3):
            code, text = run("qsub", "-sync", "y", "-b", "y", "-o", "/dev/null", "-j", "y", "true")
            check(code == 0, f"{phase} the backup: {text}")
        check(" E" not in run("qstat", "-f")[1], f"{phase} the backup no queue instance is in error")
        if phase == "since":
            code, text = run("qsub", "-b", "y", "-o", "/dev/null", "-j", "y", f"echo $$ > {newer}.pid; mv {newer}.pid {newer}; exec sleep 86398")
            check(code == 0, text)
            wait(newer.exists, "a job runs that the backup does not know")
        master.kill()
        master.wait()
    process = pathlib.Path("/proc", newer.read_text().strip())
    check(process.exists(), "the newer job lives on")
    for told in ("host n1 has 1 tasks that the master does not know: none is stopped, please look",
                 r"host=n1 has task 0 of the job with the key \d+, which no record knows"):
        wait(lambda: re.search(told, (cell / "log" / "master.log").read_text()), f"the log says: {told}")
    os.kill(int(process.name), signal.SIGKILL)
    wait(lambda: not process.exists(), "it is ended")
    agent.kill()
    agent.wait()


def main():
    check(run("almanac-admin", "init", cell)[0] == 0, "init")
    master = start("almanac-master", cell)
    check(run("almanac-admin", "add-host", cell, "n1", "--slots", 2)[0] == 0, "add-host")
    for _ in range(20):
        check(run("qsub", "-h", "-b", "y", "true")[0] == 0, "qsub")
    master.kill()
    master.wait()
    shutil.copytree(cell, kept, symlinks=True, ignore=shutil.ignore_patterns("door"))

    records_are_removed()
    nothing_is_recovered_where_nothing_is_damaged()
    a_backup_comes_back()

    nothing = work / "no-cell"
    nothing.mkdir()
    for words in (("recover", nothing), ("remove-record", nothing, "job", 1)):
        code, text = run("almanac-admin", *words)
        check(code == 1 and "is --dir the folder of a cell?" in text, text)
    check(not any(nothing.iterdir()), "nothing is made where no cell is")

    damaged_copy(overwrite_middle)
    refuses("Corruption")
    code, text = run("almanac-admin", "recover", cell)
    check(code == 0 and "what was acknowledged later is not in it" in text, text)
    check((cell / "store.damaged").stat().st_mode & 0o777 == 0o700, "the logs that are kept are for nobody else to read")
    check(any((cell / "store.damaged").iterdir()), "the damaged log is kept")
    master = start("almanac-master", cell)
    check(2 < len(run("qstat")[1].splitlines()) < 2 + 20, "the jobs before the damage are there")
    code, text = run("almanac-admin", "recover", cell)
    check(code == 1 and "another process" in text, text)
    master.kill()
    master.wait()
    damaged_copy(lambda: (cell / "store" / "CURRENT").unlink())
    refuses("CURRENT")
    damaged_copy(lambda: shutil.rmtree(cell / "store"))
    refuses("store")

    # An end that is cut off: the master starts with the rest and says what it dropped.
    damaged_copy(cut_end)
    master = start("almanac-master", cell)
    log = (cell / "log" / "master.log").read_text()
    check("ends within a record" in log, log)
    check(len(run("qstat")[1].splitlines()) == 2 + 19, "all but the last are there")
    master.kill()
    master.wait()

    # A task that was not spooled to its end was never acknowledged: it is not begun.
    damaged_copy(half_an_order)
    master = start("almanac-master", cell)
    check("ends within a record" not in (cell / "log" / "master.log").read_text(), "a whole log is not complained of")
    agent = start("almanac-agent", cell / "agents" / "n1")
    daemons.ignore_load(cell)
    wait(lambda: "n1" in run("qhost")[1] and "lx-" in run("qhost")[1], "the agent is there")
    left = [path.name for path in (cell / "agents" / "n1" / "spool" / "session").iterdir() if path.name[0].isdigit() or "-" in path.name]
    check(left == [], f"half an order is taken away: {left}")
    daemons.ignore_load(cell)
    code, text = run("qsub", "-sync", "y", "-b", "y", "-o", "/dev/null", "-j", "y", "true")
    check(code == 0, text)

    # The machine goes down: what a task had begun to write is lost with it, and the task is not begun again.
    runs, spool = work / "runs", cell / "agents" / "n1" / "spool"
    code, text = run("qsub", "-terse", "-b", "y", "-o", "/dev/null", "-j", "y", f"echo once >> {runs}; sleep 86399")
    check(code == 0, text)
    wait(runs.exists, "the job runs")
    agent.kill()
    agent.wait()
    for what in (f"almanac-shepherd {spool}", "sleep 86399"):
        subprocess.run(["pkill", "-9", "-f", what])
    for progress in spool.glob("*/progress"):
        progress.unlink()
    (spool / "session" / "boot").write_text("an earlier start of the machine\n")
    start("almanac-agent", cell / "agents" / "n1")
    wait(lambda: f" {text.strip()} " not in run("qstat")[1], "the job has ended")
    check(runs.read_text() == "once\n", "it ran once")
    wait(lambda: "the host was rebooted" in run("qacct", "-j", text.strip())[1], "the reason is in the accounting")
    print("damaged stores are refused with the reason, a cut end and half an order are mended and told, a task that a power cut met is not begun again")


play(main)
