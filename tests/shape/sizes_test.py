#!/usr/bin/env python3
"""Files have one noun: none is longer than 550 lines, and no class longer than 200. Tables are as long as what they list."""
import pathlib, re, sys

root = pathlib.Path(__file__).resolve().parents[2]
folders = ("core", "schema", "actors", "master", "agent", "tools")
most_in_a_class, most_in_a_file = 200, 550


def classes(text):
    """Name and number of lines of each class that is not inside another."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if begun := re.match(r"(?:template <.*> )?(?:class|struct) (?:\[\[\w+\]\] )?([\w:]+)[^;]*\{$", line):
            end = next((i for i in range(at, len(lines)) if lines[i].startswith("}")), len(lines))
            yield begun[1], end - at + 1


assert list(classes("struct A {\n  struct B {\n  };\n};\nclass C final : public D {\n};\nclass E;")) == [("A", 4), ("C", 2)]

complaints = []
files = sorted(path for folder in folders for path in (root / folder).rglob("*") if path.suffix in (".hpp", ".cpp"))
for path in files:
    text = path.read_text()
    if (length := text.count("\n")) > most_in_a_file:
        complaints.append(f"{path.relative_to(root)} has {length} lines")
    for name, length in classes(text):
        if length > most_in_a_class:
            complaints.append(f"{path.relative_to(root)}: {name} has {length} lines: which of its members belong together?")
print("\n".join(complaints) or f"no class of {len(files)} files is longer than {most_in_a_class} lines")
sys.exit(1 if complaints else 0)
