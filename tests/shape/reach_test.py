#!/usr/bin/env python3
"""How many of a hundred sources are compiled again when a header changes.

    reach_test.py            as a test: no header of reach.txt reaches a larger share than it says there
    reach_test.py --rewrite  writes the numbers of today: where one has become smaller, or with the reason in the commit
"""
import pathlib, re, sys

root = pathlib.Path(__file__).resolve().parents[2]
known = root / "tests" / "shape" / "reach.txt"
folders = ("core", "schema", "actors", "master", "agent", "tools")

files = {str(path.relative_to(root)): path.read_text() for folder in folders for path in (root / folder).rglob("*.[ch]pp")}
includes = {name: [found for found in re.findall(r'^#include "([^"]+)"', text, re.M) if found in files] for name, text in files.items()}


def seen_from(source):
    seen, left = set(), [source]
    while left:
        for header in includes[left.pop()]:
            if header not in seen:
                seen.add(header)
                left.append(header)
    return seen


sources = [name for name in files if name.endswith(".cpp")]
count = {}
for source in sources:
    for header in seen_from(source):
        count[header] = count.get(header, 0) + 1
reach = {header: -(-100 * number // len(sources)) for header, number in count.items()}

allowed = {header: int(most) for header, most in (line.split() for line in known.read_text().splitlines())}
if "--rewrite" in sys.argv:
    known.write_text("".join(f"{header} {reach.get(header, 0)}\n" for header in sorted(allowed)))
    sys.exit(0)
problems = []
for header, most in allowed.items():
    if header not in files:
        problems.append(f"{header} of reach.txt is not there")
    elif reach.get(header, 0) > most:
        problems.append(f"{header} reaches {reach[header]} % of the sources, {most} % before: who needs it to see a declaration only?")
print("\n".join(problems) or f"{len(allowed)} headers reach no more sources than before")
sys.exit(bool(problems))
