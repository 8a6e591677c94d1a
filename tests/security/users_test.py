#!/usr/bin/env python3
"""What a user asks for, with commands and with frames of their own: attempts 1 to 22, 29, 34 to 38, 50 to 54, 56 and 61 to 63 of the security review. Real processes; root with two plain users."""
import hashlib, json, os, pathlib, pwd, random, resource, signal, socket, struct, subprocess, sys, time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cluster"))
import daemons
from daemons import bin, check, play, processes, spawn, start, typed, wait, work

cell, agent = work / "cell", work / "cell" / "agents" / "n1"
owner, other = "almanac-t1", "almanac-t2"
most, least = 2**63 - 1, -(2**63)


def run(*words, user=None, folder=cell):
    return daemons.run(*words, folder=folder, user=user)


def refused(number, *words, user=other, why=""):
    code, text = run(*words, user=user)
    check(code != 0 and why in text and 0 < len(text) < 5000, f"{number}: {words} is refused: {code} {text[:500]}")


def submit(user, *words):
    code, text = run("qsub", "-terse", "-o", "/dev/null", "-j", "y", *words, user=user)
    check(code == 0, f"{words}: {text}")
    return text.split()[-1]


def as_user(user, line):
    done = subprocess.run(["/bin/sh", "-c", line], user=user, group=pwd.getpwnam(user).pw_gid, extra_groups=[], cwd="/tmp", capture_output=True, text=True, timeout=20)
    return done.returncode, done.stdout + done.stderr


def frame_of(*words):
    """What a command sends, as root types it: taken at a door that answers nothing."""
    folder = work / "nobody"
    (folder / "run").mkdir(parents=True, exist_ok=True)
    path = folder / "run" / "door"
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        arguments, env = typed(*words, folder=folder)
        client = spawn(*arguments, env=env, cwd="/tmp")
        connection, _ = server.accept()
        with connection:
            size = struct.unpack(">I", connection.recv(4, socket.MSG_WAITALL))[0]
            frame = connection.recv(size, socket.MSG_WAITALL)
        client.kill()
        client.wait()
        return frame


def in_child(user, work_of):
    """What a function that is run by that user returns, as text."""
    end, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setgid(pwd.getpwnam(user).pw_gid)
        os.setuid(pwd.getpwnam(user).pw_uid)
        try:
            os.write(tell, str(work_of()).encode(errors="replace")[:60_000])
        finally:
            os._exit(0)
    os.close(tell)
    with os.fdopen(end, "rb") as told:
        text = told.read().decode(errors="replace")
    os.waitpid(child, 0)
    return text


def knock(frames=()):
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(10)
    client.connect(str(cell / "run" / "door"))
    for frame in frames:
        client.sendall(struct.pack(">I", len(frame)) + frame)
    return client


def ask(frame):
    with knock([frame]) as client:
        head = client.recv(4, socket.MSG_WAITALL)
        return client.recv(struct.unpack(">I", head)[0], socket.MSG_WAITALL) if len(head) == 4 else b""


def in_words(frame):
    """The same request of a tool that speaks version 1 of the protocol: it is answered in lines."""
    version = slice(16, 24)  # behind the segment table and the pointer to the request
    check(frame[version] == struct.pack("<q", 2), f"a request of version 2 is expected: {frame[:32]}")
    return frame[:16] + struct.pack("<q", 1) + frame[24:]


def sent_by(user, frame):
    return in_child(user, lambda: ask(in_words(frame)))


def owner_of(name):
    for line in run("qstat", "-u", "*")[1].splitlines():
        words = line.split()
        if len(words) > 3 and words[2] == name[:10]:
            return words[3]
    return ""


def who_asks_is_what_the_kernel_says(job, master):
    """1, 21"""
    frame = frame_of("qsub", "-h", "-b", "y", "-N", "whose", "true")
    said = sent_by(other, frame)
    check("whose" in said and owner_of("whose").startswith(other[:8]), f"1: a frame that root's command made is that of who sends it: {said} {owner_of('whose')}")
    said = sent_by(owner, frame)
    check("submitted" in said and run("qstat", "-u", "*")[1].count(" whose ") == 2, f"21: the same request id of another user is another request: {said}")
    again = sent_by(owner, frame)
    check("submitted" in again and run("qstat", "-u", "*")[1].count(" whose ") == 2, "21: and of the same user the same one")
    run("qdel", "whose")


