"""Snakemake with a cluster and with cluster-sync. With what it needs it takes 765 MB, so scripts/setup leaves it out; scripts/conform installs it."""
import shutil, subprocess

from commands import NotHere, check


def snakemake(jobs, *words):
    if not shutil.which("snakemake"):
        raise NotHere("scripts/setup snakemake would install it")
    folder = jobs.folder / ("flow-" + words[0].strip("-"))
    folder.mkdir()
    (folder / "Snakefile").write_text('rule all:\n  input: "sum"\n\nrule part:\n  output: "part.{n}"\n  shell: "echo {wildcards.n} > {output}"\n\n'
                                      'rule sum:\n  input: expand("part.{n}", n=[1, 2, 3])\n  output: "sum"\n  shell: "cat {input} > {output}"\n')
    done = subprocess.run(["snakemake", "--jobs", "3", "--latency-wait", "20", *words], cwd=folder, env=jobs.commands.env, capture_output=True, text=True, timeout=300)
    check(done.returncode == 0, f"snakemake {words}: {done.stdout}{done.stderr}")
    check((folder / "sum").read_text() == "1\n2\n3\n", "its result")


def snakemake_cluster(jobs):
    """The status of each job by the regular expressions of its Grid Engine profile: qstat -j, then qacct -j."""
    script = jobs.folder / "status.py"
    script.write_text("""#!/usr/bin/env python3
import re, subprocess, sys
job = re.search(r"\\d+", sys.argv[1])[0]
if subprocess.run(["qstat", "-j", job], capture_output=True).returncode == 0:
    print("running")
else:
    text = subprocess.run(["qacct", "-j", job], capture_output=True, text=True).stdout
    found = re.search(r"exit_status\\s+(\\d+)", text)
    print("success" if found and found[1] == "0" else "failed")
""")
    script.chmod(0o755)
    snakemake(jobs, "--cluster", "qsub -terse -cwd -V -o /dev/null -j y", "--cluster-status", str(script), "--cluster-cancel", "qdel")
    return "Snakemake with --cluster, --cluster-status and --cluster-cancel"


def snakemake_sync(jobs):
    snakemake(jobs, "--cluster-sync", "qsub -sync y -cwd -V -o /dev/null -j y")
    return "Snakemake with --cluster-sync"


promises = {"Snakemake": snakemake_cluster, "Snakemake, sync": snakemake_sync}
