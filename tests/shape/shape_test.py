#!/usr/bin/env python3
"""The shape of the code: who includes whom, headers that compile alone, no leftovers."""
import pathlib, re, subprocess, sys
from concurrent.futures import ThreadPoolExecutor
from arrows import folder_complaints, order_complaints, tool_complaint

root = pathlib.Path(__file__).resolve().parents[2]
flags = sys.argv[1:]

# What each folder may include of ours, and of others.
ours = {
    "core": {"core"},
    "schema": {"core", "schema"},
    "actors": {"core", "schema", "actors"},
    "master": {"core", "schema", "actors", "master"},
    "agent": {"core", "schema", "actors", "agent"},
    "tools": {"core", "schema", "tools"},
}
# The one tool that knows a daemon's files, in three sources, the simulator, which runs the daemons' assemblies, and what starts programs or
# speaks TLS with the same code as the daemons: the module of the client, almanac-coallocate, which has a small store of its own, and almanac-gmeta.
exceptions = {"tools/client/door_channel_module.cpp": {"actors"}, "tools/commands/client_jsv.cpp": {"actors"}, "tools/coallocate": {"actors"}, "tools/gmeta_port": {"actors"}, "tools/admin.cpp": {"actors", "master"}, "tools/host_admin.cpp": {"actors", "master"}, "tools/store_admin.cpp": {"actors", "master"}, "tools/simulator": {"actors", "master", "agent"}}
# All that others see of the client.
client_header = "tools/client/client.hpp"
others = {"core": set(), "schema": {"capnp", "kj"}}
daemon_only = ("caf/", "rocksdb/", "spdlog/")
complaints = []


def allowed(path, folder):
    extra = set()
    for place, names in exceptions.items():
        if str(path).startswith(place):
            extra |= names
    return ours[folder] | extra


sources = [p for folder in ours for p in (root / folder).rglob("*") if p.suffix in (".hpp", ".cpp")]
for source in sources:
    path = source.relative_to(root)
    folder = path.parts[0]
    text = source.read_text()
    for line, quote, name in ((m.start(), m[1], m[2]) for m in re.finditer(r'^#include ([<"])([^>"]+)[>"]', text, re.M)):
        top = name.split("/")[0]
        if quote == '"' and top in ours and top not in allowed(path, folder):
            complaints.append(f"{path} includes {name}: {folder}/ does not know {top}/")
        if folder == top == "tools" and path.parts[1] != "client" and name.startswith("tools/client/") and name != client_header:
            complaints.append(f"{path} includes {name}: of the client others see {client_header} only")
        if quote == '"':
            complaints += order_complaints(str(path), name)
        if folder == "tools" and quote == '"' and (complaint := tool_complaint(str(path), name)):
            complaints.append(complaint)
        if quote == "<" and "/" in name and not name.startswith("sys/"):
            if folder in others and top not in others[folder]:
                complaints.append(f"{path} includes <{name}>: {folder}/ is the standard library and {sorted(others[folder])} alone")
            if folder == "tools" and name.startswith(daemon_only) and "simulator" not in path.parts and (str(path.parent), top) != ("tools/coallocate", "rocksdb"):
                complaints.append(f"{path} includes <{name}>: tools start fast and link no daemon")
    if path.parts[:2] == ("tools", "client") and re.search(r"\b(getenv|environ|signal|sigaction|exit|_exit|abort|cout|cerr|printf)\s*\(|std::(cout|cerr)", text):
        complaints.append(f"{path}: the client does nothing with the process it is in")
    if folder == "core" and re.search(r"\b(system_clock|steady_clock|std::time\(|getenv|ifstream|std::thread|std::mutex)", text):
        complaints.append(f"{path}: core has no clock, file or thread")
    if folder == "core" and str(path) != "core/base/lookup.hpp" and re.search(r"\bunordered_", text):
        complaints.append(f"{path}: core has no hash order")
    if re.search(r"\b(TODO|FIXME|XXX|HACK)\b", text):
        complaints.append(f"{path}: a leftover")
    if source.suffix == ".hpp" and "#pragma once" not in text:
        complaints.append(f"{path}: no #pragma once")

complaints += folder_complaints({str(s.relative_to(root).parent) for s in sources})
for folder in ours:
    if not (root / folder / "README.md").is_file():
        complaints.append(f"{folder}/ has no README.md")


def compiles(header):
    done = subprocess.run(["g++", "-std=c++20", "-fsyntax-only", "-x", "c++", *flags, f"-I{root}", str(header)], capture_output=True, text=True)
    return None if done.returncode == 0 else f"{header.relative_to(root)} does not compile alone:\n{done.stderr[:600]}"


# A header that its own source includes first has been compiled alone with that; the others are compiled here.
alone = []
for header in (s for s in sources if s.suffix == ".hpp"):
    source, name = header.with_suffix(".cpp"), header.relative_to(root)
    if not source.is_file():
        alone.append(header)
    elif re.search(r"^#include .*", source.read_text(), re.M)[0] != f'#include "{name}"':
        complaints.append(f"{source.relative_to(root)} does not include {name} first")
with ThreadPoolExecutor(2) as pool:
    complaints += [c for c in pool.map(compiles, alone) if c]

print("\n".join(complaints) or f"{len(sources)} files are in shape")
sys.exit(1 if complaints else 0)
