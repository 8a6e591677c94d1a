#!/usr/bin/env python3
"""The specification and the tests: which numbered rows of docs/spec no test names, and whether references lead somewhere.

    spec_test.py            as a test: each file has as many rows without a test as unnamed_rows.txt says, which only gets shorter; references are right
    spec_test.py --list     prints the rows that no test names
    spec_test.py --rewrite  writes unnamed_rows.txt: after a row got its test, or where a row that was named is gone

A row is named by its label: one with a dot by itself ("R6.12"), an older one without a dot behind the name of its file
("reservations G5"), anywhere in tests/.
"""
import pathlib, re, sys

root = pathlib.Path(__file__).resolve().parent.parent.parent
specs = sorted(path for path in (root / "docs" / "spec").glob("*.md") if path.name != "README.md")
known = root / "tests" / "shape" / "unnamed_rows.txt"
label = r"[A-Z]{1,4}\d+(?:\.\d+)*[a-z]?"


def labels(text):
    rows = re.findall(rf"^\s*\|\s*\**({label})\**\s*\|", text, re.M) + re.findall(rf"^\s*(?:[-*]\s+|\d+\.\s+)?\*\*({label})\.?\*\*", text, re.M)
    return list(dict.fromkeys(rows))


def said_in_tests():
    files = [path for path in (root / "tests").rglob("*") if path.suffix in (".cpp", ".hpp", ".py", ".txt") and path != known and "corpus" not in path.parts]
    return "\n".join(path.read_text(errors="replace") for path in files)


def without_a_test():
    words = said_in_tests()
    dotted = set(re.findall(rf"\b[A-Z]{{1,4}}\d+(?:\.\d+)+[a-z]?\b", words))
    result = {}
    for path in specs:
        stem = path.stem
        named = set(re.findall(rf"\b{stem} ({label})\b", words))
        result[stem] = [row for row in labels(path.read_text()) if row not in (dotted if "." in row else named)]
    return result


def wrong_references():
    headings = {path.name: set(re.findall(r"^#+ (\d+(?:\.\d+)*)", path.read_text(), re.M)) for path in specs}
    wrong = []
    for folder in ("core", "schema", "actors", "master", "agent", "tools", "tests"):
        for path in (root / folder).rglob("*.[ch]pp"):
            text = re.sub(r"\n\s*///?\s*", " ", path.read_text())
            for name, section in re.findall(r"spec/([\w-]+\.md)(?:,? sections? (\d+(?:\.\d+)*))?", text):
                if name not in headings:
                    wrong.append(f"{path.relative_to(root)}: there is no docs/spec/{name}")
                elif section and section not in headings[name]:
                    wrong.append(f"{path.relative_to(root)}: spec/{name} has no section {section}")
    return wrong


unnamed = without_a_test()
if "--list" in sys.argv:
    for stem, rows in unnamed.items():
        print(f"{stem}: {len(rows)} rows that no test names\n  " + " ".join(rows))
    sys.exit(0)
counts = {stem: len(rows) for stem, rows in unnamed.items()}
if "--rewrite" in sys.argv:
    known.write_text("".join(f"{stem} {count}\n" for stem, count in counts.items()))
    sys.exit(0)
allowed = dict(line.split() for line in known.read_text().splitlines())
problems = wrong_references()
for stem, count in counts.items():
    before = int(allowed.get(stem, 0))
    if count > before:
        problems.append(f"docs/spec/{stem}.md: {count} rows that no test names, {before} before: name the new ones in their tests")
    elif count < before:
        problems.append(f"docs/spec/{stem}.md: {count} rows that no test names, {before} before: spec_test.py --rewrite keeps it so")
for path in specs:
    rows = re.findall(rf"^\s*\|\s*\**({label})\**\s*\|", path.read_text(), re.M)
    problems += [f"{path.name}: two rows are called {row}" for row in sorted({row for row in rows if rows.count(row) > 1})]
print("\n".join(problems) if problems else f"{sum(counts.values())} rows without a test, none more than before")
sys.exit(bool(problems))