def jobs_of_others(job, master):
    """2-9"""
    lines = run("qstat", "-j", job)[1]
    for number, words in ((2, ("qdel", job)), (3, ("qalter", "-N", "x", job)), (4, ("qhold", job)), (5, ("qrls", job)), (6, ("qmod", "-cj", job)),
                          (7, ("qdel", "-f", job)), (9, ("qdel", "-u", owner))):
        refused(number, *words)
    run("qdel", "-u", "*", user=other)
    check(run("qstat", "-j", job)[1] == lines, "8: qdel -u '*' and all the others touch nothing")


def listed(reservation):
    """The words of its line in qrstat, or empty ones."""
    lines = [line.split() for line in run("qrstat", "-u", "*")[1].splitlines()]
    return next((line for line in lines if line and line[0] == str(reservation)), [""] * 4)


def reservations_of_others(job, master):
    """10-13"""
    run("qconf", "-au", owner, "arusers")
    code, text = run("qrsub", "-N", "lesson", "-d", "1:0:0", "-u", owner, user=owner)
    check(code == 0, text)
    wait(lambda: listed(1)[3] == "r", "10-12: it begins")
    before = (listed(1), run("qrstat", "-ar", 1)[1])
    check(before[0][1] == "lesson" and owner[:8] in before[0][2] and "all.q@n1=1" in before[1], f"10-12: what it has is seen: {before}")
    refused(10, "qsub", "-ar", 1, "-b", "y", "true")
    refused(11, "qrdel", 1)
    refused(12, "qrdel", "-f", 1)
    refused(12, "qralter", "-f", 1, "-N", "mine", why="privileges")
    check((listed(1), run("qrstat", "-ar", 1)[1]) == before, f"10-12: it is as it was: {listed(1)}")
    refused(13, "qrsub", "-d", "1:0:0", why="arusers")
    run("qrdel", 1)


def who_is_manager(job, master):
    """14-20"""
    refused(14, "qconf", "-am", other, why="must be manager")
    refused(14, "qconf", "-ao", other, why="must be manager")
    check("must be manager" in sent_by(other, frame_of("qconf", "-am", other)), "15: the frame that root's command makes is refused, too")
    refused(16, "qmod", "-d", "all.q", why="you have no permission to modify queue")
    for number, words in ((17, ("show", "calendar")), (18, ("journal",)), (18, ("trace", "calendar")), (19, ("actors",))):
        refused(number, "almanac-console", *words, why="must be manager")
    refused(20, "qsub", "-p", 1000, "-b", "y", "true")
    refused(20, "qsub", "-p", 5, "-b", "y", "true")
    refused(20, "qsub", "-ot", 5, "-b", "y", "true")
    for words in (("-p", 5), ("-ot", 5)):
        check("submitted" not in sent_by(other, frame_of("qsub", "-h", *words, "-b", "y", "true")), f"20: {words} in a frame that root's command made is refused")
    check(run("qconf", "-sm")[1].split() == ["root"], "14-16: nobody became a manager")


def scripts_of_others(job, master):
    """22"""
    def knows(*words):
        done = subprocess.run([bin / "door_client", cell / "run" / "door", *map(str, words)], user=other, capture_output=True, text=True, timeout=20)
        return done.returncode, done.stdout

    known, unknown = (hashlib.sha256(text.encode()).hexdigest() for text in (secret, "nobody's"))
    check(knows("ask-hash", known) == knows("ask-hash", unknown), "22: nobody is told which scripts there are")
    own = pathlib.Path("/tmp") / f"{work.name}.own"
    number = submit(owner, "-o", own, work / "secret.sh")
    wait(lambda: own.exists() and "hidden-word" in own.read_text(), "22: who runs the script is seen to do so")
    run("qdel", number)
    own.unlink()
    for content in (known, unknown):
        output = pathlib.Path("/tmp") / f"{work.name}.{content[:8]}"
        code, text = knows("hash", content, output)
        check(code == 0 and "has been submitted" in text, f"22: a job that brings no script is taken: {text}")
        number = text.split()[2]
        wait(lambda: run("qacct", "-j", number)[0] == 0, "22: it has no script to run, and ends")
        check("exit_status  0" in run("qacct", "-j", number)[1], f"22: {run('qacct', '-j', number)[1]}")
        shown = run("qstat", "-j", number, user=other)[1] + (output.read_text() if output.exists() else "")
        check("hidden-word" not in shown and content not in shown, f"22: it is not the other's script that ran: {shown}")
        output.unlink(missing_ok=True)


