#!/usr/bin/env python3
"""What a job tries against its host and against others: each attack is a function. Real processes; root with two plain users."""
import os, pathlib, pwd, re, subprocess, sys, time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cluster"))
import daemons
from daemons import bin, check, network_half, play, processes, start, wait, work

cell, site, tmp = work / "cell", work / "site", work / "tmp"
spool = cell / "agents" / "n1" / "spool"
users = ["almanac-t1", "almanac-t2"]


def home(user):
    return work / user


def run(*words, user=None):
    return daemons.run(*words, folder=cell, user=user)


def as_user(user, line):
    """A shell line of a user's on the host, not in a job."""
    done = subprocess.run(["/bin/sh", "-c", line], user=user, group=pwd.getpwnam(user).pw_gid, extra_groups=[], cwd=home(user), capture_output=True, text=True, timeout=20)
    return done.returncode, done.stdout + done.stderr


def put(user, name, content):
    path = home(user) / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    path.chmod(0o755)
    os.chown(path, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
    return path


def submit(user, *words):
    code, text = run("qsub", "-terse", "-wd", home(user), *words, user=user)
    check(code == 0, f"{words}: {text}")
    return text.split()[-1]


def is_over(job):
    return run("qacct", "-j", job)[0] == 0


def field(job, name):
    return re.search(rf"^{name}\s+(.*?)\s*$", run("qacct", "-j", job)[1], re.M)[1]


def wait_for_end(*jobs):
    for job in jobs:
        wait(lambda: is_over(job), f"job {job} ends; qstat says {run('qstat', '-u', '*')[1]}")


def state(job):
    found = re.search(rf"^ *{job} .*", run("qstat", "-u", "*")[1], re.M)
    return found[0].split()[4] if found else ""


def change_queue(text):
    file = work / "queue"
    file.write_text(f"qname all.q\n{text}\n")
    code, said = run("qconf", "-Mq", file)
    check(code == 0, said)


def script_of_the_site(name, text):
    path = site / name
    path.write_text(text)
    path.chmod(0o755)
    return path


def an_order_is_never_cut_by_a_zero_byte():
    """23: a NUL in a variable began the next field of the order; an empty user meant root."""
    out = home("almanac-t1") / "who"
    for field in (b"user\0", b"as\0", b"uid\0000"):
        script = put("almanac-t1", "nul.sh", b"#!/bin/sh\n#$ -v A=x\0" + field + b"\0\n#$ -o /dev/null -j y\nid -u >> who\n")
        code, text = run("qsub", "-terse", "-wd", home("almanac-t1"), script, user="almanac-t1")
        if code == 0:
            job = text.split()[-1]
            wait(lambda: is_over(job) or "E" in state(job), "it ends, or is in error")
            run("qdel", job)
    check(set(out.read_text().split() if out.exists() else []) <= {str(pwd.getpwnam("almanac-t1").pw_uid)}, "it never ran as somebody else")
    check("E" not in run("qstat", "-f")[1].split("all.q@n1")[1].split("\n")[0].split("lx")[1], "the host is not blamed")


def steps_of_root_know_nothing_of_the_user():
    """24-28: root's prolog and epilog with LD_PRELOAD, PATH, BASH_ENV, a program in TMPDIR, a name that is shell code."""
    owned, trace = home("almanac-t1") / "owned", work / "trace"
    trace.unlink(missing_ok=True)
    evil = f"#!/bin/sh\n[ $(id -u) = 0 ] && touch {owned}\n"
    for name in ("cat", "id", "tr", "x"):
        put("almanac-t1", name, evil)
    around = script_of_the_site("around.sh", f"#!/bin/bash\n(echo step $1 \"$2\" $(id -u) $PWD; tr '\\0' '\\n' < /proc/$$/environ) >> {trace}\ncat /dev/null\n")
    change_queue(f"prolog root@{around} before $job_name\nepilog root@{around} after $job_name")
    where = home("almanac-t1")
    job = submit("almanac-t1", "-N", "own", "-o", "/dev/null", "-j", "y", "-v", f"LD_PRELOAD={where}/p.so,BASH_ENV={where}/x,ENV={where}/x,PATH={where}:/bin:/usr/bin,PYTHONPATH={where},LD_LIBRARY_PATH={where}",
                 "-b", "y", "/bin/sh", "-c", f"echo $LD_LIBRARY_PATH > libraries; cp {where}/cat {where}/tr $TMPDIR")
    wait_for_end(job)
    code, text = run("qsub", "-terse", "-wd", where, "-N", "a;sh<x", "-o", "/dev/null", "-j", "y", "-b", "y", "true", user="almanac-t1")
    if code == 0:
        wait_for_end(text.split()[-1])
    change_queue("prolog NONE\nepilog NONE")
    told = trace.read_text()
    check("step before own 0 /\n" in told and "step after own 0 /\n" in told, told)
    check(str(where) not in told and str(tmp) not in told, f"nothing of the user's is there: {told}")
    check("\nPATH=/usr/local/bin:/bin:/usr/bin\n" in told and f"\nJOB_ID={job}\n" in told, told)
    check(not owned.exists(), "nothing of the user's ran as root")
    check((where / "libraries").read_text().strip() == str(where), "the job itself has what its user exports")


def output_goes_where_its_user_may_write():
    """30: -o through a link, and to a place that is root's."""
    where = home("almanac-t1")
    (where / "link").symlink_to(site)
    jobs = [submit("almanac-t1", "-o", path, "-j", "y", "-b", "y", "echo", "x") for path in (where / "link" / "x", site / "x", "/etc/almanac-x")]
    for job in jobs:
        wait(lambda: "E" in state(job), f"job {job} is in error")
        run("qdel", job)
    check(not (site / "x").exists() and not os.path.exists("/etc/almanac-x"), "nothing is written")


def a_fifo_holds_up_nobody():
    """31: -o FIFO that nobody reads, and one that is open but never read, under h_rt."""
    where = home("almanac-t1")
    for name in ("silent", "full"):
        os.mkfifo(where / name)
        os.chmod(where / name, 0o666)
    kept = os.open(where / "full", os.O_RDWR)
    silent = submit("almanac-t1", "-o", where / "silent", "-j", "y", "-b", "y", "sleep", "100")
    full = submit("almanac-t1", "-o", where / "full", "-j", "y", "-l", "h_rt=2", "-b", "y", "cat", "/dev/zero")
    wait(lambda: "E" in state(silent), "nobody reads it: the job is in error")
    check(run("qdel", silent)[0] == 0, "it can be deleted")
    wait_for_end(full)
    check(field(full, "failed").startswith("37"), "h_rt ends it")
    os.close(kept)


def memory_of(agent):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{network_half(agent)}/status").read_text())[1]) // 1024


def size_of(folder):
    return sum(os.lstat(os.path.join(at, name)).st_size for at, _, names in os.walk(folder) for name in names) >> 20


def processes_inside_a_job_keep_to_it():
    """43-44: qrsh -inherit into another's job; more than there are slots; a flood that nobody reads, and one that is read."""
    pe = work / "pe"
    pe.write_text("pe_name inside\nslots 9\nallocation_rule $pe_slots\ncontrol_slaves TRUE\njob_is_first_task TRUE\n")
    code, text = run("qconf", "-Ap", pe)
    check(code == 0, text)
    change_queue("pe_list inside")
    where = home("almanac-t1")
    script = put("almanac-t1", "inside.sh", """#!/bin/sh
which qrsh > which; echo $SGE_ROOT/bin/$ARC >> which
[ "$($SGE_ROOT/util/arch)" = "$ARC" ] && [ -d $SGE_ROOT/$SGE_CELL/common ] && echo whole >> which
for i in 1 2 3; do qrsh -inherit -nostdin n1 'touch slot.$$; while [ ! -e go ]; do sleep 0.05; done' 2>> refused & done
wait
qrsh -inherit -nostdin n1 head -c 40000000 /dev/zero | wc -c > count
qrsh -inherit -nostdin n1 'echo said; echo wrong >&2; exit 3' > said 2> wrong; echo $? >> said
mkfifo stopped
sleep 100 < stopped &
qrsh -inherit -nostdin n1 cat /dev/zero > stopped
""")
    job = submit("almanac-t1", "-o", "/dev/null", "-j", "y", "-pe", "inside", "2", script)
    agent = processes[-1]
    wait(lambda: (where / "refused").exists() and "no more may run there" in (where / "refused").read_text(), "the third is refused")
    wait(lambda: len(list(where.glob("slot.*"))) == 2, "two run")
    code, text = as_user("almanac-t2", f"ALMANAC_DIR={cell}/agents/n1 JOB_ID={job} SGE_TASK_ID=undefined {bin}/qrsh -inherit -nostdin n1 id")
    check(code == 1 and f"job {job} is not a job of yours on this host" in text, f"{code}: {text}")
    before = memory_of(agent)
    put("almanac-t1", "go", "")
    wait(lambda: (where / "stopped").exists(), "the flood begins")
    check((where / "count").read_text().strip() == "40000000", "all of it arrives")
    check((where / "said").read_text() == "said\n3\n" and (where / "wrong").read_text() == "wrong\n", "both streams, and the exit status")
    own = pwd.getpwnam("almanac-t1").pw_uid
    floods = lambda: subprocess.run(["pgrep", "-u", str(own), "-x", "cat"], capture_output=True, text=True).stdout.split()
    wait(lambda: floods() and "pipe_write" in pathlib.Path(f"/proc/{floods()[0]}/wchan").read_text(), "the flood waits")
    check(memory_of(agent) < before + 60 and size_of(spool) < 4, f"agent from {before} to {memory_of(agent)} MB, spool {size_of(spool)} MB")
    run("qdel", job)
    wait_for_end(job)
    check(not floods(), "it ends with the job")
    told = (where / "which").read_text().split()
    check(os.path.samefile(told[0], bin / "qrsh") and os.path.samefile(told[1], bin), f"qrsh is found, here and where an MPI looks: {told}")
    check(told[2:] == ["whole"], "so are util/arch and the cell's common folder")
    check(os.path.samefile(next((cell / "root" / "bin").iterdir()), bin) and (cell / "root" / "util" / "arch").exists(), "the master's folder has them, too")
    change_queue("pe_list NONE")


def shells_and_output_are_chosen_by_host():
    where = home("almanac-t1")
    script = put("almanac-t1", "shell.sh", "echo $0 ${BASH_VERSION:+bash}\n")
    words = submit("almanac-t1", "-S", "/usr/bin/env bash", "-o", where / "words", "-j", "y", script)
    lists = submit("almanac-t1", "-S", "elsewhere:/nosuch,N1:/bin/bash,/bin/false", "-o", f"elsewhere:/nosuch/x,n1:{where}/lists", "-j", "y", script)
    wait_for_end(words, lists)
    for name in ("words", "lists"):
        check((where / name).read_text().endswith("script bash\n"), name)


def an_end_is_told_as_it_was():
    """While the agent is away a job ends: its end is when it ended, not when somebody heard of it."""
    job = submit("almanac-t1", "-o", "/dev/null", "-j", "y", "-b", "y", "sleep", "1")
    wait(lambda: state(job) == "r", "it runs")
    progress = next(path for path in spool.glob("*/progress"))
    processes[-1].kill()
    wait(lambda: "\nend\n" in progress.read_text(), "it ends")
    ended = time.time()
    time.sleep(2)  # late enough to tell them apart
    start("almanac-agent", cell / "agents" / "n1")
    wait_for_end(job)
    told = time.mktime(time.strptime(field(job, "end_time"), "%a %b %d %H:%M:%S %Y"))
    check(told <= ended + 1, f"{told} is after {ended}")


def output_of_steps_is_kept():
    """The job's user may read it; what is no plain file is left alone."""
    say = script_of_the_site("say.sh", "#!/bin/sh\necho said by $1 as $(id -u)\n")
    pe = work / "pe"
    pe.write_text(f"pe_name talk\nslots 9\nstart_proc_args root@{say} start\nstop_proc_args {say} stop\nallocation_rule $pe_slots\n")
    code, text = run("qconf", "-Ap", pe)
    check(code == 0, text)
    change_queue(f"prolog root@{say} prolog\nepilog {say} epilog\npe_list talk")
    job = submit("almanac-t1", "-N", "talks", "-pe", "talk", "1", "-b", "y", "echo", "job")
    wait_for_end(job)
    change_queue("prolog NONE\nepilog NONE\npe_list NONE")
    own = pwd.getpwnam("almanac-t1").pw_uid
    where = home("almanac-t1")
    check((where / f"talks.o{job}").read_text() == f"said by prolog as 0\njob\nsaid by epilog as {own}\n", "the job's output")
    check((where / f"talks.po{job}").read_text() == f"said by start as 0\nsaid by stop as {own}\n", "the parallel environment's")
    check(all((where / f"talks.{kind}{job}").stat().st_uid == own for kind in ("o", "e", "po", "pe")), "all are the user's")


def nobody_can_lay_out_what_a_job_needs():
    """32: TMPDIR by the names of the next jobs."""
    last = int(submit("almanac-t2", "-o", "/dev/null", "-j", "y", "-b", "y", "true"))
    for number in range(last, last + 20):
        as_user("almanac-t1", f"mkdir {tmp}/{number}.1.all.q.n1 {tmp}/{number}.1.all.q {tmp}/almanac-attacked/{number}.1.all.q")
    where = home("almanac-t2")
    jobs = [submit("almanac-t2", "-o", where / f"tmpdir{i}", "-j", "y", "-b", "y", "/bin/sh", "-c", "echo $TMPDIR; stat -c %a.%U $TMPDIR") for i in range(3)]
    wait_for_end(*jobs)
    for i, job in enumerate(jobs):
        path, facts = (where / f"tmpdir{i}").read_text().split()
        check(re.fullmatch(rf"{tmp}/almanac-attacked/{job}\.1\.all\.q\.[0-9a-f]{{16}}", path), path)
        check(facts == "700.almanac-t2", facts)
        check(not os.path.exists(path), "it is removed")
    check((tmp / "almanac-attacked").stat().st_mode & 0o7777 == 0o711, "others pass through the cell's folder only")
    check(as_user("almanac-t1", f"ls {tmp}/almanac-attacked")[0] != 0, "nobody lists it")


def links_in_tmpdir_lead_nowhere():
    """M4: what a job lays into its TMPDIR and closes is removed with it; what its links lead to stays as it is."""
    kept, others = work / "kept", home("almanac-t2") / "kept"
    for folder, user in ((kept, None), (others, "almanac-t2")):
        (folder / "inside").mkdir(parents=True)
        (folder / "inside" / "file").write_text("kept")
        for path, mode in ((folder, 0o755), (folder / "inside", 0o777), (folder / "inside" / "file", 0o644)):
            path.chmod(mode)
            if user:
                os.chown(path, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
    own = put("almanac-t1", "own", "kept")
    own.chmod(0o640)
    facts = lambda: [(path, path.stat().st_mode, path.stat().st_uid, os.listdir(path) if path.is_dir() else path.read_text()) for top in (kept, others) for path in (top, top / "inside", top / "inside" / "file")] + [own.stat().st_mode]
    before = facts()
    links = "; ".join(f"ln -s {path} link{number}" for number, path in enumerate((kept, kept / "inside", kept / "inside" / "file", others, others / "inside", own, "/", "..")))
    where = home("almanac-t1") / "laid"
    for closed in ("700", "500", "0"):
        job = submit("almanac-t1", "-o", where, "-j", "y", "-b", "y", "/bin/sh", "-c", f"cd $TMPDIR; pwd; mkdir -p a/b; {links}; cd a/b; {links}; chmod {closed} . .. ../..")
        wait_for_end(job)
        path = pathlib.Path(where.read_text().split()[0])
        check(path.parent == tmp / "almanac-attacked" and not path.exists(), f"{path} with mode {closed} is removed")
        where.unlink()
        check(facts() == before, f"mode {closed}: {facts()} was {before}")


def who_removes_tmpdir_is_out_of_reach():
    """The user stops and kills whatever has the user's rights on files while a job's TMPDIR goes: the job ends, its TMPDIR goes, the host serves others."""
    own, where = pwd.getpwnam("almanac-t1").pw_uid, home("almanac-t1") / "large"
    stopper = put("almanac-t1", "stopper.py", f"""#!/usr/bin/env python3
import os, pathlib, signal, time
end = time.time() + 60
while time.time() < end and not os.path.exists('stopped.enough'):
    for path in pathlib.Path('/proc').glob('[0-9]*/status') if os.path.exists('stopped.begin') else []:
        try:
            text = path.read_text()
            uids = text.split('Uid:')[1].split('\\n')[0].split()
            if '{own}' in uids and text.split()[1].startswith('almanac-'):
                os.kill(int(path.parent.name), signal.SIGSTOP)
                open('stopped.reached', 'a').write(text)
        except PermissionError:
            open('stopped.refused', 'a').write(text)
        except (OSError, IndexError):
            pass
""")
    group = pwd.getpwnam("almanac-t1").pw_gid
    watching = subprocess.Popen([stopper], user="almanac-t1", group=group, extra_groups=[], cwd=home("almanac-t1"))
    try:
        job = submit("almanac-t1", "-o", where, "-j", "y", "-b", "y", "/bin/sh", "-c", f'cd $TMPDIR; pwd; seq 40000 | xargs touch; touch {home("almanac-t1")}/stopped.begin')
        wait_for_end(job)
        check(not os.path.exists(where.read_text().split()[0]), "its TMPDIR is gone")
        wait_for_end(submit("almanac-t2", "-o", "/dev/null", "-j", "y", "-b", "y", "true"))
    finally:
        put("almanac-t1", "stopped.enough", "")
        watching.wait()
    check(not (home("almanac-t1") / "stopped.reached").exists(), "the user has stopped nothing")
    print("it was seen and out of reach" if (home("almanac-t1") / "stopped.refused").exists() else "it was too quick to be seen")


def a_script_is_its_owners():
    """33: the spool from outside."""
    script = put("almanac-t1", "secret.sh", "#!/bin/sh\n: password\necho $0 > where\nsleep 100\n")
    os.chmod(script, 0o700)
    job = submit("almanac-t1", "-o", "/dev/null", "-j", "y", script)
    place = home("almanac-t1") / "where"
    wait(lambda: place.exists() and place.read_text().endswith("script\n"), "it runs")
    kept = pathlib.Path(place.read_text().strip())
    check(kept.is_relative_to(spool), str(kept))
    check(as_user("almanac-t1", f"cat {kept}")[0] == 0, "its owner reads it")
    check(as_user("almanac-t1", f"echo x >> {kept}; mv {kept} {kept}2")[0] != 0, "and does not change it")
    for path in [kept, spool, kept.parent, kept.parent / "progress", spool / "secret", spool / "session" / "lease", spool / "session" / kept.parent.name]:
        check(path.exists() and as_user("almanac-t2", f"{'ls' if path.is_dir() else 'cat'} {path}")[0] != 0, f"{path} is not for others")
    check(as_user("almanac-t2", f"touch {kept.parent}/x {spool}/x")[0] != 0, "nobody writes there")
    run("qdel", job)


def a_process_is_clean():
    """39: what it inherits."""
    out = home("almanac-t1") / "clean"
    job = submit("almanac-t1", "-o", out, "-j", "y", "-b", "y", "/bin/sh", "-c", "ls /proc/self/fd | tr '\\n' ' '; echo; umask; id -G; grep -E 'Cap(Eff|Prm|Inh|Amb)|NoNew|^Uid|^Gid|SigBlk|SigIgn' /proc/self/status")
    wait_for_end(job)
    lines = out.read_text().split("\n")
    user = pwd.getpwnam("almanac-t1")
    check(lines[0].split() == ["0", "1", "2", "3"], f"{lines}: 3 is that of ls")
    check(lines[1] == "0022" and lines[2] == str(user.pw_gid), str(lines))
    facts = dict(line.split(":\t") for line in lines[3:] if line)
    check(facts["Uid"].split() == [str(user.pw_uid)] * 4 and facts["Gid"].split() == [str(user.pw_gid)] * 4, str(facts))
    check(all(int(facts[name], 16) & 0x7FFFFFFF == 0 for name in ("CapEff", "CapPrm", "CapInh", "CapAmb", "SigBlk", "SigIgn")), str(facts))


def a_job_leaves_nobody_behind():
    """40-41: double forks with sessions of their own; processes that fork and end."""
    mark = f"rabbit-{os.getpid()}"
    put("almanac-t1", mark, "#!/bin/sh\nsleep 0.01\nsetsid $0 &\nexit 0\n")
    script = put("almanac-t1", "leaves.sh", f"#!/bin/sh\n(setsid sh -c 'exec env -i sleep 4711' &) &\n./{mark} &\n./{mark} &\nsleep 1\ntouch begun\n[ $1 = ends ] || sleep 100\n")
    ends, killed, limited = [submit("almanac-t1", "-o", "/dev/null", "-j", "y", *more) for more in ((script, "ends"), (script, "stays"), ("-l", "h_rt=2", script, "stays"))]
    wait(lambda: (home("almanac-t1") / "begun").exists(), "they run")
    run("qdel", killed)
    wait_for_end(ends, killed, limited)
    own = pwd.getpwnam("almanac-t1").pw_uid

    def left():
        listed = subprocess.run(["ps", "-o", "args=", "-u", str(own)], capture_output=True, text=True).stdout
        return [line for line in listed.split("\n") if mark in line or "sleep 4711" in line]
    check(left() == [], f"nobody is left: {left()}")


def a_shepherd_is_out_of_reach():
    """42: to kill or stop it; to stop oneself under a limit."""
    out = home("almanac-t1") / "reach"
    kills = submit("almanac-t1", "-o", out, "-j", "y", "-b", "y", "-shell", "n", "/bin/sh", "-c", "for s in KILL STOP TERM; do kill -$s $PPID && echo reached; done; true")
    stops = submit("almanac-t1", "-o", "/dev/null", "-j", "y", "-l", "h_rt=2", "-b", "y", "/bin/sh", "-c", "kill -STOP $$")
    wait_for_end(kills, stops)
    check("reached" not in out.read_text() and field(kills, "failed").startswith("0"), out.read_text())
    check(field(stops, "failed").startswith("37"), "the limit counts for what is stopped, too")


def what_a_user_spoils_is_the_users():
    """M7: what no system takes is refused; a program or a shell that is none, a prolog that its user kills: the host is not blamed."""
    big = put("almanac-t1", "big.sh", "#!/bin/sh\n#$ -v A=" + "x" * 200_000 + "\n")
    code, text = run("qsub", big, user="almanac-t1")
    check(code != 0 and "too long" in text, text)
    kill = script_of_the_site("kill.sh", "#!/bin/sh\nkill -9 $$\n")
    jobs = [submit("almanac-t1", "-o", "/dev/null", "-j", "y", *more) for more in (
        ("-b", "y", "/nosuch/program"), ("-b", "y", "-S", "/nosuch/shell", "true"), ("-o", "/dev/null/" + "x" * 5000, "-b", "y", "true"))]
    for job in jobs:
        wait(lambda: "E" in state(job), f"job {job} is in error: {run('qstat')[1]}")
    change_queue(f"prolog {kill}")
    jobs.append(submit("almanac-t1", "-o", "/dev/null", "-j", "y", "-b", "y", "true"))
    wait(lambda: "E" in state(jobs[-1]), f"so is the one whose user kills the prolog: {run('qstat', '-f')[1]}")
    change_queue("prolog NONE")
    run("qdel", *jobs)
    job = submit("almanac-t2", "-o", "/dev/null", "-j", "y", "-b", "y", "true")
    wait_for_end(job)


def a_folder_of_a_users_is_no_cells():
    """32, the other half: somebody was there before the cell."""
    other = work / "tmp-of-a-user"
    other.mkdir()
    other.chmod(0o1777)
    check(as_user("almanac-t1", f"mkdir -m 711 {other}/almanac-attacked")[0] == 0, "the user is first")
    change_queue(f"tmpdir {other}")
    output = home("almanac-t2") / "elsewhere"
    job = submit("almanac-t2", "-o", output, "-j", "y", "-b", "y", "echo $TMPDIR; sleep 1000")
    wait(lambda: output.exists() and output.read_text(), "the job runs all the same")
    place = pathlib.Path(output.read_text().strip())
    check(place.parent.parent == other and place.parent.name.startswith("almanac-attacked-"), f"in a folder that nobody foresees: {place}")
    facts = place.parent.stat()
    check(facts.st_uid == 0 and facts.st_mode & 0o7777 == 0o711, "which is root's")
    check(os.listdir(other / "almanac-attacked") == [], "nothing is made in the other one")
    run("qdel", job)
    wait(lambda: not place.exists(), "it is removed from there")
    change_queue(f"tmpdir {tmp}")


attacks = [an_end_is_told_as_it_was, processes_inside_a_job_keep_to_it, shells_and_output_are_chosen_by_host, nobody_can_lay_out_what_a_job_needs, links_in_tmpdir_lead_nowhere, who_removes_tmpdir_is_out_of_reach, a_script_is_its_owners, a_process_is_clean, a_job_leaves_nobody_behind, a_shepherd_is_out_of_reach, what_a_user_spoils_is_the_users,
           an_order_is_never_cut_by_a_zero_byte, steps_of_root_know_nothing_of_the_user, output_goes_where_its_user_may_write, a_fifo_holds_up_nobody, output_of_steps_is_kept, a_folder_of_a_users_is_no_cells]


def main():
    for folder in (site, tmp):
        folder.mkdir()
    tmp.chmod(0o1777)
    for user in users:
        home(user).mkdir()
        os.chown(home(user), pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
    check(run("almanac-admin", "init", cell, "--cell", "attacked")[0] == 0, "init")
    start("almanac-master", cell)
    code, text = run("almanac-admin", "add-host", cell, "n1", "--slots", 20)
    check(code == 0, text)
    change_queue(f"load_thresholds NONE\ntmpdir {tmp}\nshell /bin/sh")
    start("almanac-agent", cell / "agents" / "n1")
    wait(lambda: "-NA-" not in run("qstat", "-f")[1].split("all.q@n1")[1].split("\n")[0], "n1 registers")
    wanted = sys.argv[2:]
    for attack in attacks:
        if wanted and attack.__name__ not in wanted:
            continue
        begin = time.time()
        attack()
        print(f"{attack.__name__}: held ({time.time() - begin:.1f} s)", flush=True)
    pathlib.Path("/tmp/almanac-attacked").rmdir()  # the agent makes it before any user does


if os.geteuid() != 0 or any(subprocess.run(["id", user], capture_output=True).returncode for user in users):
    print("root and the users of scripts/test are needed")
    sys.exit(77)
play(main)
