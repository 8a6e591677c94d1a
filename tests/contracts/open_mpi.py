"""Open MPI over two hosts, as Debian has it: its launcher for Grid Engine finds the hosts of a job by itself, and starts a daemon on each with
`qrsh -inherit -nostdin -V HOST orted …` (C13). The ranks are shells, so no compiler is needed."""
import os, pathlib, pwd, re, shutil

from acting import quiet
from commands import NotHere, check

prologue = ("export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",)
# What a rank prints last is how long it worked: `times` of its shell, user and system time.
work = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"
rank = f"{work}; echo rank $OMPI_COMM_WORLD_RANK of $OMPI_COMM_WORLD_SIZE on $HOSTNAME of $JOB_ID took $(times | head -1)"
endless = "echo rank $OMPI_COMM_WORLD_RANK is there; sleep 600; true"


def submit(jobs, name, command, *words, options="", user=None):
    """The number of a job that is mpirun alone, and the file with what it says."""
    check(shutil.which("mpirun"), "openmpi-bin is not installed: scripts/setup does that")
    outputs = jobs.folder / "mpi"
    outputs.mkdir(exist_ok=True)
    outputs.chmod(0o777)
    out = outputs / name
    script = jobs.script(*prologue, f"exec mpirun {options} sh -c '{command}'", name=f"{name}.sh")
    return jobs.submit("-pe", "spread", "4", "-o", out, "-j", "y", *words, script, user=user), out


