#!/usr/bin/env python3
"""Resource quota sets on real processes (docs/spec/quotas.md): cases of section 8, what people hear of changes, a limit below what runs, files that are no sets of rules, and
kill -9 in the middle of a change of rules. As root with the users of scripts/test; else the caller is all of them, and what needs two is left out."""
import json, os, pathlib, pwd, random, re, subprocess, threading, time

import daemons
from daemons import check, ignore_load, play, start, stop, typed, wait, work

cell = work / "cell"
schema = pathlib.Path(__file__).resolve().parents[2] / "share" / "schemas" / "qquota.xsd"
chance = random.Random(17)
masters, agents = [], []  # the last master is the one of the cell
users_of_tests = ("almanac-t1", "almanac-t2")
has_two = os.geteuid() == 0 and set(users_of_tests) <= {entry.pw_name for entry in pwd.getpwall()}
ann, bob = users_of_tests if has_two else (None, None)
caller = pwd.getpwuid(os.geteuid()).pw_name


def run(*words, user=None):
    return daemons.run(*words, folder=cell, deadline=30, user=user)


def works(*words, user=None):
    code, text = run(*words, user=user)
    check(code == 0, f"{words}: {text}")
    return text


def becomes(look, fits, what, seconds=20):
    """Looks until it fits; says what was seen last where it does not."""
    end = time.time() + seconds
    while not fits(seen := look()):
        check(time.time() < end, f"within {seconds} s: {what}; there is {seen}")
        time.sleep(0.05)
    return seen


def written(name, *lines):
    path = work / name
    path.write_text("\n".join(lines) + "\n")
    return path


def written_sets(name, *sets):
    """A file of quota sets, each given as its lines."""
    return written(name, *(line for lines in sets for line in ("{", *lines, "}")))


def said(verb, name):
    return verb + f' "{name}" ' + {"added": "to", "modified": "in", "removed": "from"}[verb] + " resource quota set list\n"


def add_set(*lines):
    """Every case has one set, A."""
    text = works("qconf", "-Arqs", written_sets("sets", ["name A", *lines]))
    check(text.endswith(said("added", "A")), text)


# ---- jobs -------------------------------------------------------------------------------------------


def submit(user, *words, command="sleep 300"):
    return works("qsub", "-terse", "-b", "y", "-o", "/dev/null", "-j", "y", *words, command, user=user).strip().split(".")[0]


def running():
    """Where each job or task runs, and on how many slots; of a parallel job the first place, with all of its slots."""
    rows = [line.split() for line in works("qstat", "-s", "r", "-u", "*").splitlines()[2:]]
    return {".".join([row[0], *row[9:]]): (row[7], int(row[8])) for row in rows if row[4] == "r"}


def run_now(*jobs):
    return becomes(running, lambda seen: set(jobs) <= set(seen), f"jobs {jobs} run")


def waits(job, rule, *keys, used):
    """qstat -j has the text of Q7.1 once for each key (Q7.6), in a line by itself. What stands in brackets behind it is ours: how much is used."""
    reasons = [rf'cannot run because it exceeds limit "{re.escape(key)}" in rule "{rule}" \({used}(, .*)?\)' for key in keys]

    def is_said(text):
        lines = [line[28:] for line in text.splitlines() if "exceeds limit" in line]
        return len(lines) == len(reasons) and all(any(re.fullmatch(reason, line) for line in lines) for reason in reasons)

    becomes(lambda: works("qstat", "-j", job), is_said, f"job {job} waits for {reasons}")
    check(job not in running(), f"job {job} does not run")


def shows(*rows):
    """All of qquota's table, of all users (Q6.15 to Q6.18)."""
    head = f"{'resource quota rule':<18} {'limit':<20} filter\n{'-' * 80}\n" if rows else ""
    wanted = head + "".join(f"{rule:<18} {limit:<20} {scope}\n" for rule, limit, scope in rows)
    becomes(lambda: works("qquota", "-u", "*"), lambda table: table == wanted, f"qquota shows {rows}")


