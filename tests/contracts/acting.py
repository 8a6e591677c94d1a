"""Promises of docs/spec/client-contract.md that need jobs: C1 to C5, C6, C7, C11, C12, C13, C16 and C17, in a cell of the test's own. Each is what the
clients that it names do, with their calls and regular expressions."""
import pathlib, re, subprocess, time

import looking
from commands import Commands, check

quiet = ("-o", "/dev/null", "-j", "y")


class Jobs:
    """The jobs of a cell, with the folder for their scripts and output."""

    def __init__(self, commands, folder, patience=60):
        self.commands, self.folder, self.patience = commands, pathlib.Path(folder), patience

    def script(self, *lines, name="job.sh"):
        path = self.folder / name
        path.write_text("\n".join(["#!/bin/sh", *lines]) + "\n")
        return path

    def submit(self, *words, text=None, user=None):
        return self.commands.works("qsub", "-terse", *words, text=text, cwd=self.folder, user=user).strip()

    def becomes(self, look, what):
        end = time.time() + self.patience
        while not (seen := look()):
            check(time.time() < end, f"within {self.patience} s: {what}")
            time.sleep(0.1)
        return seen

    def is_listed(self, job):
        return job in looking.rows_of_nextflow(self.commands.works("qstat", "-u", "*"))

    def ended(self, job):
        """The accounting record, as soon as qstat does not list the job: there is no gap (C17)."""
        self.becomes(lambda: not self.is_listed(job), f"job {job} ends")
        return self.commands.works("qacct", "-j", job)


# ---- how clients read the answer of qsub -----------------------------------------------------------------

def id_of_toil(text):
    return int(text.strip())


def id_of_parsl(text):
    return next(line.strip() for line in text.split("\n") if line.strip())


def id_of_luigi(text):
    return int(text.split()[2])


def id_of_batchspawner(text):
    return text.split(" ")[2]


def id_of_nipype(text):
    return re.match(r"Your job (\d*) .* has been submitted", text.strip().split("\n")[-1]).groups()[0]


def id_of_dask(text):
    return re.search(r"(?P<job_id>\d+)", text)["job_id"]


def array_of_kaldi(text):
    return re.search(r"Your\s+job-array\s+(\d+)\.", text)[1]


# ---- submitting ------------------------------------------------------------------------------------------

def c1(jobs):
    run = jobs.commands.run
    done = run("qsub", "-terse", *quiet, jobs.script("true"))
    check(re.fullmatch(r"\d+\n", done.works()) and not done.err, f"the id alone: {done}")
    check(id_of_toil(done.out) == int(id_of_parsl(done.out)) == int(id_of_dask(done.out)), "every client finds the same id")
    array = run("qsub", "-terse", "-t", "2-8:3", *quiet, jobs.script("true"))
    check(re.fullmatch(r"\d+\.2-8:3\n", array.works()), f"an array: {array}")
    # A warning does not come between them.
    warned = run("qsub", "-terse", "-w", "w", "-pe", "mpi", "9999", *quiet, jobs.script("true"))
    check(re.fullmatch(r"\d+\n", warned.works()) and warned.err, f"the warning of -w w goes to standard error: {warned}")
    jobs.commands.works("qdel", warned.out.strip())
    return "the id alone on standard output"


def c2(jobs):
    done = jobs.commands.run("qsub", "-N", "sim", *quiet, jobs.script("true"))
    check(re.fullmatch(r'Your job \d+ \("sim"\) has been submitted\n', done.works()), f"K2.1: {done}")
    ids = {str(read(done.out)) for read in (id_of_luigi, id_of_batchspawner, id_of_nipype, id_of_dask)}
    check(len(ids) == 1, f"every client finds the same id: {ids}")
    array = jobs.commands.run("qsub", "-N", "sim", "-t", "1-5:2", *quiet, jobs.script("true"))
    check(re.fullmatch(r'Your job-array \d+\.1-5:2 \("sim"\) has been submitted\n', array.works()), f"K2.2: {array}")
    check(array_of_kaldi(array.out) == array.out.split()[2].split(".")[0], "the word with index 2 (K2.3)")
    return "Your job … has been submitted"


def c3(jobs):
    done = jobs.commands.run("qsub", "-w", "w", "-pe", "mpi", "9999", *quiet, jobs.script("true"))
    check(id_of_dask(done.works()) == str(id_of_luigi(done.out)), f"no digit before the id: {done}")
    jobs.commands.works("qdel", id_of_dask(done.out))
    return "no digit stands before the id"


