#!/usr/bin/env python3
"""The client as a library of somebody else's program: this one, which is Python. It shows nothing of itself, needs no CAF, MUNGE or OpenSSL, and does no more with the process than
to return a value. Against a real master."""
import ctypes, pathlib, re, signal, subprocess, sys, threading, time

import daemons
from daemons import check, play, start, work

path = pathlib.Path(sys.argv[2]).resolve()
function = "almanac_client_try"
unreached = 2 # 1 + CallFailure::unreached


def tool(*words):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, check=True).stdout


def main():
    seen = [line.split()[-1] for line in tool("nm", "-D", "--defined-only", path).splitlines()]
    # What it has of the C++ library's templates belongs to that library.
    ours = [name for name in seen if not re.match(r"_ZT?[A-Z]*N?K?S[taosi]|_ZN9__gnu_cxx|_ZNK9__gnu_cxx", name)]
    check(ours == [function], f"only {function} is visible, not {ours}")
    needed = re.findall(r"NEEDED.*\[(.*)\]", tool("readelf", "-d", path))
    check(needed and all(re.match(r"lib(capnp|kj|stdc\+\+|gcc_s|c|m)[-.]", name) for name in needed), f"it needs {needed}")
    loaded = tool("ldd", path)
    check(not re.search(r"caf|munge|ssl|crypto|rocksdb", loaded), f"with it come {loaded}")

    library = ctypes.CDLL(str(path))

    def attempt(folder, patience_ms=5000):
        said = ctypes.create_string_buffer(1000)
        code = library.almanac_client_try(str(folder).encode(), patience_ms, said, len(said))
        return code, said.value.decode()

    handlers = [signal.getsignal(number) for number in signal.valid_signals()]
    cell = work / "cell"
    begin = time.time()
    code, text = attempt(cell, 300)
    check(code == unreached and "there is no door" in text, f"without a cell: {code} {text}")
    check(time.time() - begin < 5, "it says so in time")
    check(daemons.run("almanac-admin", "init", cell, folder=cell)[0] == 0, "init")
    master = start("almanac-master", cell)
    code, text = attempt(cell)
    check(code == 0 and re.fullmatch(r"from-a-library is job \d+", text), f"with a master: {code} {text}")

    # Each thread has a client of its own; ctypes lets go of Python's lock.
    found = []
    threads = [threading.Thread(target=lambda: found.append(attempt(cell))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(len({text for code, text in found if code == 0}) == 8, f"eight clients at once: {found}")

    master.kill()
    master.wait()
    begin = time.time()
    code, text = attempt(cell, 500)
    check(code == unreached and "can't reach the door" in text, f"without a master: {code} {text}")
    check(0.4 < time.time() - begin < 5, "it asks for as long as it may, and no longer")
    check(handlers == [signal.getsignal(number) for number in signal.valid_signals()], "the signals are the program's")


play(main)
