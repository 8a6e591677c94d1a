#!/usr/bin/env python3
"""Replays a real trace under each policy and compares every start with an independent simulator's.

    expected_starts.py almanac-sim TRACES POLICY...       TRACES: the folder with trace and expected/
"""
import gzip
import pathlib
import subprocess
import sys
import tempfile

simulator, traces, policies = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
trace = next(traces.glob("*Thunder*.swf.gz"))
for policy in policies:
    with tempfile.NamedTemporaryFile(suffix=".csv") as out:
        done = subprocess.run([simulator, "replay", trace, "--processors", "4008", "--policy", policy,
                               "--out", out.name], check=True, capture_output=True, text=True)
        starts = {}
        for line in open(out.name).read().splitlines()[1:]:
            job, _, start = line.split(",")
            starts[int(job)] = int(start)
    expected = {}
    with gzip.open(traces / "expected" / f"thunder-{policy}.starts.gz", "rt") as lines:
        for line in lines:
            job, start = line.split()
            expected[int(job)] = int(start)
    wrong = [job for job in expected if starts.get(job) != expected[job]]
    print(done.stdout, end="")
    print(f"{policy}: {len(expected)} starts, {len(wrong)} differ")
    if wrong or len(starts) != len(expected):
        sys.exit(f"the first: job {wrong[0]}" if wrong else "the jobs are others")
