#!/usr/bin/env python3
"""The units of systemd are well-formed, and the master's leaves it little: what systemd-analyze says. Skipped where that is not there."""
import pathlib, re, shutil, subprocess, sys, tempfile

source, binaries = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
most_exposed = {"almanac-master": 3.0, "almanac-gmeta": 3.0} # of 10

if not shutil.which("systemd-analyze"):
    print("systemd-analyze is not there")
    sys.exit(77)


def analyze(*words):
    done = subprocess.run(["systemd-analyze", "--no-pager", *map(str, words)], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


with tempfile.TemporaryDirectory() as folder:
    place = pathlib.Path(folder)
    (place / "bin").symlink_to(binaries)
    for template in sorted((source / "conf").glob("*.service.in")):
        unit = place / template.name.removesuffix(".in")
        unit.write_text(template.read_text().replace("@CMAKE_INSTALL_PREFIX@", folder))
        code, text = analyze("verify", "--man=no", unit)
        assert code == 0 and unit.name not in text, text
        code, text = analyze("security", "--offline=true", unit)
        if unit.stem in most_exposed:
            level = float(re.search(r"exposure level for .*: ([0-9.]+)", text)[1])
            assert level < most_exposed[unit.stem], text
            print(f"{unit.name}: exposure {level}")
