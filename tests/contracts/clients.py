"""Real clients that scripts/setup installs, and what those type that it does not."""
import re

import open_mpi
from commands import check


def dask(jobs):
    """dask-jobqueue's commands: its job script, and the first digits of the answer (SGECluster)."""
    script = jobs.folder / "dask.sh"
    script.write_text(f"#!/usr/bin/env bash\n#$ -N dask-worker\n#$ -l h_rt=00:10:00\n#$ -cwd\n#$ -j y\n#$ -o {jobs.folder}/\nsleep 60\n")
    number = re.search(r"(?P<job_id>\d+)", jobs.commands.works("qsub", script, cwd=jobs.folder))["job_id"]
    check(jobs.is_listed(number), f"job {number} is there")
    jobs.commands.works("qdel", number)
    return "dask-jobqueue's script, qsub and qdel"


promises = {**open_mpi.promises, "dask-jobqueue": dask}
