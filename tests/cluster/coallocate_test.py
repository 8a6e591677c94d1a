#!/usr/bin/env python3
"""Three cells on one machine, and 30 co-allocations in which the coordinator or one of the masters is killed with -9 at one step after the other: all cells have the
reservation or none, but for the hazard that is reported as mixed, and no hold is left (metascheduler.md M11.4, M11.5)."""
import os, re, subprocess, time

import daemons
from daemons import bin, check, ignore_load, play, run, start, wait, work

rounds = int(os.environ.get("ALMANAC_COALLOCATIONS", "30"))
sites = ["alpha", "beta", "gamma"]
hold = 40
masters = {}


def start_master(site):
    masters[site] = start("almanac-master", work / site)


def make_cell(site):
    cell = work / site
    check(run("almanac-admin", "init", cell, "--cell", site, folder=cell)[0] == 0, f"init {site}")
    start_master(site)
    code, text = run("almanac-admin", "add-host", cell, "n1", "--slots", 4, folder=cell)
    check(code == 0, text)
    start("almanac-agent", cell / "agents" / "n1")
    ignore_load(cell)
    wait(lambda: "n1" in run("qhost", folder=cell)[1], f"the agent of {site}")


def plan(name):
    text = f'duration = 120\nhold = {hold}\nmargin = 4\nlead = 45\nanswer_within = 10\nrounds = 1\nwith = "NAME={name}"\n'
    for site in sites:
        text += f'[[site]]\nname = "{site}"\ncommand = ["{bin}/gmeta", "-i"]\nresources = "NODES=1;SLOTS=1"\n'
        text += f'environment = {{ ALMANAC_DIR = "{work / site}", ALMANAC_DEADLINE = "8" }}\n'
    file = work / "plan.toml"
    file.write_text(text)
    return file


def begin(*words):
    line = [bin / "almanac-coallocate", "--verbose", "--log", work / "log", *words]
    return subprocess.Popen(list(map(str, line)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process):
    text, errors = process.communicate(timeout=300)
    return process.returncode, text, errors


def names(site):
    code, text = run("qrstat", "-xml", folder=work / site, deadline=30)
    check(code == 0, text)
    return re.findall(r"<name>(\w+)</name>", text)


def until_step(process, step):
    """Lines that were sent or came, up to the step; False where it was over before."""
    for line in process.stderr:
        step -= 1
        if step < 0:
            return True
    return False


def kill_coordinator(name, step):
    process = begin(plan(name))
    until_step(process, step)
    process.kill()
    finish(process)
    code, text, errors = finish(begin("--recover"))
    check(code in (0, 3), f"{name}: recovery: {code}: {text}{errors}")
    return code == 3


def kill_master(name, step, site):
    process = begin(plan(name))
    if until_step(process, step):
        masters[site].kill()
        masters[site].wait()
        start_master(site)
    code, text, errors = finish(process)
    check(code in (0, 1, 3), f"{name}: {code}: {text}{errors}")
    check((code == 0) == ("END=all" in text) and (code == 3) == ("END=mixed" in text), f"{name}: {code}: {text}")
    return code == 3


def main():
    for site in sites:
        make_cell(site)
    # First undisturbed: that counts the steps.
    code, text, errors = finish(begin(plan("quiet")))
    check(code == 0 and text.count("STATE=committed") == 3 and text.count("RESKEY=") == 3, f"{code}: {text}{errors}")
    check(all(names(site) == ["quiet"] for site in sites), str([names(site) for site in sites]))
    steps = len(errors.splitlines())
    mixed = set()
    for i in range(rounds):
        name, step = f"c{i}", i * steps // rounds
        if kill_coordinator(name, step) if i % 2 == 0 else kill_master(name, step, sites[i // 2 % 3]):
            mixed.add(name)
    # What nobody aborted has ended by itself.
    time.sleep(hold + 1)
    code, text, errors = finish(begin("--recover"))
    check(code == 0 and text == "", f"something was left: {code}: {text}{errors}")
    there = {site: names(site) for site in sites}
    counts = []
    for i in range(rounds):
        name = f"c{i}"
        count = sum(there[site].count(name) for site in sites)
        check(count in ((0,) if name in mixed else (0, 3)) and max(there[site].count(name) for site in sites) <= 1, f"{name} is {count} times there: {there}")
        counts.append(count)
    check(3 in counts, str(counts))
    print(f"{rounds} co-allocations with a kill at one of {steps} steps: {counts.count(3)} at all sites, {counts.count(0)} at none, {len(mixed)} of them mixed")


play(main)
