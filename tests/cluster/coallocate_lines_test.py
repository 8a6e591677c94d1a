#!/usr/bin/env python3
"""almanac-coallocate with real processes and sites that answer its lines: killed with -9 at each step of its own, with a site that is silent, refuses, is late, loses its
hold or talks nonsense. All sites or none are committed, but for the hazard that is reported as mixed (metascheduler.md M11.4, M5.7)."""
import json, os, pathlib, socket, subprocess, sys, time

import daemons
from daemons import bin, check, play, wait, work

site_program = pathlib.Path(__file__).resolve().parent / "modelled_site.py"
log = work / "log"


def make_sites(names):
    for name in names:
        folder = work / name
        folder.mkdir(exist_ok=True)
        for file in folder.iterdir():
            file.unlink()
        (folder / "nodes").write_text("4")


def plan(names, settings="", resources="NODES=2"):
    text = f'duration = 60\nuser = "ann"\nhold = 20\nmargin = 2\nlead = 30\nanswer_within = 2\n{settings}\n'
    for name in names:
        text += f'[[site]]\nname = "{name}"\nresources = "{resources}"\ncommand = ["{sys.executable}", "{site_program}", "{work / name}"]\n'
    file = work / "plan.toml"
    file.write_text(text)
    return file


def coallocate(*words, crash_at="", seconds=120):
    env = {**os.environ, "ALMANAC_CRASH_AT": crash_at}
    done = subprocess.run([bin / "almanac-coallocate", "--log", log, *map(str, words)], env=env, capture_output=True, text=True, timeout=seconds)
    return done.returncode, done.stdout, done.stderr


def grants(name):
    file = work / name / "grants"
    return json.loads(file.read_text()) if file.exists() else []


def states(names):
    return [sorted(g["state"] for g in grants(name)) for name in names]


def lines(name):
    file = work / name / "lines"
    return [line.split()[0] for line in file.read_text().splitlines()] if file.exists() else []


def all_works():
    names = ["c", "a", "b"]
    make_sites(names)
    code, text, errors = coallocate(plan(names))
    check(code == 0, f"{code}: {text}{errors}")
    first, *rest = text.splitlines()
    check("END=all" in first and [line.split(";")[0] for line in rest] == ["SITE=a", "SITE=b", "SITE=c"], text)
    starts = {g["start"] for name in names for g in grants(name)}
    check(len(starts) == 1 and f"STARTTIME={starts.pop()};RESKEY=v1.a.1" in rest[0], text)
    code, text, errors = coallocate("--json", plan(names))
    told = json.loads(text)
    check(code == 0 and told["end"] == "all" and told["sites"][2]["reservation_key"] == "v1.c.2", text + errors)
    # Its own room is full now, so a third one starts when they end.
    code, text, errors = coallocate(plan(names))
    check(code == 0 and grants("a")[2]["start"] >= grants("a")[0]["end"], text + errors)


def nothing_works():
    make_sites("ab")
    (work / "b" / "nodes").write_text("1")
    code, text, errors = coallocate(plan("ab", "rounds = 0"))
    check(code == 1 and "END=none;MSG=there is no common start" in text and grants("a") == [], f"{code}: {text}{errors}")
    (work / "b" / "mischief").write_text("refuse HELLO -21")
    code, text, errors = coallocate(plan("ab"))
    check(code == 1 and "b: as was wished (SC=-21)" in text.replace("\\", ""), f"{code}: {text}{errors}")
    # M5.3
    (work / "b" / "nodes").write_text("4")
    (work / "b" / "mischief").write_text("clock 60")
    code, text, errors = coallocate(plan("ab"))
    check(code == 1 and "its clock is" in text and "ahead" in text, f"{code}: {text}{errors}")
    code, text, errors = coallocate(plan("ab", 'odd_clock = "shift"'))
    check(code == 0 and abs(grants("b")[0]["start"] - grants("a")[0]["start"] - 60) <= 1, f"{code}: {text}{errors}")