def names_and_numbers(job, master):
    """29, 50-52"""
    for name in ("../../x", "a\nb", "a/b", "a:b", "@x", "\x1b[2J"):
        refused(29, "qsub", "-N", name, "-b", "y", "true")
    for words in (("slots", 1, most), ("slots", least, -1), ("start", most), ("start", least), ("reserve", least, 60), ("reserve", 2**62, 60), ("reserve", 0, most - 1)):
        done = subprocess.run([bin / "door_client", cell / "run" / "door", *map(str, words)], user=owner, capture_output=True, text=True, timeout=20)
        check(done.returncode == 1 and 0 < len(done.stdout) < 500, f"50: {words}: {done.stdout}")
    for words in (("-tc", most, "-t", "1-2"), ("-js", most), ("-a", "999912312359.60")):
        code, text = run("qsub", *words, "-h", "-b", "y", "true", user=other)
        check(len(text) < 500, f"50: {words} is taken or refused: {text}")
    run("qdel", "-u", other)
    for limit in ("-5", "1" + "0" * 18, str(2**63), "99999999999T"):
        refused(51, "qsub", "-l", f"h_rt={limit}", "-b", "y", "true")
    for text in ("(", "!", "*", "a|"):
        begin = time.time()
        code, said = sent_by_words("-q", text * 100_000)
        check(time.time() - begin < 5, f"52: {text} many times takes long")
    run("qdel", "-u", other)


def sent_by_words(*words):
    """Longer than a command line may be: it comes out of a script."""
    path = work / "long.sh"
    path.write_text("#!/bin/sh\n#$ -h\n#$ " + " ".join(words) + "\n")
    return run("qsub", path, user=other)


def much_of_it(job, master):
    """53"""
    code, text = run("qsub", "-h", "-b", "y", "true", *["x"] * 20_000, user=other)
    check(code == 0, f"53: 20,000 arguments are taken: {text[:300]}")
    path = work / "big.sh"
    path.write_text("#!/bin/sh\n" + "#" * 1_300_000 + "\n")
    refused(53, "qsub", path)
    run("qdel", "-u", other)


def nothing_obeys(job, master):
    """54"""
    esc = "\x1b]0;owned\x07"
    submit(other, "-h", "-A", "plain", "-wd", "/tmp", "-b", "y", f"/tmp/{esc}\nx")
    for words in (("qstat", "-u", "*"), ("qstat", "-j", "*"), ("qstat", "-u", "*", "-r"), ("almanac-console", "journal")):
        text = run(*words)[1]
        check("\x1b" not in text and "\x07" not in text, f"54: {words} shows it raw")
    actors = [line.split()[0] for line in run("almanac-console", "actors", "job")[1].splitlines() if " job " in line]
    check(len(actors) > 1, "54: jobs have actors")
    for actor in actors:
        code, text = run("almanac-console", "--json", "show", actor)
        check(code == 0 and "\x1b" not in text and json.loads(text) is not None, f"54: {text[:300]}")
    run("qdel", "-u", other)


def what_is_kept(job, master):
    """34-38"""
    for path in [*agent.glob("*.key"), *(cell / "ca").glob("*.key"), cell / "store", *(agent / "spool").glob("*/order"), cell / "run" / "lock", agent / "lock"]:
        check(path.exists() and as_user(other, f"{'ls' if path.is_dir() else 'cat'} {path}")[0] != 0, f"34: {path} is not for others")
    for path in (agent / "spool").rglob("*"):
        if path.is_socket():
            check("denied" in in_child(other, lambda: connects(path)), f"34: {path} lets nobody in")
    code, text = run("qstat", "-j", job, user=other)
    check(code == 0 and "password" not in text and "hidden-word" not in text, f"35: what is another's is not shown: {text}")
    check("password" in run("qstat", "-j", job, user=owner)[1], "35: but to its owner")
    for folder in (cell, cell / "run", cell / "store", cell / "log", agent, agent / "spool", agent / "run"):
        check(as_user(other, f"touch {folder}/x")[0] != 0, f"36: nobody writes into {folder}")
    for door in (cell / "run" / "door", agent / "run" / "door"):
        check(as_user(other, f"rm -f {door}; mv {door} {door}x")[0] != 0 and door.is_socket(), f"37: {door} stays")
    for lock in (cell / "run" / "lock", agent / "run" / "lock"):
        check(as_user(other, f"flock --nonblock {lock} true")[0] != 0, f"38: {lock} can't be taken")


def connects(path):
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(path))
            return "connected"
    except OSError as error:
        return error.strerror.lower()


