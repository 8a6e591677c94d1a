"""Real daemons for the tests in this folder: a temporary folder, processes in it, and what a user types."""
import os, pathlib, shutil, signal, socket, subprocess, sys, tempfile, time

bin = pathlib.Path(sys.argv[1]).resolve()
work = pathlib.Path(tempfile.mkdtemp(prefix="almanac-test-"))
os.chmod(work, 0o755)
processes = []


def check(holds, what):
    if not holds:
        raise AssertionError(what)


def wait(holds, what, seconds=20):
    end = time.time() + seconds
    while not holds():
        check(time.time() < end, f"within {seconds} s: {what}")
        time.sleep(0.05)


def typed(*words, folder, deadline=5):
    """The words and the environment of a command whose doors are those of a folder."""
    return [str(bin / words[0]), *map(str, words[1:])], {**os.environ, "ALMANAC_DIR": str(folder), "ALMANAC_DEADLINE": str(deadline)}


def run(*words, folder, deadline=5, user=None):
    arguments, env = typed(*words, folder=folder, deadline=deadline)
    done = subprocess.run(arguments, env=env, capture_output=True, text=True, timeout=60, user=user, cwd="/tmp")
    return done.returncode, done.stdout + done.stderr


def spawn(*words, **more):
    processes.append(subprocess.Popen(list(map(str, words)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more))
    return processes[-1]


def start(program, folder, crash_at="", umask=-1, programs=bin, within=()):
    (folder / "run" / "ready").unlink(missing_ok=True)
    process = spawn(*within, programs / program, "--dir", folder, env={**os.environ, "ALMANAC_CRASH_AT": crash_at}, umask=umask)
    # One that is to crash may do so before it is ready: clients ask again and again.
    wait(lambda: (folder / "run" / "ready").exists() or crash_at and process.poll() is not None, f"{program} in {folder} starts")
    return process


def ignore_load(folder):
    """The hosts of a test share a machine: its load says nothing about any of them."""
    queue = work / "queue"
    queue.write_text("qname all.q\nload_thresholds NONE\n")
    code, text = run("qconf", "-Mq", queue, folder=folder)
    check(code == 0, text)


def memory_mb(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) >> 10


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=15)


def is_closed(client):
    """Whether the far end closes it, whatever it says before."""
    try:
        while client.recv(4096):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def munged(name):
    """The socket of a munged of our own."""
    folder = work / name
    folder.mkdir(mode=0o755)
    key = folder / "key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o600)
    paths = [f"--{option}={folder / option}" for option in ("socket", "pid-file", "log-file", "seed-file")]
    spawn("munged", "--foreground", "--force", f"--key-file={key}", *paths)
    wait(lambda: (folder / "socket").exists(), f"{name} starts")
    return folder / "socket"


def network_half(agent):
    """The process of an agent that talks; the one that was started is its helper."""
    return int(subprocess.run(["pgrep", "-P", str(agent.pid), "-x", "almanac-agent-s"], capture_output=True, text=True, check=True).stdout)


def freeze(agent):
    for pid in (agent.pid, network_half(agent)):
        os.kill(pid, signal.SIGSTOP)


def thaw(agent):
    for pid in (agent.pid, network_half(agent)):
        os.kill(pid, signal.SIGCONT)


def stop(process):
    process.terminate()
    process.wait()


def end_all():
    for process in processes:
        process.kill()
        process.wait()


def play(main):
    """Runs a test; whatever comes of it, nothing is left."""
    try:
        main()
    finally:
        end_all()
        shutil.rmtree(work, ignore_errors=True)