def a_site_misbehaves():
    for what in ("refuse SETRES -30", "silent SETRES", "late 3", "nonsense SETRES", "hold 1", "silent HELLO", "nonsense RESQUERY"):
        make_sites("ab")
        (work / "b" / "mischief").write_text(what)
        code, text, errors = coallocate(plan("ab", "rounds = 0\ntries = 1"))
        check(code == 1 and "END=none" in text, f"{what}: {code}: {text}{errors}")
        check("committed" not in str(states("ab")) and "held" not in str(states("a")), f"{what}: {states('ab')}")
    # It cannot be reached, and has no time-out of its own.
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen()
        authority, key = work / "ca.pem", work / "secret"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ed25519", "-nodes", "-keyout", work / "ca.key", "-out", authority, "-subj", "/CN=ca", "-days", "1"], check=True, capture_output=True)
        key.write_text("x" * 40)
        key.chmod(0o600)
        make_sites("a")
        file = plan("a", "rounds = 0")
        file.write_text(file.read_text() + f'[[site]]\nname = "z"\nresources = "NODES=1"\nhost = "127.0.0.1"\nport = {door.getsockname()[1]}\nauthority = "ca.pem"\nkey_id = "k"\nsecret = "secret"\n')
        code, text, errors = coallocate(file, seconds=20)
        check(code == 1 and r"z\: no answer came in time" in text, f"{code}: {text}{errors}")


def mixed():
    """M5.7: a site that cannot be reached until its hold has ended."""
    # M5.4: what is refused otherwise is answered, too.
    for what in ("lapse", "refuse COMMIT -21"):
        make_sites("ab")
        (work / "b" / "mischief").write_text(what)
        code, text, errors = coallocate(plan("ab"))
        check(code == 3 and "END=mixed" in text and "SITE=a;STATE=released" in text and "SITE=b;STATE=lost" in text, f"{what}: {code}: {text}{errors}")
        check(states("a") == [["released"]], f"{what}: {states('ab')}")
    # M6.17: it is told how it can be released by hand.
    make_sites("ab")
    (work / "a" / "mischief").write_text("refuse RELEASE -51")
    (work / "b" / "mischief").write_text("lapse")
    code, text, errors = coallocate(plan("ab"))
    check(code == 3 and "SITE=a;STATE=committed;RESID=R1;" in text and "RESKEY=v1.a.1;MSG=it stays reserved" in text and "SC=-51" in text.replace("\\", ""), f"{code}: {text}{errors}")
    check(coallocate("--recover")[:2] == (0, ""), "nothing is left to do")


def forgotten():
    """M5.8, M5.9: more than an hour later no site knows how it settled a transaction, and STATUS tells what stands."""
    make_sites("ab")
    code, text, errors = coallocate(plan("ab"), crash_at="answer:8")
    check(code == -9 and states("ab") == [["committed"]] * 2, f"{code}: {states('ab')}: {text}{errors}")
    for name in "ab":
        (work / name / "mischief").write_text("refuse COMMIT -42")
    code, text, errors = coallocate("--recover")
    check(code == 0 and "END=all" in text and "RESKEY=v1.a.1" in text and "RESKEY=v1.b.1" in text, f"{code}: {text}{errors}")
    check(states("ab") == [["committed"]] * 2 and "STATUS" in lines("a") and "RELEASE" not in lines("a"), f"{states('ab')}: {lines('a')}")