def processes(jobs, number):
    """What runs of a job on all hosts, which are one machine here; a process that just ended is none."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes().split(b"\0")
            line = (folder / "cmdline").read_bytes().split(b"\0")[0].decode()
        except OSError:
            continue
        # The output is within the folder of this very run.
        if f"JOB_ID={number}".encode() in environment and any(str(jobs.folder.parent).encode() in word for word in environment):
            found.append(pathlib.Path(line).name)
    return found


def runs(jobs, number, out):
    jobs.becomes(lambda: out.exists() and out.read_text().count("is there") == 4, f"four ranks of job {number} run")
    seen = processes(jobs, number)
    # Where it is itself, which it knows by the name of the machine, mpirun needs no daemon.
    daemons = 1 if os.geteuid() == 0 else 2
    check(seen.count("orted") == daemons and seen.count("sleep") == 4, f"a daemon on each other host and a process of each rank: {seen}")


def nothing_is_left(jobs, number):
    jobs.becomes(lambda: not processes(jobs, number), f"no process of job {number} is left")


def whole(jobs, name, *words, user=None):
    """The record of a job whose four ranks did their work, two on each host."""
    number, out = submit(jobs, name, rank, *words, options="--mca plm_base_verbose 5", user=user)
    record, text = jobs.ended(number), out.read_text()
    check(re.search(r"exit_status\s+0\b", record), f"mpirun: {record}{text}")
    ranks = re.findall(r"^rank (\d) of 4 on (n\d) of (\d+) took (\d+)m([\d.]+)s (\d+)m([\d.]+)s", text, re.M)
    check(sorted(int(found[0]) for found in ranks) == [0, 1, 2, 3], f"four ranks: {text}")
    check(sorted(found[1] for found in ranks) == ["n1", "n1", "n2", "n2"] and {found[2] for found in ranks} == {number}, f"two on each host: {text}")
    call = re.search(r"final template argv:\s+(\S+/)?qrsh -inherit -nostdin -V\b.* orted ", text)
    check(call, f"it was Grid Engine's launcher: {text}")
    took = sum(60 * float(minutes) + float(seconds) for found in ranks for minutes, seconds in (found[3:5], found[5:7]))
    used = sum(float(seconds) for seconds in re.findall(r"^cpu\s+([\d.]+)", record, re.M))
    check(used >= 0.9 * took, f"the accounting has what all ranks used: {used} s of {took} s")
    nothing_is_left(jobs, number)
    return record


def alone(jobs):
    whole(jobs, "alone")
    whole(jobs, "mpi", "-pe", "mpi", "4")  # what a new cell has
    return "two ranks on each of two hosts, without a list of hosts; their usage is the job's"


def of_a_user(jobs):
    """mpirun is made for people, and root only the one who tests."""
    name = "almanac-t1"
    if os.geteuid() == 0 and name not in {user.pw_name for user in pwd.getpwall()}:
        raise NotHere(f"there is no user {name}: scripts/test makes it")
    who = name if os.geteuid() == 0 else None
    record = whole(jobs, "user", user=who)
    check(re.search(rf"owner\s+{who or ''}", record), f"it is the user's: {record}")
    return "as a user who is not root"


def reserved(jobs):
    answer = jobs.commands.works("qrsub", "-pe", "spread", "4", "-d", "0:30:0")
    reservation = re.search(r"reservation (\d+) has been granted", answer)[1]
    # All that is not reserved is taken.
    other = jobs.submit("-pe", "spread", "4", *quiet, "-b", "y", "sleep", "600")
    try:
        jobs.becomes(lambda: jobs.commands.works("qstat", "-s", "r"), "the other job runs")
        waits = jobs.submit("-pe", "spread", "4", *quiet, "-b", "y", "true")
        record = whole(jobs, "reserved", "-ar", reservation)
        check(re.search(rf"arid\s+{reservation}\b", record), f"the record names the reservation: {record}")
        check(waits in jobs.commands.works("qstat", "-s", "p"), "outside there is no room")
        number, out = submit(jobs, "withdrawn", endless, "-ar", reservation)
        runs(jobs, number, out)
    finally:
        jobs.commands.works("qrdel", reservation)
        jobs.commands.works("qdel", other)
    jobs.ended(number)
    nothing_is_left(jobs, number)
    jobs.ended(waits)
    return "inside a reservation, in a cell that is full; qrdel ends all of its ranks"


def failed(jobs):
    """One rank fails on the other host: the rest is ended, and the job has its status."""
    number, out = submit(jobs, "failed", "[ $OMPI_COMM_WORLD_RANK != 3 ] || exit 7; sleep 600; true")
    record = jobs.ended(number)
    check(re.search(r"exit_status\s+7\b", record), f"the status of rank 3: {record}{out.read_text()}")
    nothing_is_left(jobs, number)
    return "the status of a rank that fails"


def ended(jobs):
    number, out = submit(jobs, "deleted", endless)
    runs(jobs, number, out)
    jobs.commands.works("qdel", number)
    jobs.ended(number)
    nothing_is_left(jobs, number)
    number, out = submit(jobs, "limited", endless, "-l", "h_rt=3")
    record = jobs.ended(number)
    check(re.search(r"exit_status\s+137\b", record), f"it ran too long: {record}{out.read_text()}")
    nothing_is_left(jobs, number)
    return "qdel and h_rt end the ranks on all hosts"


def not_controlled(jobs):
    """Without control_slaves nothing may be started by qrsh -inherit; mpirun says so, and ends."""
    pe = jobs.folder / "loose"
    pe.write_text("pe_name loose\nslots 99\nallocation_rule 2\ncontrol_slaves FALSE\n")
    jobs.commands.works("qconf", "-Ap", pe)
    jobs.commands.works("qconf", "-aattr", "queue", "pe_list", "loose", "all.q")
    number, out = submit(jobs, "loose", rank, "-pe", "loose", "4")
    record, text = jobs.ended(number), out.read_text()
    check(not re.search(r"exit_status\s+0\b", record) and "control_slaves" in text, f"refused with its reason: {record}{text}")
    nothing_is_left(jobs, number)
    return "refused where control_slaves is FALSE"


promises = {"Open MPI": alone, "Open MPI, a user": of_a_user, "Open MPI, reserved": reserved, "Open MPI, fails": failed, "Open MPI, ended": ended, "Open MPI, loose": not_controlled}