def end_jobs():
    """They would outlive agents and master."""
    if masters[-1].poll() is not None:
        masters.append(start("almanac-master", cell))
    run("qdel", "-u", "*")
    wait(lambda: not run("qstat", "-u", "*")[1], "all jobs end")


# ---- cases of section 8 -----------------------------------------------------------------------------


def case_1():
    """One pool for all."""
    add_set("limit to slots=3")
    run_now(submit(ann), submit(bob), submit(ann))
    waits(submit(bob), "A/1", "/////", used="slots=3/3")
    shows(("A/1", "slots=3/3", "-"))


def case_3():
    """With braces each has a pool."""
    add_set(f"limit users {{{ann},{bob}}} to slots=2")
    run_now(submit(ann), submit(bob), submit(ann))
    waits(submit(ann), "A/1", f"{ann}/////", used="slots=2/2")
    shows(("A/1", "slots=2/2", f"users {ann}"), ("A/1", "slots=1/2", f"users {bob}"))


def case_5():
    """One on each host of @lin; once only n1 is in it, n2 has no limit."""
    add_set("limit users {*} hosts {@lin} to slots=1")
    name = ann or caller
    jobs = [submit(ann) for _ in range(4)]
    first = becomes(running, lambda seen: len(seen) == 2, "two run")
    check(sorted(place.split("@")[1] for place, _ in first.values()) == ["n1", "n2"], f"one on each host: {first}")
    waits((set(jobs) - set(first)).pop(), "A/1", f"{name}////n1/", f"{name}////n2/", used="slots=1/1")
    shows(("A/1", "slots=1/1", f"users {name} hosts n1"), ("A/1", "slots=1/1", f"users {name} hosts n2"))
    works("qconf", "-Mhgrp", written("group", "group_name @lin", "hostlist n1"))
    now = run_now(*jobs)
    check(sorted(place.split("@")[1] for place, _ in now.values()) == ["n1", "n2", "n2", "n2"], f"the rest on n2: {now}")
    shows(("A/1", "slots=1/1", f"users {name} hosts n1"))
    works("qconf", "-Mhgrp", written("group", "group_name @lin", "hostlist n1 n2"))


def case_11():
    """The first rule that matches is the only one: it limits nothing that ann asks for."""
    add_set(f"limit users {ann} to lic=1", "limit users * to slots=2")
    array = submit(ann, "-t", "1-5")
    run_now(*(f"{array}.{task}" for task in range(1, 6)))
    run_now(submit(bob), submit(bob))
    waits(submit(bob), "A/2", "/////", used="slots=2/2")
    shows(("A/2", "slots=2/2", "users *"))


def case_12():
    """!* is matched by jobs without a project, and by no other."""
    add_set("limit projects !* to slots=1")
    run_now(submit(ann))
    waits(submit(ann), "A/1", "/////", used="slots=1/1")
    run_now(submit(ann, "-P", "p1"))
    shows(("A/1", "slots=1/1", "projects !*"))


def case_14():
    """Slots of one PE; a range shrinks to what fits."""
    add_set("limit pes mpi to slots=4")
    run_now(submit(ann, "-pe", "mpi", "3"))
    waits(submit(ann, "-pe", "mpi", "2"), "A/1", "/////", used="slots=3/4")
    small = submit(ann, "-pe", "mpi", "1-2")
    now = run_now(small, submit(ann, "-pe", "smp", "8"), submit(ann))
    check(now[small][1] == 1, f"one slot is left: {now}")
    shows(("A/1", "slots=4/4", "pes mpi"))


def case_18():
    """The default of a complex counts where nothing is asked for; for each slot."""
    add_set("limit users {*} to ram=5G")
    run_now(submit(ann, "-pe", "smp", "4", "-l", "ram=1G"), submit(ann))
    waits(submit(ann), "A/1", f"{ann or caller}/////", used="ram=5.000G/5.000G")
    shows(("A/1", "ram=5.000G/5.000G", f"users {ann or caller}"))