def told_to_end():
    """A program that ignores the end of its input does not outlive it."""
    make_sites("a")
    file, started = plan("a"), work / "started"
    for script in ("exec sleep 100", "trap '' TERM; while :; do sleep 0.2; done"):
        started.unlink(missing_ok=True)
        words = json.dumps(["sh", "-c", f"echo $$ >{started}.new; mv {started}.new {started}; {script}"])
        slow = work / "slow.toml"
        slow.write_text(file.read_text().replace("answer_within = 2", "answer_within = 9").replace("hold = 20", "hold = 60") + f'[[site]]\nname = "z"\nresources = "NODES=1"\ncommand = {words}\n')
        process = subprocess.Popen([bin / "almanac-coallocate", "--log", log, slow], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait(started.exists, "the program of the site")
        process.terminate()
        text, errors = process.communicate(timeout=30)
        check(process.returncode == 4 and "--recover goes on" in errors, f"{process.returncode}: {text}{errors}")
        program = pathlib.Path(f"/proc/{started.read_text().strip()}")
        wait(lambda: not program.exists(), f"{script}: its end")


def killed_at_each_step():
    """M11.4, M5.9: and what is taken up afterwards."""
    points = [f"{when}-{verb}:{n}" for verb in ("HELLO", "RESQUERY", "SETRES", "COMMIT") for n in (1, 2) for when in ("before", "after")]
    points += [f"answer:{n}" for n in range(1, 9)] + ["before-undecided", "after-undecided", "before-commit", "after-commit", "before-end", "after-end"]
    for point in points:
        make_sites("ab")
        code, text, errors = coallocate(plan("ab"), crash_at=point)
        check(code == -9, f"{point}: {code}: {text}{errors}")
        decided = "COMMIT" in lines("a") + lines("b") + [point.split("-")[-1].split(":")[0]] or point in ("after-commit", "before-end", "after-end")
        code, again, errors = coallocate("--recover")
        check(code == 0, f"{point}: {code}: {again}{errors}")
        held = states("ab")
        check(all(s in ([], ["aborted"]) for s in held) or all(s == ["committed"] for s in held), f"{point}: {held}")
        check((held == [["committed"]] * 2) == decided, f"{point}: {held}, decided: {decided}")
        if decided:
            # Who reserved gets the keys, from the first process or from the second.
            check("RESKEY=v1.b.1" in text + again, f"{point}: {text}{again}")
        code, again, errors = coallocate("--recover")
        check(code == 0 and again == "", f"{point}: twice: {again}")


def the_end_cannot_be_told():
    """The keys are nowhere else: until they have been told, the log keeps them."""
    full = open("/dev/full", "w")
    reads, closed = os.pipe()
    os.close(reads)
    for json_too, output in (((), full), (("--json",), full), ((), closed)):
        make_sites("ab")
        for words in ((plan("ab"),), ("--recover",)):
            done = subprocess.run([bin / "almanac-coallocate", "--log", log, *json_too, *map(str, words)], stdout=output, stderr=subprocess.PIPE, text=True, timeout=120)
            check(done.returncode == 4 and "cannot be written out" in done.stderr, f"{words}: {done.returncode}: {done.stderr}")
            check(states("ab") == [["committed"]] * 2, f"{words}: {states('ab')}")
        code, text, errors = coallocate("--recover")
        check(code == 0 and "END=all" in text and "RESKEY=v1.a.1" in text and "RESKEY=v1.b.1" in text, f"{code}: {text}{errors}")
        code, text, errors = coallocate("--recover")
        check(code == 0 and text == "", f"told twice: {text}{errors}")
    os.close(closed)
    full.close()


def wrong_usage():
    make_sites("ab")
    os.mkfifo(work / "pipe")
    # What has no end, or never begins, is no plan.
    for words in ((), ("--recover", "x"), ("nowhere.toml",), ("--unknown",), ("/dev/zero",), (work / "pipe",)):
        code, text, errors = coallocate(*words)
        check(code == 2 and errors + text, f"{words}: {code}: {text}{errors}")
    file = plan("ab", 'holds = 3')
    code, text, errors = coallocate("--check", file)
    check(code == 2 and "line 7" in errors and '"holds" is not a setting' in errors, f"{code}: {errors}")
    check(coallocate("--check", plan("ab"))[0] == 0, "a plan that is right")
    # As the sites would read it.
    for settings, resources in (("", "NODES=1;NODES=2"), ("", "CORES=1"), ("", "NODES=1;NAME=x"), ('with = "NAME=1bad"', "NODES=1"), ("duration = 1.5", "NODES=1"), ("lead = 5", "NODES=1")):
        file = plan("ab", settings, resources)
        if settings:
            name = settings.split()[0]
            rest = [line for line in file.read_text().splitlines() if not line.startswith(name + " ") or line == settings]
            file.write_text("\n".join(rest))
        code, text, errors = coallocate("--check", file)
        check(code == 2 and errors, f"{settings} {resources}: {code}: {errors}")
    file = plan("a")
    file.write_text(file.read_text() + '[[site]]\nname = "z"\nresources = "NODES=1"\nhost = "127.0.0.1"\nport = 1\nauthority = "nowhere.pem"\nkey_id = "k"\nsecret = "nowhere"\n')
    code, text, errors = coallocate("--check", file)
    check(code == 2 and "can't read" in errors and "nowhere.pem" in errors, f"{code}: {errors}")
    log.chmod(0o755)
    code, text, errors = coallocate("--recover")
    check(code == 2 and "can be read by others" in errors, errors)
    log.chmod(0o700)


def main():
    all_works()
    nothing_works()
    a_site_misbehaves()
    mixed()
    killed_at_each_step()
    forgotten()
    told_to_end()
    the_end_cannot_be_told()
    wrong_usage()
    print("all sites or none, over kills at each step, and mixed where a site had lost its hold")


play(main)
