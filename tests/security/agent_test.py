#!/usr/bin/env python3
"""The agent has two halves, and the one that talks has no rights: who takes it over gets nothing as root. Real processes; root with two plain users."""
import base64, os, pathlib, pwd, re, shutil, signal, subprocess, sys, tempfile, time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cluster"))
import daemons
from daemons import bin, check, network_half, play, processes, spawn, start, stop, wait, work

cell, home = work / "cell", work / "home"
agent_folder, other_folder = cell / "agents" / "n1", cell / "agents" / "n2"
held = {}  # a job of n2, whose helper hears nothing
job_user, half_user = "almanac-t1", "almanac-t2"


def run(*words, user=None):
    return daemons.run(*words, folder=cell, user=user)


def submit(*words):
    code, text = run("qsub", "-terse", "-wd", home, *words, user=job_user)
    check(code == 0, f"{words}: {text}")
    return text.split()[-1]


def is_over(job):
    return run("qacct", "-j", job)[0] == 0


def wait_for_end(*jobs):
    for job in jobs:
        wait(lambda: is_over(job), f"job {job} ends; qstat says {run('qstat', '-u', '*')[1]}")


def status_of(pid):
    return dict(line.split(":\t", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines() if ":\t" in line)


def is_alive(pid):
    try:
        return not status_of(pid)["State"].startswith("Z")
    except (FileNotFoundError, ProcessLookupError):
        return False


def log():
    return (agent_folder / "log" / "agent.log").read_text()


def registered(host="n1"):
    wait(lambda: "-NA-" not in run("qstat", "-f")[1].split(f"all.q@{host}")[1].split("\n")[0], f"{host} registers")


def name_a_user(name, folder=agent_folder):
    settings = folder / "settings.toml"
    text = re.sub(r"user = .*\n", "", settings.read_text())
    settings.write_text(text + (f'user = "{name}"\n' if name else ""))


def the_half_that_talks_has_no_rights():
    agent = processes[-1]
    user = pwd.getpwnam(half_user)
    facts = status_of(network_half(agent))
    check(facts["Uid"].split() == [str(user.pw_uid)] * 4 and facts["Gid"].split() == [str(user.pw_gid)] * 4, str(facts))
    check(facts["Groups"].strip() == "" and facts["NoNewPrivs"] == "1" and facts["Seccomp"] == "2", str(facts))
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        check(int(facts[name], 16) == 0, f"{name} {facts[name]}")
    helper = status_of(agent.pid)
    check(helper["Uid"].split() == ["0"] * 4 and helper["NoNewPrivs"] == "0", "the helper is root, and jobs may have setuid programs")
    linked = subprocess.run(["ldd", bin / "almanac-agent"], capture_output=True, text=True).stdout
    libraries = {line.split()[0].split(".")[0] for line in linked.splitlines() if line.startswith("\tlib")}
    check(libraries <= {"libcrypto", "libstdc++", "libm", "libgcc_s", "libc"}, f"the helper is small: {libraries}")
    typed = subprocess.run([bin / "almanac-agent-session", agent_folder], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    check(typed.returncode == 1 and "not meant to be typed" in typed.stderr, typed.stderr)


def files_have_the_owners_they_need():
    own = pwd.getpwnam(half_user).pw_uid
    for name in ("run", "log", "sign.key", "tls.key", "spool/session", "run/door", "log/agent.log"):
        check((agent_folder / name).stat().st_uid == own, f"{name} is the half's that talks")
    for name in (".", "settings.toml", "master.pub", "lock", "spool", "spool/id", "spool/secret", "ticket", "ca.pem"):
        check((agent_folder / name).stat().st_uid == 0, f"{name} is root's")
    for name in ("sign.key", "tls.key", "lock", "spool/secret"):
        check((agent_folder / name).stat().st_mode & 0o077 == 0, f"{name} is for nobody else")
    tried = subprocess.run(["/bin/sh", "-c", f"touch {agent_folder}/x {agent_folder}/spool/x; mv {agent_folder}/spool/session {agent_folder}/spool/x; flock -n {agent_folder}/lock true"], user=half_user, capture_output=True, text=True)
    check(tried.stderr.count("denied") == 4, tried.stderr)


def a_job_is_its_users():
    """Nothing that holds the agent's halves reaches it: a setuid program works, TMPDIR and a home can be written, a namespace of its user's is its user's."""
    ping = home / "become"
    shutil.copy("/usr/bin/id", ping)
    os.chown(ping, pwd.getpwnam(half_user).pw_uid, -1)
    ping.chmod(0o4755)
    out = home / "facts"
    mount = "unshare -Urm sh -c 'mount -t tmpfs none /mnt && touch /mnt/x && echo mounted'"
    outside = subprocess.run(["/bin/sh", "-c", mount], user=job_user, capture_output=True, text=True).stdout == "mounted\n"
    if not outside:
        print("no user mounts anything here: not tried in a job")
    beneath = pathlib.Path(tempfile.mkdtemp(prefix="almanac-test-", dir="/home"))
    try:
        os.chown(beneath, pwd.getpwnam(job_user).pw_uid, -1)
        job = submit("-o", out, "-j", "y", "-b", "y", "/bin/sh", "-c", f"id -un; {ping} -un; touch $TMPDIR/x $PWD/y {beneath}/z && echo written; {mount}; grep -E 'NoNewPrivs|CapBnd|Seccomp:' /proc/self/status")
        wait_for_end(job)
        check((beneath / "z").stat().st_uid == pwd.getpwnam(job_user).pw_uid, "what it writes to a home is its user's")
    finally:
        shutil.rmtree(beneath)
    lines = out.read_text().splitlines()
    check(lines[:2] == [job_user, half_user], f"its user, and a setuid program's: {lines}")
    check("written" in lines and ("mounted" in lines) == outside, str(lines))
    mine = status_of(os.getpid())
    check(f"NoNewPrivs:\t{mine['NoNewPrivs']}" in lines and f"CapBnd:\t{mine['CapBnd']}" in lines and f"Seccomp:\t{mine['Seccomp']}" in lines, str(lines))


def field(name, value):
    content = value.encode() if isinstance(value, str) else value
    return f"{name} {len(content)}\n".encode() + content + b"\n"


def request(verb, attempt=(1, 0, 1), call=0, warrant=b"", signature=b"", script=b"", command="", words=()):
    text = b"almanac-helper-request 1\n" + field("verb", str(verb))
    for name, number in zip(("job", "task", "attempt"), attempt):
        text += field(name, str(number))
    text += field("call", str(call)) + field("warrant", warrant) + field("signature", signature) + field("script", script) + field("command", command)
    return text + told(words) + field("rows", "0") + field("columns", "0")


def told(words):
    return field("words", str(len(words))) + b"".join(field("item", word) for word in words) + field("environment", "0") + field("directory", "/") + field("input", "0")


def call_order(host, attempt, call, words):
    text = b"almanac-call 1\n" + field("host", host)
    for name, number in zip(("job", "task", "attempt"), attempt):
        text += field(name, str(number))
    return text + field("number", str(call)) + told(words)


def signed(key, content):
    """With the key of an agent, which its network half can read."""
    pem, text = work / "key.pem", work / "to-sign"
    der = bytes.fromhex("302e020100300506032b657004220420" + key.read_text().strip())
    pem.write_text(f"-----BEGIN PRIVATE KEY-----\n{base64.b64encode(der).decode()}\n-----END PRIVATE KEY-----\n")
    text.write_bytes(content)
    return subprocess.run(["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", pem, "-in", text], capture_output=True, check=True).stdout


prepare, launch, control, remove, adopt = range(1, 6)

# What somebody does who has taken the half over: it is started in its place, with all that it gets.
hostile = """#!/usr/bin/python3
import os, socket, sys
end = socket.socket(fileno=3)
end.recv(1 << 20)
open({place!r} + "/who", "w").write(" ".join(map(str, (*os.getresuid(), *os.getgroups()))))
out = open({place!r} + "/answers", "w")
for name in sorted(os.listdir({place!r} + "/requests")):
    end.send(open({place!r} + "/requests/" + name, "rb").read())
    out.write(repr(end.recv(1 << 20)) + "\\n")
    out.flush()
out.close()
os.rename({place!r} + "/answers", {place!r} + "/all-answers")
end.recv(1)
"""


def taken_over(agent, folder, tries):
    """The answers of a helper to these packets, when its other half is somebody else's."""
    place = pathlib.Path(tempfile.mkdtemp(dir=work))
    (place / "requests").mkdir()
    for number, content in enumerate(tries):
        (place / "requests" / f"{number:05}").write_bytes(content or b"\n")
    user = pwd.getpwnam(half_user)
    for path in (place, place / "requests"):
        os.chown(path, user.pw_uid, user.pw_gid)
    fake = place / "bin"
    fake.mkdir()
    shutil.copy(bin / "almanac-agent", fake)
    session = fake / "almanac-agent-session"
    session.write_text(hostile.format(place=str(place)))
    session.chmod(0o755)
    stop(agent)
    started = spawn(fake / "almanac-agent", "--dir", folder)
    wait(lambda: (place / "all-answers").exists(), "all have been tried", 60)
    check((place / "who").read_text() == " ".join([str(user.pw_uid)] * 3), (place / "who").read_text())
    started.kill()
    started.wait()
    start("almanac-agent", folder)
    answers = (place / "all-answers").read_text().splitlines()
    check(len(answers) == len(tries), "each is answered: the helper lives")
    return answers


def what_was_signed(folder, name):
    """A task's warrant, and the bytes with its signature somewhere in them."""
    order = (folder / "spool" / "session" / name).read_bytes()
    found = re.search(rb"almanac-warrant \d\n.*?\nat_shutdown (\d+)\n", order, re.S)
    return order[found.start() : found.end() + int(found[1]) + 1], order


def forged_requests():
    spool = agent_folder / "spool"
    before = set(spool.glob("[0-9]*.*"))
    running = submit("-o", "/dev/null", "-j", "y", "-b", "y", "sleep", "1000")
    started = lambda: [path.parent for path in spool.glob("[0-9]*.*/progress") if path.parent not in before and "\nstarted\n" in path.read_text()]
    wait(started, "the job runs")
    folder = started()[0]
    attempt = tuple(map(int, folder.name.split(".")))
    warrant, signature = what_was_signed(agent_folder, folder.name)
    signature = signature[-1024:]
    owned = work / "owned"
    as_root = warrant.replace(field("user", job_user), field("user", "root")).replace(field("uid", str(pwd.getpwnam(job_user).pw_uid)), field("uid", "0")).replace(field("command", "sleep"), field("command", f"touch {owned}"))
    check(as_root != warrant, "the warrant names its user")
    tries = [request(prepare, warrant=as_root, signature=signature[i : i + 64]) for i in range(0, 960, 8)]
    tries += [request(prepare, warrant=warrant, signature=signature[i : i + 64]) for i in range(0, 960)]
    tries += [request(adopt, attempt, warrant=as_root, signature=signature[i : i + 64]) for i in range(0, 960, 8)]
    tries += [request(launch, attempt), request(launch, attempt, call=1, words=("touch", str(owned))), request(launch, (attempt[0] + 1, 0, 1)), request(control, attempt, command="K"), request(control, attempt, command="end"),
              request(control, attempt, command="../../x"), request(remove, (1 << 62, 0, 0)), request(adopt, (-1, -1, -1)), request(0), request(9), b"", b"x" * 30000, request(launch, attempt)[:-1], request(launch, attempt).replace(b"call 1", b"call 2147483648")]
    answers = taken_over(processes[-1], agent_folder, tries)
    for number, answer in enumerate(answers):
        done = "refusal 0" in answer
        is_harmless = tries[number] == request(remove, (1 << 62, 0, 0)) or b"\nverb 1\n5\n" in tries[number]  # no such task; what is shown starts nothing
        check(done == is_harmless, f"{number}: {answer}")
    check(sum("not signed" in answer for answer in answers) >= 1000, "the master has signed none of it")
    check(sum("before it was started again" in answer for answer in answers) <= 2, "but for the one whose life is over")
    check(not owned.exists(), "nothing ran as root")
    registered()
    check(is_alive(int(re.search(r"shepherd (\d+)", (folder / "progress").read_text())[1])), "the job goes on")
    run("qdel", running)
    wait_for_end(running)


def a_warrant_is_held_back():
    """What the master has signed is good for a minute. Later it is refused, the task is sent again, and nobody is blamed. (The minute began in main.)"""
    time.sleep(max(0, held["since"] + 62 - time.time()))
    check(not (home / "held").exists(), "the helper alone starts jobs")
    os.kill(held["agent"].pid, signal.SIGCONT)
    wait_for_end(held["job"])
    told = run("qacct", "-j", held["job"])[1]
    check((home / "held").exists() and re.search(r"exit_status +0", told), told)
    text = (other_folder / "log" / "agent.log").read_text()
    check(len(re.findall("is not launched: the warrant is too old", text)) == 1, f"refused once, and then in time: {text[-2000:]}")
    check(not re.search(r"all\.q@n2 .* E\b", run("qstat", "-f")[1]), "the host is not to blame")


def words_of_a_parallel_job():
    """What runs beside a job is what the agent of its first host has signed: another host's half starts nothing of its own, and nothing twice."""
    pe, queue, script = work / "pe", work / "pes", home / "wide.sh"
    pe.write_text("pe_name apart\nslots 9\nallocation_rule 1\ncontrol_slaves TRUE\njob_is_first_task TRUE\n")
    queue.write_text("qname all.q\npe_list apart\n")
    for words in (("-Ap", pe), ("-Mq", queue)):
        code, text = run("qconf", *words)
        check(code == 0, text)
    folders = {"n1": agent_folder, "n2": other_folder}
    agents = {"n1": processes[-1], "n2": held["agent"]}
    os.kill(held["agent"].pid, signal.SIGCONT)
    script.write_text('#!/bin/sh\nPATH=$SGE_BINARY_PATH:$PATH\nfor host in $(cut -d" " -f1 $PE_HOSTFILE); do qrsh -inherit -nostdin $host "echo \\$JOB_ID > at.$host"; done\ntouch done\nsleep 1000\n')
    registered("n2")
    job = submit("-o", "/dev/null", "-j", "y", "-pe", "apart", "2", script)
    wait(lambda: (home / "done").exists(), "both hosts have been asked")
    check(all((home / f"at.{name}").read_text() == f"{job}\n" for name in folders), "each has run what the user asked for")
    tasks = {name: max((folder / "spool").glob("[0-9]*.*"), key=lambda path: int(path.name.split(".")[0])) for name, folder in folders.items()}
    other = next(name for name, task in tasks.items() if not (task / "progress").exists())  # the job's script runs on the first one
    attempt = tuple(map(int, tasks[other].name.split(".")))
    owned, used = home / "owned", int(next((tasks[other] / "calls").iterdir()).name)
    warrant, signature = what_was_signed(folders[other], tasks[other].name)
    shown = [request(adopt, attempt, warrant=warrant, signature=signature[i : i + 64]) for i in range(len(signature) % 8, len(signature) - 63, 8)]
    tries = shown[:]
    for call in (1, used, used + 1):
        words = ("touch", str(owned))
        own = signed(folders[other] / "sign.key", call_order(other, attempt, call, words))
        tries += [request(launch, attempt, call, words=words, signature=proof) for proof in (b"", bytes(64), own)]
    answers = taken_over(agents[other], folders[other], tries)[len(shown) :]
    agents[other] = processes[-1]
    check(all("was not ordered by the agent of" in answer for answer in answers), str(answers))
    check(not owned.exists(), "nothing ran as the job's user")
    registered(other)
    run("qdel", job)
    wait_for_end(job)
    for agent in agents.values():
        stop(agent)
    start("almanac-agent", agent_folder)
    registered()


def halves_end_together():
    """Whichever is killed: the other ends, the lock is free, jobs go on, and their ends are told."""
    for victim in ("helper", "session"):
        agent = processes[-1]
        half = network_half(agent)
        ends, stays = submit("-o", "/dev/null", "-j", "y", "-b", "y", "sleep", "2"), submit("-o", "/dev/null", "-j", "y", "-b", "y", "sleep", "1000")
        wait(lambda: run("qstat", "-s", "r", "-u", "*")[1].count(" r ") == 2, "two jobs run")
        os.kill(agent.pid if victim == "helper" else half, signal.SIGKILL)
        wait(lambda: agent.poll() is not None and not is_alive(half), f"both end when the {victim} is killed", 5)
        start("almanac-agent", agent_folder)
        registered()
        wait_for_end(ends)
        check(re.search(r"exit_status +0", run("qacct", "-j", ends)[1]), "what ended meanwhile is told")
        run("qdel", stays)
        wait_for_end(stays)
    agent = processes[-1]
    half = network_half(agent)
    os.kill(half, signal.SIGSTOP)
    os.kill(agent.pid, signal.SIGSTOP)
    second = subprocess.run([bin / "almanac-agent", "--dir", agent_folder], capture_output=True, text=True, timeout=30)
    check(second.returncode == 1 and "another process works in" in second.stderr, second.stderr)
    for pid in (half, agent.pid):
        os.kill(pid, signal.SIGCONT)
    agent.send_signal(signal.SIGTERM)
    check(agent.wait(10) == 0 and not is_alive(half), "it stops when it is told to")
    check(not (agent_folder / "run" / "ready").exists(), "in order")
    start("almanac-agent", agent_folder)
    registered()


def its_programs_are_exchanged():
    """A3: other programs are put in the place of an agent's, as an upgrade does, once in order and once after kill -9: a job goes on, and its end is told once."""
    programs, last = work / "programs", work / "last"
    programs.mkdir()

    def install():
        for name in ("almanac-agent", "almanac-agent-session"):
            shutil.copy(bin / name, programs / "new")
            with open(programs / "new", "ab") as file:
                file.write(os.urandom(8))  # behind all that is loaded
            os.rename(programs / "new", programs / name)

    def begin():
        install()
        agent = start("almanac-agent", agent_folder, programs=programs)
        registered()
        return agent

    stop(processes[-1])
    agent = begin()
    job = submit("-o", "/dev/null", "-j", "y", "-b", "y", "/bin/sh", "-c", f"while [ ! -e {last} ]; do sleep 0.1; done; exit 7")
    progress = lambda: [path for path in (agent_folder / "spool").glob("*/progress") if "\nstarted\n" in path.read_text()]
    wait(progress, "the job runs")
    shepherd = int(re.search(r"shepherd (\d+)", progress()[0].read_text())[1])
    for kills in (False, True):
        half = network_half(agent)
        agent.kill() if kills else agent.terminate()
        agent.wait()
        wait(lambda: not is_alive(half), "both halves end")
        agent = begin()
        check(os.path.samefile(f"/proc/{agent.pid}/exe", programs / "almanac-agent") and not os.path.samefile(f"/proc/{shepherd}/exe", programs / "almanac-agent"), "the job's shepherd is of another program than the agent")
        check(is_alive(shepherd) and re.search(rf"^ *{job} .* r ", run("qstat", "-u", "*")[1], re.M), "the job goes on")
    last.touch()
    wait_for_end(job)
    told = run("qacct", "-j", job)[1]
    check(re.findall(r"exit_status +(\d+)", told) == ["7"] and re.findall(r"failed +(\d+)", told) == ["0"], f"its end is told once: {told}")
    stop(agent)
    start("almanac-agent", agent_folder)
    registered()


def another_user_is_named():
    """What belongs to somebody else is not taken; root without a user is told so."""
    stop(processes[-1])

    def refuses(why):
        tried = subprocess.run([bin / "almanac-agent", "--dir", agent_folder], capture_output=True, text=True, timeout=20)
        check(tried.returncode == 1 and why in tried.stderr, f"{why}: {tried.stderr}")

    name_a_user("no-such-user")
    refuses("there is no user")
    name_a_user("")
    refuses("belongs to uid")
    name_a_user(job_user)
    refuses("belongs to uid")
    for path in ("run", "log", "common_files", "sign.key", "tls.key", "spool/session"):
        subprocess.run(["chown", "-R", "root", agent_folder / path], check=True)
    name_a_user("")
    start("almanac-agent", agent_folder)
    registered()
    check("network half runs as root" in log(), "that is said")
    job = submit("-o", "/dev/null", "-j", "y", "-b", "y", "true")
    wait_for_end(job)


attacks = [the_half_that_talks_has_no_rights, files_have_the_owners_they_need, a_job_is_its_users, forged_requests, halves_end_together, its_programs_are_exchanged, a_warrant_is_held_back, words_of_a_parallel_job, another_user_is_named]


def main():
    home.mkdir()
    os.chown(home, pwd.getpwnam(job_user).pw_uid, -1)
    check(run("almanac-admin", "init", cell)[0] == 0, "init")
    start("almanac-master", cell)
    for host, slots in (("n1", 4), ("n2", 1)):
        code, text = run("almanac-admin", "add-host", cell, host, "--slots", slots)
        check(code == 0, text)
    daemons.ignore_load(cell)
    for folder in (agent_folder, other_folder):
        name_a_user(half_user, folder)
    held["agent"] = start("almanac-agent", other_folder)
    registered("n2")
    os.kill(held["agent"].pid, signal.SIGSTOP)
    held["job"] = submit("-q", "all.q@n2", "-o", "/dev/null", "-j", "y", "-b", "y", "touch", home / "held")
    held["since"] = time.time()
    start("almanac-agent", agent_folder)
    registered()
    wanted = sys.argv[2:]
    for attack in attacks:
        if not wanted or attack.__name__ in wanted:
            begin = time.time()
            attack()
            print(f"{attack.__name__}: held ({time.time() - begin:.1f} s)", flush=True)


if os.geteuid() != 0 or any(subprocess.run(["id", user], capture_output=True).returncode for user in (job_user, half_user)):
    print("root and the users of scripts/test are needed")
    sys.exit(77)
play(main)
