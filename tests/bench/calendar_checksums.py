#!/usr/bin/env python3
"""Compares what the harness prints for the project's calendar with what every correct one prints."""
import re, subprocess, sys

program, expected = sys.argv[1], open(sys.argv[2]).read()
checks = {}
plans = set()
for line in expected.splitlines():
    if line.startswith("seed "):
        seed = line.split()[1]
    elif line.startswith("plan "):
        plans.add(line)
    elif line:
        checks.setdefault(seed, []).append(line)
for seed, lines in checks.items():
    came = subprocess.run([program, "--check", seed], capture_output=True, text=True, check=True).stdout
    assert [line.removeprefix("check almanac ") for line in came.splitlines()] == lines, f"seed {seed}:\n{came}"
for count in ("1000", "10000"):
    came = subprocess.run([program, "--plan", count], capture_output=True, text=True, check=True).stdout
    for line in came.splitlines():
        line = re.sub(r" us_per_job=\S+", "", line).replace("almanac ", "")
        assert line in plans, f"not expected: {line}"
print("all checksums agree")
