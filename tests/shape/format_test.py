#!/usr/bin/env python3
"""Every source and header is formatted as .clang-format says. What is laid out by hand, such as a table, stands between
"// clang-format off" and "// clang-format on". It leaves comments and texts alone: no line is longer than 110 columns."""
import pathlib, subprocess, sys

root = pathlib.Path(__file__).resolve().parents[2]
folders = ("core", "schema", "actors", "master", "agent", "tools", "tests")
files = sorted(str(path.relative_to(root)) for folder in folders for path in (root / folder).rglob("*") if path.suffix in (".hpp", ".cpp"))
most_columns = 110
long_lines = [f"{path}:{number} has {len(line)} columns" for path in files
              for number, line in enumerate((root / path).read_text().split("\n"), 1) if len(line) > most_columns]
if long_lines:
    print(*long_lines, f"more than {most_columns} columns: comments are wrapped at 100", sep="\n")
    sys.exit(1)
done = subprocess.run(["clang-format-14", "--dry-run", "--Werror", *files], cwd=root, capture_output=True, text=True)
wrong = dict.fromkeys(line.split(":")[0] for line in done.stderr.splitlines() if "[-Wclang-format-violations]" in line)
if done.returncode == 0:
    print(f"{len(files)} files are formatted")
elif wrong:
    print("not formatted (clang-format-14 -i FILE):", *wrong, sep="\n  ")
else:
    print(done.stderr)
sys.exit(done.returncode)
