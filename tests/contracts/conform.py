#!/usr/bin/env python3
"""Whether programs that drive Grid Engine find here what they look for: the promises of docs/spec/client-contract.md, with the calls and the regular expressions of their clients.

    conform.py BIN [looking|acting|clients|workflows]   in a cell of its own, with real daemons and jobs; ends with 77 if nothing could be tried
    conform.py --site                         against the cell of this user: only what changes nothing, with the commands that PATH finds
"""
import os, sys

import looking
from commands import Commands, NotHere

is_site = sys.argv[1:] == ["--site"]


def keep(promises, subject):
    """How many of them hold, do not, and could not be tried."""
    counts = [0, 0, 0]
    for name, promise in promises.items():
        try:
            said, at, word = promise(subject), 0, "holds"
        except Exception as problem:
            is_away = isinstance(problem, NotHere)
            said, at, word = problem, 2 if is_away else 1, "skipped" if is_away else "BROKEN"
        counts[at] += 1
        print(f"{name:20} {word:8} {said if str(said) else repr(said)}", flush=True)
    return counts


def outcome(counts):
    held, broken, skipped = map(sum, zip(*counts))
    print(f"{held} hold, {broken} are broken, {skipped} were skipped")
    if broken:
        return 1
    return 77 if skipped and not held else 0


def of_site():
    commands = Commands()
    try:
        where = commands.run("qconf", "-sql")
    except FileNotFoundError:
        print("qconf is not in PATH")
        return 1
    if where.code != 0 and not where.out:
        print(f"no cell answers: {where.err.strip()}")
        return 1
    return outcome([keep(looking.promises, commands)])


def named(host):
    """A machine that is called so, as MPI libraries ask whether they are on a host of the job; only root can have several."""
    return ("unshare", "--uts", "sh", "-c", f'hostname {host} && exec "$@"', "sh") if os.geteuid() == 0 else ()


def of_own_cell(parts):
    import pathlib

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cluster"))
    import daemons
    from acting import Jobs
    import acting, clients, workflows

    cell, counts = daemons.work / "cell", []
    commands = Commands(daemons.bin, {"ALMANAC_DIR": str(cell), "ALMANAC_DEADLINE": "30"})

    def main():
        commands.works("almanac-admin", "init", cell)
        daemons.start("almanac-master", cell)
        for host in ("n1", "n2"):
            commands.works("almanac-admin", "add-host", cell, host, "--slots", "4")
            daemons.start("almanac-agent", cell / "agents" / host, within=named(host))
        daemons.ignore_load(cell)
        pe = daemons.work / "pe"
        # Two slots on each host, so that every job with four has both.
        pe.write_text("pe_name spread\nslots 99\nallocation_rule 2\ncontrol_slaves TRUE\njob_is_first_task FALSE\n")
        commands.works("qconf", "-Ap", pe)
        commands.works("qconf", "-aattr", "queue", "pe_list", "spread", "all.q")
        daemons.wait(lambda: "-NA-" not in commands.works("qstat", "-f"), "the agents register")
        folder = daemons.work / "jobs"
        folder.mkdir(mode=0o755)
        jobs = Jobs(commands, folder)
        # What is looked at in a cell without jobs, and in one with some.
        if "looking" in parts:
            counts.append(keep(looking.promises, commands))
            for words in (("-h",), ("-t", "1-5:2"), ("-pe", "spread", "4")):
                commands.works("qsub", *words, "-o", "/dev/null", "-j", "y", "-b", "y", "sleep", "60")
            counts.append(keep(looking.promises, commands))
            commands.works("qdel", "-u", "*")
            jobs.becomes(lambda: not commands.works("qstat", "-u", "*"), "all jobs are gone")
        for name, module in (("acting", acting), ("clients", clients), ("workflows", workflows)):
            if name in parts:
                counts.append(keep(module.promises, jobs))

    daemons.play(main)
    return outcome(counts)


sys.exit(of_site() if is_site else of_own_cell(sys.argv[2:] or ["looking", "acting", "clients", "workflows"]))