def case_19():
    """Where the default is 0, who does not ask is not concerned."""
    add_set("limit to lic=0")
    run_now(submit(ann))
    waits(submit(ann, "-l", "lic=1"), "A/1", "/////", used="lic=0/0")
    shows()


def case_22():
    """What is consumed for each job counts once."""
    add_set("limit to tok=1")
    run_now(submit(ann, "-pe", "mpi", "4", "-l", "tok=1"))
    waits(submit(ann, "-l", "tok=1"), "A/1", "/////", used="tok=1/1")
    shows(("A/1", "tok=1/1", "-"))


def case_23():
    """A set that is switched on counts what runs, at once."""
    add_set("enabled false", "limit to slots=1")
    jobs = [submit(ann), submit(bob)]
    run_now(*jobs)
    shows()
    text = works("qconf", "-mattr", "resource_quota", "enabled", "true", "A")
    check(text.endswith(said("modified", "A")), text)
    shows(("A/1", "slots=2/1", "-"))
    waits(submit(bob), "A/1", "/////", used="slots=2/1")
    check(set(running()) == set(jobs), f"nobody is stopped: {running()}")


def case_26():
    """Of an array, so many tasks run as the limit lets."""
    add_set("limit users {*} to slots=4")
    array = submit(ann, "-t", "1-10")
    run_now(*(f"{array}.{task}" for task in range(1, 5)))
    waits(array, "A/1", f"{ann or caller}/////", used="slots=4/4")
    check(len(running()) == 4, f"the others wait: {running()}")
    shows(("A/1", "slots=4/4", f"users {ann or caller}"))


def case_27():
    """One queue is left."""
    add_set("limit queues !all.q to slots=0")
    job = submit(ann)
    place, _ = run_now(job)[job]
    check(place.startswith("all.q@"), f"it runs in {place}")
    waits(submit(ann, "-q", "long.q"), "A/1", "/////", used="slots=0/0")
    shows()


def case_28():
    """Two hosts share the pool of each user whose name fits; the rule has a name."""
    add_set("limit name cap users {almanac-t*} hosts n[12] to slots=1")
    run_now(submit(ann, "-q", "*@n1"))
    waits(submit(ann), "A/cap", f"{ann}/////", used="slots=1/1")
    run_now(submit(bob))
    shows(("A/cap", "slots=1/1", f"users {ann} hosts n[12]"), ("A/cap", "slots=1/1", f"users {bob} hosts n[12]"))


def cases(follower):
    all_cases = [case_1, case_5, case_12, case_14, case_18, case_19, case_22, case_23, case_26, case_27] + ([case_3, case_11, case_28] if has_two else [])
    for case in all_cases:
        before = len(follower.events())
        case()
        changes = ["RQS_ADD"] + ["RQS_MOD"] * (case == case_23)
        follower.hears(before, changes)
        end_jobs()
        shows()
        text = works("qconf", "-drqs", "A")
        check(text.endswith(said("removed", "A")), text)
        follower.hears(before, [*changes, "RQS_DEL"])
    print(f"{len(all_cases)} cases of section 8", flush=True)


# ---- what people hear -------------------------------------------------------------------------------


class Follower:
    """almanac-console watch RQS, over all restarts of the master."""

    def __init__(self):
        self.path = work / "events"
        arguments, env = typed("almanac-console", "--json", "watch", "RQS", "--list", folder=cell, deadline=60)
        with open(self.path, "w") as file:
            daemons.processes.append(subprocess.Popen(arguments, env=env, stdout=file, stderr=subprocess.DEVNULL, cwd="/tmp"))
        wait(self.lines, "the list of what is there ends")

    def lines(self):
        text = self.path.read_text()
        return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]

    def events(self):
        return [(line["event"], line["id"]) for line in self.lines() if "event" in line]

    def hears(self, before, changes):
        """All that was heard of sets since then: changes of A."""
        becomes(lambda: self.events()[before:], lambda events: events == [(change, "A") for change in changes], f"{changes} are heard")

    def copy(self):
        """What there must be, by what was heard. Nobody hears of a set that was added and is gone before they come to it, but that it is gone."""
        sets = {}
        for line in self.lines():
            if line.get("event") == "RQS_DEL":
                sets.pop(line["id"], None)
            elif "event" in line:
                sets[line["id"]] = line["attributes"]
        return sets