def c4(jobs):
    out = jobs.folder / "out"
    out.mkdir(exist_ok=True)
    script = jobs.script('#$ -terse', '#$ -notify', '#$ -t 1-2', '#$ -l h_rt=100,h_vmem=1G', '#$ -S "/usr/bin/env bash"', f'#$ -o {out}/ -j y', '#$ -N "fit"', '#$ ', '#$',
                         'echo "${BASH_VERSION:+bash} $SGE_TASK_ID"', name="directives.sh")
    done = jobs.commands.run("qsub", script)
    check(re.fullmatch(r"\d+\.1-2:1\n", done.works()), f"K2.4: {done}")
    number = done.out.split(".")[0]
    jobs.ended(number)
    for task in ("1", "2"):
        text = (out / f"fit.o{number}.{task}").read_text()
        check(text == f"bash {task}\n", f"K2.5, K2.6, K2.7: {text!r} in {out}")
    blank = jobs.commands.run("qsub", jobs.script('#$ -N "a b"', "true", name="blank.sh"))
    check(blank.code == 1 and "' '" in blank.out + blank.err, f"a name with a blank is refused, and the blank is named (K2.8): {blank}")
    return "options in the script"


def c5(jobs):
    text = "#!/bin/sh\n#$ -N from_stdin\necho $1\n"
    numbers = [jobs.commands.works("qsub", "-terse", *quiet, text=text).strip(), jobs.commands.works("qsub", "-terse", *quiet, "-", "word", text=text).strip()]
    check(all(number.isdigit() for number in numbers), f"a script from standard input: {numbers}")
    for number in numbers:
        check(re.search(r"exit_status\s+0\b", jobs.ended(number)), f"job {number} ran")
    return "a script from standard input"


# ---- watching --------------------------------------------------------------------------------------------

def c6(jobs):
    number = jobs.submit("-N", "a_long_name_of_a_job", *quiet, "-b", "y", "sleep", "30")
    waits = jobs.submit("-h", *quiet, "-b", "y", "true")
    jobs.becomes(lambda: looking.state_of_luigi(jobs.commands.works("qstat"), number) == "r", "Luigi sees it run")
    text = jobs.commands.works("qstat")
    check(abs(looking.start_of_toil(text, number) - time.time()) < jobs.patience, "Toil reads when it started")
    row = next(line.split() for line in text.splitlines() if line.split()[0] == number)
    check(row[2] == "a_long_nam" and "@" in row[7] and row[8] == "1", f"the columns of a job that runs: {row}")
    row = next(line.split() for line in text.splitlines() if line.split()[0] == waits)
    check(row[4] == "hqw" and row[7] == "1", f"the columns of a job that waits: {row}")
    said = looking.c6(jobs.commands)
    jobs.commands.works("qdel", number, waits)
    return said


def c7(jobs):
    number = jobs.submit("-h", *quiet, "-b", "y", "true")
    check(jobs.commands.run("qstat", "-j", number).code == 0, "a job that waits is known")
    jobs.commands.works("qdel", number)
    done = jobs.commands.run("qstat", "-j", number)
    check(done.code == 1 and "Following jobs do not exist" in done.err, f"a job that is gone: {done}")
    away = Commands(jobs.commands.folder, {**jobs.commands.env, "ALMANAC_DIR": str(jobs.folder / "nowhere"), "SGE_ROOT": "", "ALMANAC_DEADLINE": "1"})
    done = away.run("qstat", "-j", number)
    check(done.code != 0 and re.search("gdi request|qmaster", done.err) and "Following jobs" not in done.err, f"a master that is away is none of that: {done}")
    return "known, gone, and a master that is away"


def c11(jobs):
    number = jobs.submit(*quiet, "-b", "y", "sh", "-c", "exit 3")
    text = jobs.ended(number)
    fields = dict(line.split(None, 1) for line in text.splitlines() if len(line.split(None, 1)) == 2)
    check(set(text.splitlines()[0]) == {"="}, "a line of = comes first")
    check(re.search(r"exit_status\s{2,}(\d+)", text)[1] == "3", "exit_status with two blanks (K4.1)")
    check(re.search(r"^exit_status *([0-9]+)", text, re.M)[1] == "3", "nipype finds it")
    # Toil, gridengine.py: failed, then exit_status.
    failed = [int(line.split()[1]) for line in text.splitlines() if line.startswith("failed")]
    check(failed == [0], f"failed: {failed} (K4.2)")
    for name in ("jobnumber", "taskid", "ru_wallclock", "maxvmem", "slots"):
        check(name in fields, f"{name} is missing: {sorted(fields)}")
    check(fields["jobnumber"].strip() == number and fields["taskid"].strip() == "undefined", "K4.3, K4.4")
    return "the record of a job"


