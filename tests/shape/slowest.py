#!/usr/bin/env python3
"""Names the ten slowest tests of a run, and what each group of tests took beside what it may take (tests/README.md).

It judges nothing: a run on a busy machine is slow, and a test must not fail for that.
"""
import collections, pathlib, re, sys

readme = (pathlib.Path(__file__).resolve().parents[1] / "README.md").read_text()
budgets = {m[1]: int(m[2]) for m in re.finditer(r"^\| `([a-z]+)` \|.*\| (\d+) s \|", readme, re.M)}
times = {m[1]: float(m[2]) for m in re.finditer(r"Test +#\d+: (\S+) \.*.*? (\d+\.\d+) sec", pathlib.Path(sys.argv[1]).read_text())}
groups = collections.Counter()
for name, seconds in times.items():
    group = name.split(".")[0]
    groups[group if group in budgets else "unit"] += seconds
print("slowest:", ", ".join(f"{name} {seconds:.1f} s" for name, seconds in sorted(times.items(), key=lambda t: -t[1])[:10]))
for group, seconds in sorted(groups.items(), key=lambda g: -g[1]):
    if group in budgets:
        print(f"{group}: {seconds:.0f} s of {budgets[group]} s" + (": over its share" if seconds > budgets[group] else ""))
