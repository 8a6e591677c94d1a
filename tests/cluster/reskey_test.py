#!/usr/bin/env python3
"""Keys of reservations on real processes (docs/spec/metascheduler.md section 6): both modes, kill -9 of the master while claims come, and the files in which keys lie."""
import base64, os, re, stat, subprocess, threading, time

import daemons
from daemons import check, ignore_load, play, start, stop, typed, wait, work

cell = work / "cell"


def run(*words):
    return daemons.run(*words, folder=cell, deadline=30)


def works(*words):
    code, text = run(*words)
    check(code == 0, f"{words}: {text}")
    return text


def fails(status, *words):
    code, text = run(*words)
    check(code != 0 and status in text, f"{words}: {code} {text}")


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def key_pair():
    """Private and public key of Ed25519, 32 bytes each: the last ones of their DER forms."""
    pem = subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519"], check=True, capture_output=True).stdout
    private, public = (subprocess.run(["openssl", "pkey", "-outform", "DER", *more], input=pem, check=True, capture_output=True).stdout[-32:]
                       for more in ((), ("-pubout",)))
    return private, public


def reserved(name, start_in, *tokens):
    """Made by gmeta; its id and the file with the answer, in which the key is."""
    request = ";".join((f"USER={os.environ.get('USER', 'root')}", "TIMENEEDED=3600S", f"STARTTIME={int(time.time()) + start_in}", "SLOTS=2", *tokens))
    answer = works("gmeta", "SETRES", request)
    file = work / name
    file.write_text(answer)
    file.chmod(0o600)
    return re.search(r"RESID=R(\d+)", answer)[1], file


def submit(number, file, name="inside"):
    return run("qsub", "-N", name, "-ar", number, "-reskey", file, "-l", "h_rt=60", "-b", "y", "-o", "/dev/null", "-j", "y", "sleep", "0")


def mode_s():  # M6.5, M6.19
    number, file = reserved("secret", 3000)
    check(len(re.search(r"RESKEY=(\S+?)(;|$)", file.read_text(), re.M)[1].split(".")) == 4, "it has a secret")
    for _ in range(2):
        code, text = submit(number, file)
        check(code == 0, text)
    again = work / "again"
    works("qrstat", "-ar", number, "-reskey", again)
    check(stat.S_IMODE(again.stat().st_mode) == 0o600, "nobody else reads it")
    check(again.read_text().strip() in file.read_text(), "it is the same key")
    check(works("gmeta", "claim-test", "-reskey", file) == "SC=0\n", "M6.20")
    return number, file


def mode_p():  # M6.4, M6.11
    private, public = key_pair()
    number, file = reserved("public", 3000, f"PUBKEY={base64url(public)}")
    fails("there is none", "qsub", "-ar", number, "-reskey", file, "-b", "y", "true")
    file.write_text(file.read_text() + f"\nprivkey={base64url(private)}\n")
    code, text = submit(number, file)
    check(code == 0, text)
    other, _ = key_pair()
    file.write_text(file.read_text().replace(base64url(private), base64url(other)))
    fails("the proof for", "qsub", "-ar", number, "-reskey", file, "-l", "h_rt=60", "-b", "y", "true")


def closed_files(number, file):  # M6.5
    """Who keeps a secret where others can read it is refused, in each command."""
    for mode in (0o644, 0o640, 0o604):
        file.chmod(mode)
        code, text = submit(number, file)
        check(code != 0 and "chmod go=" in text, f"qsub {mode:o}: {text}")
        for words in (("claim-test", "-reskey", file), ("-reskey", file, "COMMIT", f"RESID=R{number}")):
            code, text = run("gmeta", *words)
            check(code == 51 and "SC=-51;MSG=key invalid" in text and "chmod go=" in text, f"{words} {mode:o}: {code} {text}")
    file.chmod(0o600)
    check(works("gmeta", "claim-test", "-reskey", file) == "SC=0\n", "closed again")