def c12(jobs):
    ids = [jobs.submit("-h", "-N", name, *quiet, "-b", "y", "true") for name in ("cmq7", "cmq7", "one", "two")]
    done = jobs.commands.run("qdel", "cmq7")
    check(done.code == 0 and done.out and not any(jobs.is_listed(number) for number in ids[:2]), f"clustermq deletes by name: {done}")
    done = jobs.commands.run("qdel", f"{ids[2]}", f"{ids[3]}")
    check(done.code == 0 and done.out.count("deleted job") == 2, f"several ids: {done}")
    gone = jobs.commands.run("qdel", ids[2])
    check(gone.code != 0 and gone.out + gone.err, f"what is gone is refused: {gone}")
    return "by id and by name"


# ---- inside a job ----------------------------------------------------------------------------------------

def c13(jobs):
    out = jobs.folder / "inside"
    script = jobs.script('cat "$PE_HOSTFILE"', "echo --", "env", "echo --", """awk '{print $1":"$2}' "$PE_HOSTFILE" """, "echo --",
                         'for host in $(awk \'{print $1}\' "$PE_HOSTFILE"); do "$SGE_ROOT/bin/$ARC/qrsh" -inherit -nostdin "$host" echo "on $host"; done', name="inside.sh")
    number = jobs.submit("-pe", "spread", "4", "-o", out, "-j", "y", script)
    record = jobs.ended(number)
    check(re.search(r"exit_status\s+0\b", record), f"the job ran: {record}{out.read_text() if out.exists() else ''}")
    hosts, env, machines, inherited = out.read_text().split("--\n")
    for line in hosts.splitlines():
        host, slots, queue, processors = line.split()
        check(slots.isdigit() and queue.endswith("@" + host) and processors in ("UNDEFINED", "<NULL>"), f"K5.1: {line}")
    check(len(hosts.splitlines()) == 2, f"two hosts: {hosts}")
    check(all(re.fullmatch(r"\S+:\d+", line) for line in machines.split()), f"a file of machines: {machines}")
    names = dict(line.split("=", 1) for line in env.splitlines() if "=" in line)
    for name in ("JOB_ID", "PE_HOSTFILE", "ARC", "SGE_ROOT", "NSLOTS", "NHOSTS", "QUEUE", "SGE_TASK_ID", "TMPDIR", "JOB_NAME", "SGE_O_WORKDIR", "SGE_O_HOST"):
        check(names.get(name), f"{name} is not set (K5.2)")
    check((names["JOB_ID"], names["NSLOTS"], names["NHOSTS"], names["SGE_TASK_ID"]) == (number, "4", "2", "undefined"), f"K5.2: {names}")
    check(sorted(inherited.split("\n")) == sorted(["", *(f"on {line.split()[0]}" for line in hosts.splitlines())]), f"qrsh -inherit (K5.3): {inherited}")
    return "the file of hosts, the environment, qrsh -inherit"


# ---- across commands -------------------------------------------------------------------------------------

def c16(jobs):
    """Every state that can be had here, and none that clients do not know."""
    number = jobs.submit("-r", "y", *quiet, "-b", "y", "sleep", "60")
    held = jobs.submit("-h", *quiet, "-b", "y", "true")
    broken = jobs.submit("-wd", "/nowhere/at/all", *quiet, "-b", "y", "true")
    seen = lambda: looking.rows_of_nextflow(jobs.commands.works("qstat", "-u", "*"))
    jobs.becomes(lambda: seen().get(number) == "r", "it runs")
    jobs.becomes(lambda: seen().get(broken) == "Eqw", "a job without its folder is in error")
    check(seen()[held] == "hqw", f"held: {seen()}")
    jobs.commands.works("qmod", "-sj", number)
    jobs.becomes(lambda: seen().get(number) == "s", "it is suspended")
    jobs.commands.works("qmod", "-usj", number)
    jobs.becomes(lambda: seen().get(number) == "r", "it goes on")
    said = looking.c16(jobs.commands)
    jobs.commands.works("qdel", number, held, broken)
    return said


def c17(jobs):
    """Pollers: whatever qstat does not list any more, qacct knows at once."""
    numbers = [jobs.submit(*quiet, "-b", "y", "sleep", str(seconds)) for seconds in (0, 0, 1, 1, 2)]
    left = set(numbers)
    end = time.time() + jobs.patience
    while left:
        check(time.time() < end, f"jobs {sorted(left)} end")
        gone = left - set(looking.rows_of_nextflow(jobs.commands.works("qstat", "-u", "*")))
        for number in gone:
            done = jobs.commands.run("qacct", "-j", number)
            check(done.code == 0 and re.search(r"exit_status\s+0\b", done.out), f"a gap: qacct does not know job {number}: {done}")
        left -= gone
    return "no gap between qstat and qacct"


promises = {"C1": c1, "C2": c2, "C3": c3, "C4": c4, "C5": c5, "C6": c6, "C7": c7, "C11": c11, "C12": c12, "C13": c13, "C16": c16, "C17": c17}
