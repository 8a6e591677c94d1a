#!/usr/bin/env python3
"""How much of our own code runs as root on an execution host: what is linked into almanac-agent, in lines without blanks and comments.

The limits go down when it gets smaller. Whoever raises one says in the change why it has to be root.
"""
import pathlib, re, sys

root, build = pathlib.Path(__file__).resolve().parents[2], pathlib.Path(sys.argv[1])
# Copies of a spool, other names for TMPDIR and the folder around it, a group for the epilog, links to common files in a folder that stays root's: all of it is root's to make; a longer limit is the master's word, and root's to check.
# A terminal is root's to give to the user of an interactive job. What the processes of a job use together is told to their parent alone, and what they read and wrote only to root; so their parent holds them to their limits, waits for methods that stop them and let them go on, and begins these once the job's process is its user's.
# Steps of the site that come after a job go on, whoever deletes it, and what a client sends waits in its pipe while a prolog runs: only the parent of both sees to that. Where a user's program is and which file a folder of -o means, it looks up as the user.
# What a process of qrsh -inherit gets of its caller's environment is put together with what the job's own has.
# Cores are bound before a process is its user's, and what saves a job runs beside it: only its parent knows that process, and when it has ended.
# Shepherds hear root alone: what is left of qrsh -inherit when an agent is started again is root's to end.
# The machine's counter is beside now, where all who need it have it.
# Who gives way to a reservation is asked to end, and killed when its time is up: only its parent knows its processes, and counts that time.
limits = {"helper": 2145, "shepherd": 1819, "beside": 1399}

# The linker names each object as FOLDER/libNAME.a(FILE.cpp.o), or by its path below CMakeFiles.
text = (build / "agent" / "almanac-agent.map").read_text()
objects = set(re.findall(r"\b(core|schema|actors|agent)/(?:lib\w+\.a\(|CMakeFiles/[\w.-]+\.dir/)([\w/]+)\.cpp\.o", text))
files = set()
for folder, name in objects:
    found = [path for path in (root / folder).rglob(f"{name.split('/')[-1]}.cpp") if "/" not in name or path == root / folder / f"{name}.cpp"]
    assert len(found) == 1, f"{folder}: {name} is {found}"
    files.add(found[0].relative_to(root))
files |= {path.with_suffix(".hpp") for path in files if (root / path.with_suffix(".hpp")).exists()}
# Parsers and small things that are headers alone.
files |= {pathlib.Path("core/text/fields.hpp"), pathlib.Path("core/execution/deadlines.hpp"), pathlib.Path("schema/warrant.hpp"), pathlib.Path("agent/helper/process_title.hpp"), pathlib.Path("actors/process/architecture.hpp"), pathlib.Path("actors/process/boot_clock.hpp")}


def lines(path):
    content = re.sub(r"^\s*//.*$", "", (root / path).read_text(), flags=re.M)
    return sum(bool(line.strip()) for line in content.splitlines())


def part(path):
    if path.parts[:2] == ("agent", "helper") or path.name in ("fields.hpp", "warrant.hpp"):
        return "helper"
    return "shepherd" if path.parts[:2] == ("agent", "shepherd") else "beside"


counts = dict.fromkeys(limits, 0)
for path in sorted(files):
    counts[part(path)] += lines(path)
    print(f"{lines(path):5} {path}")
print(counts)
complaints = [f"{name}: {counts[name]} lines run as root, {limit} are allowed" for name, limit in limits.items() if counts[name] > limit]
for path in files:
    for name in re.findall(r"^#include <([^>]+/)[^>]+>", (root / path).read_text(), re.M):
        if name not in ("sys/", "linux/", "openssl/"):
            complaints.append(f"{path} includes from <{name}>: root runs no library but libcrypto")
print("\n".join(complaints) or "no more than is allowed runs as root")
sys.exit(1 if complaints else 0)
