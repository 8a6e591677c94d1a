"""Real clients, where Debian has them: Snakemake with a cluster and with cluster-sync, Open MPI over two hosts, in and outside a reservation. What is
not installed is skipped."""
import os, pathlib, re, shutil, subprocess

from acting import quiet
from commands import check


setup = (pathlib.Path(__file__).resolve().parents[2] / "scripts" / "setup").read_text().split()


class NotHere(Exception):
    pass


def needs(program, package):
    """What scripts/setup installs has to be there, where it has run (CI); the rest is tried where somebody has it."""
    if shutil.which(program):
        return
    check(os.environ.get("CI") != "true" or package not in setup, f"{package} is not installed")
    raise NotHere(f"{package} is not installed")


def snakemake(jobs, *words):
    needs("snakemake", "snakemake")
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


def open_mpi(jobs, *words):
    needs("mpirun", "openmpi-bin")
    out = jobs.folder / f"mpi{len(words)}"
    script = jobs.script("export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                         "mpirun --map-by node sh -c 'echo rank $OMPI_COMM_WORLD_RANK of $OMPI_COMM_WORLD_SIZE'", name="mpi.sh")
    number = jobs.submit(*words, "-pe", "spread", "4", "-o", out, "-j", "y", script)
    record = jobs.ended(number)
    text = out.read_text()
    check(re.search(r"exit_status\s+0\b", record), f"mpirun: {record}{text}")
    check(sorted(re.findall(r"rank (\d) of 4", text)) == ["0", "1", "2", "3"], f"four ranks: {text}")
    return record


def open_mpi_alone(jobs):
    open_mpi(jobs)
    return "Open MPI over two hosts, without a list of hosts"


def open_mpi_reserved(jobs):
    answer = jobs.commands.works("qrsub", "-pe", "spread", "4", "-d", "0:30:0")
    reservation = re.search(r"reservation (\d+) has been granted", answer)[1]
    try:
        check(re.search(rf"arid\s+{reservation}\b", open_mpi(jobs, "-ar", reservation)), "the record names the reservation")
    finally:
        jobs.commands.works("qrdel", reservation)
    return "Open MPI inside a reservation"


def dask(jobs):
    """dask-jobqueue's commands: its job script, and the first digits of the answer (SGECluster)."""
    script = jobs.folder / "dask.sh"
    script.write_text(f"#!/usr/bin/env bash\n#$ -N dask-worker\n#$ -l h_rt=00:10:00\n#$ -cwd\n#$ -j y\n#$ -o {jobs.folder}/\nsleep 60\n")
    number = re.search(r"(?P<job_id>\d+)", jobs.commands.works("qsub", script, cwd=jobs.folder))["job_id"]
    check(jobs.is_listed(number), f"job {number} is there")
    jobs.commands.works("qdel", number)
    return "dask-jobqueue's script, qsub and qdel"


promises = {"Snakemake": snakemake_cluster, "Snakemake, sync": snakemake_sync, "Open MPI": open_mpi_alone, "Open MPI, reserved": open_mpi_reserved, "dask-jobqueue": dask}
