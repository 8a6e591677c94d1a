#!/usr/bin/env python3
"""How the programs are built: position-independent, all symbols bound at the start and read-only from then on, no stack that can be executed, guarded frames. So is the module that commands load."""
import pathlib, re, subprocess, sys

binaries, configuration = pathlib.Path(sys.argv[1]), sys.argv[2]
programs = ["almanac-master", "almanac-agent", "almanac-agent-session", "almanac-commands", "almanac-admin", "almanac-console", "almanac-sim", "almanac-coallocate", "almanac-gmeta"]
libraries = ["core/libcore.a", "schema/libschema.a", "actors/libactors.a", "actors/libprocess.a", "actors/libtls.a", "agent/libagent_helper.a", "master/libmaster_process.a", "tools/libalmanac_client.a", "tools/libtools.a", "tools/libcoallocate.a", "tools/libgmeta_port.a"]
module = next((binaries.parent / "lib" / "almanac").glob("door-tls-*.so"))
complaints = []


def readelf(*words):
    return subprocess.run(["readelf", "--wide", *map(str, words)], capture_output=True, text=True, check=True).stdout


def has(program, holds, what):
    if not holds:
        complaints.append(f"{program}: {what}")


for program in programs + [module.name]:
    path = module if program == module.name else binaries / program
    dynamic, segments, symbols = readelf("--dynamic", path), readelf("--segments", path), readelf("--dyn-syms", path)
    flags = " ".join(re.findall(r"\((?:FLAGS|FLAGS_1|BIND_NOW)\).*", dynamic))
    has(program, path == module or re.search(r"\bPIE\b", flags), "it is no position-independent executable")
    has(program, re.search(r"\bNOW\b|BIND_NOW", flags), "it binds symbols late")
    has(program, "GNU_RELRO" in segments, "its table of symbols stays writable")
    stack = re.search(r"GNU_STACK .*", segments)
    has(program, stack and " RW " in stack[0], "its stack can be executed")
    if configuration == "RelWithDebInfo" and program in ("almanac-master", "almanac-agent", "almanac-agent-session", "almanac-gmeta"):
        has(program, re.search(r"__(?!stack)\w+_chk@", symbols), "calls of the C library are not checked")

# Nobody may take a function of a program for one of the module's, or the other way round.
exported = [line.split()[-1] for line in readelf("--dyn-syms", module).splitlines() if re.search(r" (GLOBAL|WEAK|UNIQUE) +DEFAULT +\d+ ", line)]
has(module.name, exported == ["almanac_open_door_channel", "almanac_prove_claim"], f"it exports {exported}")

# A program may have guards from the libraries that it is linked with: so what is ours only.
for library in libraries:
    has(library, "UND __stack_chk_fail" in readelf("--symbols", binaries.parent / library), "its frames are not guarded")

print("\n".join(complaints) or f"{len(programs)} programs and a module are hardened")
sys.exit(1 if complaints else 0)