def fresh_list():
    lines = map(json.loads, works("almanac-console", "--json", "watch", "RQS", "--list", "--once").splitlines())
    return {line["id"]: line["attributes"] for line in lines if "event" in line}


# ---- a limit below what runs ------------------------------------------------------------------------


def a_limit_falls_below_what_runs():
    """Nothing is stopped; who comes next waits until enough have ended (Q4.34)."""
    add_set("limit to slots=2")
    flags = [written("first"), written("second")]
    jobs = [submit(user, command=f"while [ -e {flag} ]; do sleep 0.1; done") for user, flag in zip((ann, bob), flags)]
    run_now(*jobs)
    shows(("A/1", "slots=2/2", "-"))
    text = works("qconf", "-Mrqs", written_sets("sets", ["name A", "limit to slots=1"]))
    check(text.endswith(said("modified", "A")), text)
    shows(("A/1", "slots=2/1", "-"))
    third = submit(ann)
    waits(third, "A/1", "/////", used="slots=2/1")
    check(set(running()) == set(jobs), f"nothing is stopped: {running()}")
    flags[0].unlink()
    shows(("A/1", "slots=1/1", "-"))
    waits(third, "A/1", "/////", used="slots=1/1")
    check(set(running()) == {jobs[1]}, f"the second one runs on: {running()}")
    flags[1].unlink()
    run_now(third)
    shows(("A/1", "slots=1/1", "-"))
    end_jobs()


# ---- files that are no sets of rules ----------------------------------------------------------------


def bad_files():
    """What the file holds behind a good set, what is said of it, and where."""

    def with_limit(limit):
        return "\n".join(["{", "name good", "limit to slots=1", "}", "{", "name bad", limit, "}"]) + "\n"

    yield "bytes", chance.randbytes(400_000), "the text ", 'bytes: line 1: "'
    yield "more-bytes", chance.randbytes(17 << 20), "at most 16777216 bytes, not 17825792", "more-bytes"
    yield "letters", "x" + "".join(chance.choices("abc {}=,\\#", k=400_000)), 'a resource quota set begins with "{" in a line by itself', 'letters: line 1: "x'
    many = "\n".join(f"limit users u{number} to slots=1" for number in range(10_000))
    yield "rules", with_limit(many), "at most 1000 rules are taken", 'rules: line 1007: "limit users u1000 to slots=1"'
    yield "negative", with_limit("limit to slots=-1"), 'attribute "slots" is consumable but has a negative value', 'rule bad/1: "-1"'
    yield "number", with_limit("limit users bob to slots=3\nlimit to slots=99999999999999999999"), 'attribute "slots" is not a integer value', 'rule bad/2: "99999999999999999999"'
    for formula, why in (("$num_proc*99999999999999999999", '"99999999999999999999" is '), ("$num_proc*1000000001", "a weight is at most 1000000000"),
                         ("9000000000000+9000000000000+$num_proc", "the sum is too large")):
        yield "formula", with_limit(f"limit hosts {{*}} to slots={formula}"), why, f'rule bad/1: "{formula}"'
    yield "hosts", with_limit("limit users * to slots=$num_proc"), "dynamic limits are only supported for per host rules", 'rule bad/1: "$num_proc"'
    yield "twice", with_limit("limit to slots=1") * 2, 'Resource quota replacement request contains rqs name "good" multiple times', 'twice: line 10: "good"'
    yield "complex", with_limit("limit to nosuch=1"), '"resource_quota" references not existing complex attribute "nosuch"', 'rule bad/1: "nosuch"'
    many = ",".join(f"u{number}" for number in range(5_000))
    large = "".join(f"{{\nname s{number}\nlimit users {many} to slots=1\n}}\n" for number in range(30))
    yield "large", large, " can be changed at once: nothing was changed", " bytes, and at most 786432 "
    yield "braces", with_limit("limit users {ann to slots=1"), "no valid expanded list", 'braces: line 7: "{ann"'