def mutated_frames(job, master):
    """56"""
    frames = [frame_of(*words) for words in (("qstat", "-f"), ("qsub", "-h", "-b", "y", "-l", "h_rt=9", "-pe", "smp", "1-4", "true"), ("qdel", "1"), ("qrsub", "-d", 60), ("qconf", "-am", "x"), ("qstat", "-j", "1"))]

    def send():
        chance = random.Random(1)
        answered = 0
        for _ in range(60):
            client = knock()
            try:
                for _ in range(200):
                    frame = bytearray(chance.choice(frames))
                    for _ in range(chance.randint(1, 8)):
                        frame[chance.randrange(len(frame))] = chance.choice((0, 1, 127, 128, 255, chance.randrange(256)))
                    if chance.randrange(4) == 0:
                        del frame[chance.randrange(len(frame)):]
                    client.sendall(struct.pack(">I", len(frame)) + frame)
                    head = client.recv(4, socket.MSG_WAITALL)
                    if len(head) < 4:
                        break
                    client.recv(struct.unpack(">I", head)[0], socket.MSG_WAITALL)
                    answered += 1
            except OSError:
                pass
            client.close()
        return answered
    answered = int(in_child(other, send))
    check(answered > 6000, f"56: most of 12,000 mutated frames are answered: {answered}")
    run("qdel", "-u", other)
    check(run("qconf", "-sm")[1].split() == ["root"], "56: nobody became a manager")


def who_reads_nothing(job, master):
    """61-62"""
    frames = [frame_of("qstat", "-u", "*")] * 200
    child = os.fork()
    if child == 0:
        os.setgid(pwd.getpwnam(other).pw_gid)
        os.setuid(pwd.getpwnam(other).pw_uid)
        kept = []
        for _ in range(10):
            client = knock()
            client.settimeout(1)
            kept.append(client)
            try:
                for frame in frames:
                    client.sendall(struct.pack(">I", len(frame)) + frame)
            except OSError:
                pass
        time.sleep(60)
        os._exit(0)
    arguments, env = typed("qstat", "-f", folder=cell)
    stopped = spawn(*arguments, env=env)
    stopped.send_signal(signal.SIGSTOP)
    time.sleep(1)
    for user in (owner, None):
        check(run("qstat", "-f", user=user)[0] == 0, "61-62: others get their answers while somebody reads none")
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    stopped.kill()


def more_connections_than_descriptors(job, master):
    """63"""
    resource.prlimit(master.pid, resource.RLIMIT_NOFILE, (200, 200))

    def crowd():
        kept = []
        for _ in range(400):
            try:
                kept.append(knock())
            except OSError:
                pass
        time.sleep(1)
        return len(kept)
    in_child(other, crowd)
    wait(lambda: run("qstat")[0] == 0, "63: the master serves again")


secret = "#!/bin/sh\n# password: hidden-word\necho hidden-word\nsleep 300\n"


attacks = [who_asks_is_what_the_kernel_says, jobs_of_others, reservations_of_others, who_is_manager, scripts_of_others, names_and_numbers, much_of_it, nothing_obeys, what_is_kept,
           mutated_frames, who_reads_nothing, more_connections_than_descriptors]


def main():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    check(run("almanac-admin", "init", cell)[0] == 0, "init")
    master = start("almanac-master", cell)
    check(run("almanac-admin", "add-host", cell, "n1", "--slots", 2)[0] == 0, "add-host")
    start("almanac-agent", agent)
    daemons.ignore_load(cell)
    script = work / "secret.sh"
    script.write_text(secret)
    job = submit(owner, "-N", "mine", "-wd", "/tmp", "-v", "TOKEN=password", script)
    wait(lambda: f" r " in run("qstat", "-u", owner)[1], "the job runs")
    for attack in attacks:
        begin = time.time()
        attack(job, master)
        check(master.poll() is None and processes[1].poll() is None, "the daemons live")
        print(f"{attack.__doc__}: {attack.__name__.replace('_', ' ')}: held ({time.time() - begin:.1f} s)", flush=True)
    check(" r " in run("qstat", "-u", owner)[1], "after all of it the job runs")
    run("qdel", job)
    wait(lambda: run("qacct", "-j", job)[0] == 0, "it can be ended")
    print("what a user asks for is the user's: 1-22, 29, 34-38, 50-54, 56, 61-63")


if os.geteuid() != 0 or any(subprocess.run(["id", user], capture_output=True).returncode for user in (owner, other)):
    print("root and the users of scripts/test are needed")
    sys.exit(77)
play(main)
