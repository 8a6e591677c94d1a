#!/usr/bin/env python3
"""Every source and header is formatted as .clang-format says. What is laid out by hand, such as a table, stands between
"// clang-format off" and "// clang-format on"."""
import pathlib, subprocess, sys

root = pathlib.Path(__file__).resolve().parents[2]
folders = ("core", "schema", "actors", "master", "agent", "tools", "tests")
files = sorted(str(path.relative_to(root)) for folder in folders for path in (root / folder).rglob("*") if path.suffix in (".hpp", ".cpp"))
done = subprocess.run(["clang-format-14", "--dry-run", "--Werror", *files], cwd=root, capture_output=True, text=True)
wrong = dict.fromkeys(line.split(":")[0] for line in done.stderr.splitlines() if "[-Wclang-format-violations]" in line)
if done.returncode == 0:
    print(f"{len(files)} files are formatted")
elif wrong:
    print("not formatted (clang-format-14 -i FILE):", *wrong, sep="\n  ")
else:
    print(done.stderr)
sys.exit(done.returncode)