def nothing_comes_of_bad_files(follower):
    before, heard = works("qconf", "-srqs"), len(follower.events())
    for name, content, what, place in bad_files():
        path = work / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        for option in ("-Arqs", "-Mrqs"):
            arguments, env = typed("qconf", option, path, folder=cell)
            done = subprocess.run(arguments, env=env, capture_output=True, timeout=20)
            text = done.stderr.decode()
            # Q5.18, Q5.2
            check(done.returncode == 1 and not done.stdout, f"{option} {name}: {done}")
            check(what in text and place in text and len(text) < 1000, f"{option} {name}: {text!r}")
            check(works("qconf", "-srqs") == before, f"{option} {name} changes nothing, not even by its good set")
    for attribute, value, id, what in (("limit", "slots=-1", "A/1", 'a negative value\nrule A/1: "-1"'), ("limit", "nosuch=1", "A/1", 'rule A/1: "nosuch"'),
                                       ("limit", "slots=1", "A/7", "no resource quota rule specified for modification"), ("enabled", "perhaps", "A", '"perhaps"')):
        code, text = run("qconf", "-mattr", "resource_quota", attribute, value, id)
        check(code == 1 and what in text, f"{attribute} {value} {id}: {text}")
    check(works("qconf", "-srqs") == before and masters[-1].poll() is None, "nothing is changed, and the master lives")
    works("qconf", "-drqs", "A")
    follower.hears(heard, ["RQS_DEL"])


# ---- kill -9 in the middle of a change --------------------------------------------------------------


class Versions:
    """Two lists of quota sets that replace each other while jobs run; what qconf prints of each, and what qquota counts by it."""

    def __init__(self):
        older = [["name total", "limit users * to slots=20"], ["name each", "limit users {*} to slots=9"],
                 ["name lin", "limit name cap hosts {@lin} to slots=12,lic=5", "limit name rest to slots=9"]]
        newer = [["name total", "description of the course", "limit projects p1 to slots=3", "limit users *,!eve to slots=10,lic=7"],
                 ["name places", "limit users {*} queues {*} hosts {*} to slots=6"]]
        self.files = [written_sets("older", *older), written_sets("newer", *newer)]
        self.seen = []
        for file in self.files:
            works("qconf", "-Mrqs", file)
            self.seen.append(self.look())
        check(self.seen[0][0] != self.seen[1][0] and self.seen[0][1] != self.seen[1][1], f"they differ: {self.seen}")
        self.now = 1

    def look(self):
        return works("qconf", "-srqs"), works("qquota", "-u", "*")

    def change_until(self, master):
        """Changes the rules to and fro until the master is gone. What must be there now, or the one that was on its way then."""
        while master.poll() is None:
            arguments, env = typed("qconf", "-Mrqs", self.files[1 - self.now], folder=cell)
            client = daemons.spawn(*arguments, env=env)
            while client.poll() is None and master.poll() is None:
                time.sleep(0.002)
            client.kill()  # it would ask the next master
            if client.wait() != 0:
                check(master.poll() is not None, "a change fails only with its master")
                return {self.now, 1 - self.now}
            self.now = 1 - self.now
        return {self.now}

    def restart(self, allowed, what):
        """One of them is there as a whole, and counts as it did. Whether it is not the one that was acknowledged."""
        masters.append(start("almanac-master", cell))
        found = self.look()
        check(found in [self.seen[version] for version in allowed], f"{what}: {found}, not one of {[self.seen[version] for version in allowed]}")
        changed = found != self.seen[self.now]
        self.now = self.seen.index(found)
        return changed


def killed_at(point, versions):
    """Whether the change that was on its way is there."""
    crash_at = f"{point}:{chance.randint(1, 6)}"
    stop(masters[-1])
    masters.append(start("almanac-master", cell, crash_at))
    allowed = versions.change_until(masters[-1])
    # What is only in hand is not in the store.
    return versions.restart({versions.now} if point == "in-hand" else allowed, crash_at)