def flipped_bits(file):  # M6.21
    """Whatever bit of the grant changes, claim-test has a line, and it says -51."""
    key = re.search(r"v1\.[\w.-]+", file.read_text())[0]
    version, grant, *rest = key.split(".")
    content = base64.urlsafe_b64decode(grant + "=" * (-len(grant) % 4))
    bad = work / "flipped"
    bad.touch(0o600)
    for bit in range(0, 8 * len(content), 13):
        spoiled = bytearray(content)
        spoiled[bit // 8] ^= 1 << bit % 8
        bad.write_text(".".join((version, base64url(bytes(spoiled)), *rest)) + "\n")
        code, text = run("gmeta", "claim-test", "-reskey", bad)
        check(code == 51 and "SC=-51;MSG=key invalid\n" in text, f"bit {bit}: {code} {text}")


def changed_keys(number, file):  # M6.21, M6.22
    text = file.read_text()
    key = re.search(r"v1\.[\w.-]+", text)[0]
    parts = key.split(".")
    for place, said in ((1, "the key is not one"), (2, "the key is not one"), (3, "the proof for")):
        spoiled = parts.copy()
        spoiled[place] = spoiled[place][:10] + ("A" if spoiled[place][10] != "A" else "B") + spoiled[place][11:]
        bad = work / "bad"
        bad.touch(0o600)
        bad.write_text(".".join(spoiled) + "\n")
        code, answer = submit(number, bad)
        check(code != 0 and (said in answer or "the key" in answer), f"part {place}: {answer}")
        # M8.19, M8.20: as metaschedulers are told; why a grant cannot be read is said beside that.
        code, answer = run("gmeta", "claim-test", "-reskey", bad)
        wanted = (52, "SC=-52;MSG=proof invalid\n") if place == 3 else (51, "SC=-51;MSG=key invalid\n")
        check(code == wanted[0] and wanted[1] in answer, f"part {place}: {code} {answer}")


def kills(number, file):
    """Whatever is answered with success is there after kill -9, and each claim has made one job at most."""
    master, taken, stop_it = masters[-1], [], threading.Event()

    def client(which):
        while not stop_it.is_set():
            name = f"c{which}n{len(taken)}"
            code, _ = submit(number, file, name)
            if code == 0:
                taken.append(name)

    clients = [threading.Thread(target=client, args=(which,)) for which in range(3)]
    for one in clients:
        one.start()
    for _ in range(5):
        time.sleep(0.7)
        masters[-1].kill()
        masters[-1].wait()
        masters.append(start("almanac-master", cell))
    stop_it.set()
    for one in clients:
        one.join()
    names = re.findall(r"^\s*job_name:\s+(\S+)", works("qstat", "-j", "*"), re.M)
    check(taken, "some were taken")
    for name in set(taken):
        check(names.count(name) == taken.count(name), f"{name}: {taken.count(name)} were told, {names.count(name)} are there")


def files_of_the_master():
    for name in ("reservation.keys", "reservation.secret"):
        check(stat.S_IMODE((cell / "ca" / name).stat().st_mode) == 0o600, name)
    os.chmod(cell / "ca" / "reservation.secret", 0o644)
    stop(masters[-1])
    done = subprocess.run([daemons.bin / "almanac-master", "--dir", cell], capture_output=True, text=True, timeout=20)
    check(done.returncode == 1 and "reservation.secret" in done.stderr, done.stderr)
    os.chmod(cell / "ca" / "reservation.secret", 0o600)
    masters.append(start("almanac-master", cell))


masters = []


def test():
    subprocess.run([daemons.bin / "almanac-admin", "init", cell, "--cell", "keys"], check=True, capture_output=True)
    masters.append(start("almanac-master", cell))
    works("almanac-admin", "add-host", cell, "n1", "--slots", "200")
    ignore_load(cell)
    start("almanac-agent", cell / "agents" / "n1")
    number, file = mode_s()
    mode_p()
    closed_files(number, file)
    changed_keys(number, file)
    flipped_bits(file)
    kills(number, file)
    files_of_the_master()
    code, text = submit(number, file)
    check(code == 0, text)


play(test)