def killed_from_outside(versions):
    timer = threading.Timer(chance.uniform(0.02, 0.4), masters[-1].kill)
    timer.start()
    allowed = versions.change_until(masters[-1])
    timer.join()
    return versions.restart(allowed, "kill -9")


def rules_change_as_a_whole():
    jobs = [submit(ann, "-pe", "mpi", "3", "-l", "lic=1"), submit(bob, "-q", "long.q"), submit(ann, "-P", "p1")]
    run_now(*jobs)
    versions = Versions()
    is_valid_xml()
    # Between two changes.
    for _ in range(2):
        works("qconf", "-Mrqs", versions.files[1 - versions.now])
        versions.now = 1 - versions.now
        masters[-1].kill()
        masters[-1].wait()
        versions.restart({versions.now}, "what was acknowledged")
    carried = []
    for point in ("in-hand", "before-commit", "after-commit", "before-answer") * 2:
        carried.append(killed_at(point, versions))
    for _ in range(10):
        carried.append(killed_from_outside(versions))
    while not any(carried):
        check(len(carried) < 40, "no change was on its way when its master was killed")
        carried.append(killed_at("before-answer", versions))
    check(set(running()) == set(jobs), f"the jobs run on: {running()}")
    print(f"{len(carried)} times killed while rules change: {carried.count(False)} times the old ones are there, {carried.count(True)} times the new ones", flush=True)
    end_jobs()
    shows()


def is_valid_xml():
    """Q6.28"""
    for resources in ("slots,lic", "lic", "tok"):
        text = works("qquota", "-xml", "-u", "*", "-l", resources)
        check(("<qquota_rule" in text) == (resources != "tok"), text)
        done = subprocess.run(["xmllint", "--noout", "--nonet", "--schema", schema, "-"], input=text, capture_output=True, text=True)
        check(done.returncode == 0, f"{resources}: {done.stderr}{text}")


# ---- the cell ---------------------------------------------------------------------------------------


def make_cell():
    check(run("almanac-admin", "init", cell)[0] == 0, "init")
    masters.append(start("almanac-master", cell))
    for host in ("n1", "n2"):
        works("almanac-admin", "add-host", cell, host, "--slots", 8)
        agents.append(start("almanac-agent", cell / "agents" / host))
    ignore_load(cell)
    # The world of section 8. "vf" is a shortcut that is taken, so its complex is called "ram" here.
    complexes = [line for line in works("qconf", "-sc").splitlines() if not line.startswith("#")]
    works("qconf", "-Mc", written("complexes", *complexes, "lic lic INT <= YES YES 0 0", "ram ram MEMORY <= YES YES 1G 0", "tok tok INT <= YES JOB 0 0"))
    works("qconf", "-Me", written("host", "hostname global", "complex_values lic=100,ram=100G,tok=100"))
    works("qconf", "-Ahgrp", written("group", "group_name @lin", "hostlist n1 n2"))
    works("qconf", "-Aprj", written("project", "name p1"))
    works("qconf", "-Aq", written("long", "qname long.q", "hostlist @allhosts", "slots 8", "pe_list mpi smp", "load_thresholds NONE"))
    works("qconf", "-Msconf", written("scheduler", "queue_sort_method seqno", "job_load_adjustments NONE"))
    wait(lambda: "-NA-" not in works("qstat", "-f"), "the agents register")


def end_cell():
    for process in (masters[-1], *agents):
        stop(process)
    text = works("almanac-admin", "replay", cell)
    check("is that of the stored records" in text, text)
    daemons.end_all()
    wait(lambda: subprocess.run(["pgrep", "-f", work], stdout=subprocess.DEVNULL).returncode == 1, "no process is left")


def main():
    make_cell()
    try:
        follower = Follower()
        cases(follower)
        a_limit_falls_below_what_runs()
        nothing_comes_of_bad_files(follower)
        rules_change_as_a_whole()
        becomes(lambda: (follower.copy(), fresh_list()), lambda both: both[0] == both[1], "what was heard makes what there is")
    finally:
        end_jobs()
    end_cell()


play(main)
