#!/usr/bin/env python3
"""The port for metaschedulers on real processes (docs/spec/metascheduler.md section 2): the worked session of section 9 through
openssl s_client, both proofs, who may act for whom, many lines at once, and what people who mean harm may try."""
import contextlib, hashlib, hmac, os, pwd, re, socket, ssl, subprocess, time

import daemons
from certificates import make_certificate, openssl
from daemons import bin, check, connect, ignore_load, is_closed, play, spawn, start, stop, wait, work

cell, folder = work / "cell", work / "port"
settings = folder / "gmeta.toml"
secret = "s" * 40
# The users of scripts/test, where root runs this; else whoever does.
names = {entry.pw_name for entry in pwd.getpwall()}
me = pwd.getpwuid(os.geteuid()).pw_name
ann = "almanac-t1" if os.geteuid() == 0 and "almanac-t1" in names else me
bob = "almanac-t2" if "almanac-t2" in names else "daemon"
runs_as = bob if os.geteuid() == 0 else me


def run(*words):
    return daemons.run(*words, folder=cell, deadline=30)


def works(*words):
    code, text = run(*words)
    check(code == 0, f"{words}: {text}")
    return text


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


port = free_port()


def make_files():
    folder.mkdir(mode=0o755)
    make_certificate(folder, "ca", "/CN=authority")
    make_certificate(folder, "server", "/CN=site", "ca")
    make_certificate(folder, "meta", "/O=Grid/CN=meta", "ca")
    make_certificate(folder, "stranger", "/O=Grid/CN=stranger", "ca")
    make_certificate(folder, "forger", "/CN=authority")
    make_certificate(folder, "forged", "/O=Grid/CN=meta", "forger")
    # Nonsense: signed by itself, over since it was made, and with a subject that is like that of a caller.
    make_certificate(folder, "own", "/O=Grid/CN=meta")
    make_certificate(folder, "like", "/O=Grid/CN=meta\\,CN=meta", "ca")
    openssl(folder, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/O=Grid/CN=meta", "-keyout", "expired.key", "-out", "expired.csr")
    openssl(folder, "x509", "-req", "-in", "expired.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-days", "-1", "-out", "expired.pem")
    (folder / "key.secret").write_text(secret + "\n")
    settings.write_text(f"""directory = "{cell}"
user = "{runs_as}"
port = {port}
certificate = "server.pem"
key = "server.key"
client_authority = "ca.pem"
connections_of_address = 200
[[caller]]
name = "meta"
subject = "CN=meta,O=Grid"
user = "{ann}"
[[caller]]
name = "grid"
secret = "key.secret"
""")
    settings.chmod(0o644)
    owner = pwd.getpwnam(runs_as)
    (folder / "ca.pem").chmod(0o644)
    for name in ("server.pem", "server.key", "key.secret"):
        os.chown(folder / name, owner.pw_uid, owner.pw_gid)
        (folder / name).chmod(0o600)


def start_port():
    process = spawn(bin / "almanac-gmeta", "--config", settings)

    def listens():
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
        return process.poll() is not None

    wait(listens, "the port opens")
    check(process.poll() is None, "almanac-gmeta goes on")
    return process


class Caller:
    """A connection with lines, which shows a certificate or none."""

    def __init__(self, shows=None):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(folder / "ca.pem")
        context.check_hostname = False
        if shows:
            context.load_cert_chain(folder / f"{shows}.pem", folder / f"{shows}.key")
        self.raw = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.tls = context.wrap_socket(self.raw)
        self.file = self.tls.makefile("rb")

    def say(self, text):
        self.tls.sendall(text.encode())

    def line(self):
        return self.file.readline().decode().rstrip("\n")

    def ask(self, line):
        self.say(line + "\n")
        return self.line()

    def ask_many(self, lines):
        """Answers in their order, with up to 200 lines under way; one thread, since two may not use a TLS socket at the same time."""
        parts = [lines[first : first + 100] for first in range(0, len(lines), 100)]
        for before, part in zip([[]] + parts, parts + [[]]):
            self.say("".join(line + "\n" for line in part))
            for _ in before:
                yield self.line()

    def close(self):
        self.tls.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def is_refused(shows, line="HELLO"):
    """Whether TLS ends, or the answer is -20 after 200 ms."""
    try:
        with Caller(shows) as caller:
            begin = time.monotonic()
            answer = caller.ask(line)
            check(answer in ("", "SC=-20;MSG=not authenticated"), answer)
            check(answer == "" or time.monotonic() - begin >= 0.2, "the answer takes its time")
            check(caller.line() == "", "then the connection ends")
    except (ssl.SSLError, ConnectionError):
        pass
    return True


SESSION = f"""> HELLO ID=1
< SC=0;ID=1;SITE=default;VERSION=1;NOW=N;VERBS=V
> RESQUERY USER={ann};TIMENEEDED=2H:WALL;NODES=2;SLOTS=4;TIMESPEC=EARLIEST=@3600,LATEST=@90000
< SC=0;COUNT=2
< SC=0;STIME=@3600;ENDSTIME=@10800
< SC=0;STIME=@40000;ENDSTIME=@90000
> SETRES USER={ann};TIMENEEDED=2H;STARTTIME=@3600;NODES=2;SLOTS=4;HOLD=120;TXID=t77
< SC=0;SETRES=1;RESID=R;RESKEY=K;HOLDUNTIL=H
> COMMIT RESID=$;TXID=t77
< SC=0;STATE=COMMITTED
> SETRES USER={ann};TIMENEEDED=2;STARTTIME=@3600;NODES=2
< SC=-13;SETRES=0;MSG=bad value for TIMENEEDED
"""
# What differs each time.
MASKS = [(r"NOW=\d+", "NOW=N"), (r"VERBS=\S+", "VERBS=V"), (r"RESID=R\d+", "RESID=R"), (r"RESKEY=v1(?:\.[\w-]+){3}", "RESKEY=K"), (r"HOLDUNTIL=\d+", "HOLDUNTIL=H")]


def the_worked_session(begin):
    """Section 9, with openssl s_client; times are moved, and what differs each time is masked."""
    # What is reserved in between leaves the two ranges of the example.
    works("qrsub", "-a", time.strftime("%Y%m%d%H%M.%S", time.localtime(begin + 18000)), "-d", "22000", "-pe", "fill", "8")
    client = subprocess.Popen(["openssl", "s_client", "-quiet", "-connect", f"127.0.0.1:{port}", "-CAfile", folder / "ca.pem", "-cert", folder / "meta.pem", "-key", folder / "meta.key", "-verify_return_error"],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    resid, heard = "", []
    for expected in SESSION.splitlines():
        text = re.sub(r"@(\d+)", lambda found: str(begin + int(found[1])), expected[2:]).replace("$", resid)
        if expected[0] == ">":
            client.stdin.write(text + "\n")
            client.stdin.flush()
            continue
        line = client.stdout.readline().rstrip("\n")
        heard.append(line)
        resid = (re.search(r"RESID=(R\d+)", line) or ["", resid])[1]
        check(";RESID" not in line or int(re.search(r"HOLDUNTIL=(\d+)", line)[1]) in range(int(time.time()) + 110, int(time.time()) + 121), line)
        masked = line
        for pattern, replacement in MASKS:
            masked = re.sub(pattern, replacement, masked)
        check(masked == text, f"{line} is not {text}; before: {heard}")
    client.kill()
    client.wait()
    shown = works("qrstat", "-ar", resid.lstrip("R"))
    check(re.search(rf"owner\s+{ann}\b", shown), f"the reservation is {ann}'s: {shown}")
    return resid


def at(begin, text):
    return re.sub(r"@(\d+)", lambda found: str(begin + int(found[1])), text)


def the_other_verbs(begin, resid):
    """A change of the reservation of the worked session, and its end; both forms of the first four verbs (M1.5, M3.11, M3.45 to M3.47, M7.6, M7.11, M11.7)."""
    search = f"RESQUERY USER={ann};TIMENEEDED=100S;NODES=2;SLOTS=4;TIMESPEC=EARLIEST=@10700,LATEST=@11300"
    with Caller("meta") as caller:
        def expect(line, *answers):
            caller.say(at(begin, line) + "\n")
            for wanted in answers:
                said = caller.line()
                check(re.fullmatch(at(begin, wanted), said), f"{line}: {said} is not {at(begin, wanted)}")

        expect(f"STATUS RESID={resid}", "SC=0;STATE=WAITING;STARTTIME=@3600;ENDTIME=@10800;NODES=2")
        expect(f"MODIFY RESID={resid};STARTTIME=@4000;HOLD=60;TXID=t78", r"SC=0;STATE=WAITING;STARTTIME=@3600;ENDTIME=@10800;NODES=2;HOLDUNTIL=\d+")
        # The larger of both shapes, never their sum.
        expect(search, "SC=0;COUNT=1", "SC=0;STIME=@11200;ENDSTIME=@11300")
        expect(f"ABORT RESID={resid};TXID=t78", "SC=0;STATE=ABORTED")
        expect(search, "SC=0;COUNT=1", "SC=0;STIME=@10800;ENDSTIME=@11300")
        expect(f"RESQUERY {ann} 100S @EARLIEST={begin + 10700},LATEST={begin + 11300} NODES=2,SLOTS=4", '@10800 @11300 ""')
        expect(f"MODIFY RESID={resid};STARTTIME=@4000;HOLD=60;TXID=t79", r"SC=0;STATE=WAITING;STARTTIME=@3600;.*")
        expect(f"COMMIT RESID={resid};TXID=t79", "SC=0;STATE=COMMITTED")
        expect(f"STATUS RESID={resid}", "SC=0;STATE=WAITING;STARTTIME=@4000;ENDTIME=@11200;NODES=2")
        expect(f"SETRES {ann} 60S @60000 NODES=2,SLOTS=4", r"SETRES 1 v1(\.[\w-]+){3}")
        expect(f"SETRES {ann} 60S @60030 NODES=1", "SETRES 0")
        expect(f"SETRES USER={ann};TIMENEEDED=60S;STARTTIME=@60030;NODES=1", "SC=-30;SETRES=0;MSG=no capacity at that time")
        expect(f"RESQANDSET {ann} 60S @EARLIEST={begin + 60001} NODES=1", r"SETRES 1 @60060 v1(\.[\w-]+){3}")
        for form in (f"QUERY USER={ann};TIMENEEDED=60S;NODES=1", f"QUERY {ann} 60S NODES=1"):
            start = int(caller.ask(form).replace("SC=0;STARTTIME=", ""))
            check(abs(start - time.time()) < 30, f"{form}: {start}")
        nonces = {caller.ask(f"CHALLENGE RESID={resid}") for _ in range(2)}
        check(len(nonces) == 2 and all(re.fullmatch(r"SC=0;NONCE=[\w-]{43}", nonce) for nonce in nonces), str(nonces))
        expect(f"RELEASE RESID={resid}", "SC=0;STATE=RELEASED")
        expect(f"STATUS RESID={resid}", "SC=-40;MSG=unknown reservation")


def lines_from_standard_input():
    """M2.1, M2.4: gmeta -i answers each line, whatever it is, and all that it answers goes to the standard output."""
    text = "HELLO ID=1\r\n\nQUERY " + ";" * 65536 + "\nQUERY " + ";" * 65000 + "\n\xff\nSTATUS RESID=R999"
    arguments, env = daemons.typed("gmeta", "-i", folder=cell, deadline=30)
    done = subprocess.run(arguments, env=env, input=text.encode("latin-1"), capture_output=True, timeout=60)
    lines = done.stdout.decode().splitlines()
    check(lines[0].startswith("SC=0;ID=1;SITE=") and lines[-1] == "SC=-40;MSG=unknown reservation", str(lines))
    check([line.split(";MSG")[0] for line in lines[1:5]] == ["SC=-10"] * 4, str(lines))
    check(done.returncode == 40 and done.stderr == b"", f"{done.returncode} {done.stderr}")


class SealingCaller:
    """openssl s_client, which tells what a seal is bound to (Python has no exporter of TLS)."""

    def __init__(self):
        self.client = subprocess.Popen(["openssl", "s_client", "-ign_eof", "-connect", f"127.0.0.1:{port}", "-CAfile", folder / "ca.pem", "-verify_return_error", "-keymatexport", "EXPORTER-almanac-gmeta", "-keymatexportlen", "32"],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.binding = bytes.fromhex(self.next_with("Keying material: ").split(": ")[1])

    def next_with(self, begin):
        for line in self.client.stdout:
            if line.strip().startswith(begin):
                return line.strip()
        return ""

    def sealed(self, line, number, key_id="grid"):
        digits = hmac.new(secret.encode(), self.binding + str(number).encode() + b"\n" + line.encode(), hashlib.sha256).hexdigest()
        return f"{line};X_KEYID={key_id};X_HMAC={digits}"

    def ask(self, line):
        self.client.stdin.write(line + "\n")
        self.client.stdin.flush()
        return self.next_with("SC=")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.kill()
        self.client.wait()


def sealed_lines():
    """M2.7: a caller without a certificate; a line that is sent again is not one."""
    works("qconf", "-au", ann, "gmeta_grid")
    with SealingCaller() as caller:
        first = caller.sealed("HELLO ID=1", 1)
        check(caller.ask(first).startswith("SC=0;ID=1;SITE="), "the first line")
        check(caller.ask(caller.sealed("STATUS RESID=R999", 2)).startswith("SC=-12;"), "this caller has no user of its own")
        found = caller.ask(caller.sealed(f"RESQUERY USER={ann};TIMENEEDED=1H;NODES=1", 3))
        check(re.fullmatch(r"SC=0;COUNT=[1-9]\d*", found), f"with a user: {found}")
        for _ in range(int(found.split("=")[-1])):
            check(caller.next_with("SC=").startswith("SC=0;STIME="), "a range")
        check(caller.ask(first) == "SC=-20;MSG=not authenticated", "the first line again")
        check(caller.next_with("SC=") == "", "then the connection ends")
    with SealingCaller() as caller:
        check(caller.ask(first) == "SC=-20;MSG=not authenticated", "in another connection")


def proofs():
    for shows, line in ((None, "HELLO"), ("stranger", "HELLO"), (None, f"HELLO;X_KEYID=grid;X_HMAC={'0' * 64}"), ("forged", "HELLO")):
        check(is_refused(shows, line), f"{shows} {line}")
    with Caller("meta") as caller:
        check(caller.ask(f"RESQUERY USER={bob};TIMENEEDED=1H;NODES=1").startswith("SC=-21;"), f"{bob} is not in the list")
        check(caller.ask("SETRES USER=nosuchuser;TIMENEEDED=1H;NODES=1;STARTTIME=NOW").startswith("SC=-21;"), "nobody knows this user")
        works("qconf", "-au", bob, "gmeta_meta")
        check(caller.ask(f"RESQUERY USER={bob};TIMENEEDED=1H;NODES=1").startswith(("SC=0;", "SC=-22;")), "now it is")
        works("qconf", "-du", bob, "gmeta_meta")
        check(caller.ask(f"RESQUERY USER={bob};TIMENEEDED=1H;NODES=1").startswith("SC=-21;"), "and now it is not")
    log = (cell / "log" / "audit").read_text()
    check(f"for {ann} by meta: " in log and f'user="{runs_as}"' in log, "the audit log names both")


def many_lines():
    """The order is kept, and several are asked at the same time; figures go to the output."""
    count, held = 1000, []
    with Caller("meta") as caller:
        begin = time.monotonic()
        lines = [f"SETRES ID={i};USER={ann};TIMENEEDED=60S;STARTTIME={int(time.time()) + 1000000 + 100 * i};NODES=1;HOLD=120;TXID=n{i}" for i in range(count)]
        for i, answer in enumerate(caller.ask_many(lines)):
            check(answer.startswith(f"SC=0;ID={i};SETRES=1"), answer)
            held.append(re.search(r"RESID=(R\d+)", answer)[1])
        took = time.monotonic() - begin
        print(f"{count} SETRES with HOLD over one connection in {took:.2f} s: {count / took:.0f}/s")
        check(len(set(held)) == count, "each is one of its own")
        for answer in caller.ask_many([f"ABORT RESID={resid};TXID=n{i}" for i, resid in enumerate(held)]):
            check(answer == "SC=0;STATE=ABORTED", "each is aborted")


def is_thrown_out(text):
    """Whether the port closes the connection of whoever says this."""
    with connect(port) as plain:
        with contextlib.suppress(ConnectionError):  # before all of it was sent, too
            plain.sendall(text)
        return is_closed(plain)


def bad_lines():
    with Caller("meta") as caller:
        caller.say("HEL")
        time.sleep(0.1)
        caller.say("LO\r\n")
        check(caller.line().startswith("SC=0;SITE="), "two halves are a line")
        check(caller.ask("").startswith("SC=-1"), "an empty line")
        check(caller.ask("QUERY " + ";" * (65536 - 6)).startswith("SC=-10;MSG=syntax"), "64 KB of ; are tokens without a name")
        check(caller.ask("QUERY NODES=1" + ";" * (65536 - 13)).startswith("SC=-10;MSG=syntax"), "and no tokens")
        check(caller.ask(";" * 65536).startswith("SC=-14;MSG=unknown verb"), "nor a verb")
        check(caller.ask("QUERY " + ";" * 200000).startswith("SC=-10"), "a line that is too long")
        check(caller.ask("QUERY \xff\x01").startswith("SC=-1"), "no text")
        check(caller.ask("HELLO").startswith("SC=0;"), "it goes on")
    with Caller("meta") as caller:
        caller.say("HELLO")
    check(is_thrown_out(b"HELLO\n"), "a line without TLS")


def nonsense():
    """Certificates that prove nothing, and bytes that are no TLS: fewer than block a peer."""
    for shows in ("own", "like", "expired", "server"):
        check(is_refused(shows), shows)
    for text in (b"\x16\x03\x03\xff\xff" + os.urandom(3000), b"\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00", os.urandom(70000)):
        check(is_thrown_out(text), f"{len(text)} bytes that are no TLS")
    with Caller("meta") as caller:
        check(caller.ask("HELLO").startswith("SC=0;"), "whoever is known is heard")


def silent_ones(process):
    silent = []
    for _ in range(1000):
        with contextlib.suppress(OSError):
            silent.append(socket.create_connection(("127.0.0.1", port), timeout=5))
    begin = time.monotonic()
    with Caller("meta") as caller:
        check(caller.ask("HELLO").startswith("SC=0;"), "whoever has something to say is heard")
    check(time.monotonic() - begin < 5, "and soon")
    check(daemons.memory_mb(process) < 200, "the port stays small")
    for one in silent:
        one.close()


def a_blocked_peer():
    known, strangers = Caller("meta"), [Caller() for _ in range(20)]
    check(known.ask("HELLO").startswith("SC=0;"), "one of them is known")
    for _ in range(12):
        with contextlib.suppress(OSError):
            is_refused(None)
    begin = time.monotonic()
    # Who was there before tries no more: it would hear -20.
    for stranger in strangers:
        with contextlib.suppress(OSError):
            check(stranger.ask("HELLO") == "", "a connection that was there before is closed")
    check(known.ask("HELLO").startswith("SC=0;"), "whoever is known goes on")
    for one in (known, *strangers):
        one.close()

    def is_heard():
        with contextlib.suppress(OSError, ssl.SSLError), Caller("meta") as caller:
            return caller.ask("HELLO").startswith("SC=0;")
        return False

    check(not is_heard(), "ten failures block the peer, whatever it shows")
    wait(is_heard, "it may come again after a minute", seconds=75)
    check(time.monotonic() - begin > 40, "not before")


def rights(process):
    status = dict(line.split(":\t", 1) for line in open(f"/proc/{process.pid}/status").read().splitlines() if ":\t" in line)
    uid = pwd.getpwnam(runs_as).pw_uid
    check(set(status["Uid"].split()) == {str(uid)}, f"it runs as {runs_as}: {status['Uid']}")
    check(status["NoNewPrivs"] == "1" and int(status["CapPrm"], 16) == 0, "it has no rights, and gets none")


def settings_that_are_open():
    (folder / "key.secret").chmod(0o644)
    done = subprocess.run([bin / "almanac-gmeta", "--config", settings, "--check"], capture_output=True, text=True)
    check(done.returncode == 1 and "can be read by others" in done.stderr, done.stderr)
    (folder / "key.secret").chmod(0o600)
    settings.chmod(0o666)
    done = subprocess.run([bin / "almanac-gmeta", "--config", settings, "--check"], capture_output=True, text=True)
    check(done.returncode == 1 and "can write it" in done.stderr, done.stderr)
    settings.chmod(0o644)
    (folder / "ca.pem").chmod(0o664)
    done = subprocess.run([bin / "almanac-gmeta", "--config", settings, "--check"], capture_output=True, text=True)
    check(done.returncode == 1 and f"{folder / 'ca.pem'}: others than root" in done.stderr, done.stderr)
    (folder / "ca.pem").chmod(0o644)
    done = subprocess.run([bin / "almanac-gmeta", "--config", settings, "--check"], capture_output=True, text=True)
    check(done.returncode == 0, done.stderr)


def the_master_is_away(master):
    stop(master)
    with Caller("meta") as caller:
        answer = caller.ask("HELLO")
        check(answer.startswith("SC=-60;") and "RETRYAFTER=" in answer, answer)
    return start("almanac-master", cell)


def set_params(*params):
    wanted = work / "scheduler"
    wanted.write_text(re.sub(r"^params.*$", "params " + ",".join(params), works("qconf", "-ssconf"), flags=re.M))
    works("qconf", "-Msconf", wanted)


def a_key_is_asked_for():
    """A line cannot show one (M6.17): what it has made it cannot change. Managers need no key, so somebody else has to be the user."""
    if ann == me:
        check(os.geteuid() != 0, "there is no user almanac-t1: scripts/test makes one where root runs it")
        print("skipped: a key that is asked for needs a user who is no manager, so root has to run this")
        return
    set_params(f"GMETA_PORT={runs_as}", "GMETA_REQUIRE_KEY=1")
    begin = int(time.time()) + 200_000  # nothing else lies there
    with Caller("meta") as caller:
        made = re.search(r"SETRES=1;RESID=(R\d+)", caller.ask(f"SETRES USER={ann};TIMENEEDED=1H;STARTTIME={begin};NODES=1"))
        check(made, "it is made without a key")
        for line in (f"MODIFY RESID={made[1]};STARTTIME={begin + 60}", f"RELEASE RESID={made[1]}"):
            check(caller.ask(line) == "SC=-51;MSG=key invalid", line)
        held = re.search(r"RESID=(R\d+)", caller.ask(f"SETRES USER={ann};TIMENEEDED=1H;STARTTIME={begin};NODES=1;HOLD=60;TXID=held"))
        check(caller.ask(f"ABORT RESID={held[1]};TXID=held") == "SC=0;STATE=ABORTED", "what is held needs none")
    works("qrdel", made[1])
    set_params(f"GMETA_PORT={runs_as}")


def main():
    check(run("almanac-admin", "init", cell)[0] == 0, "init")
    master = start("almanac-master", cell)
    ignore_load(cell)
    for name in ("n1", "n2"):
        works("almanac-admin", "add-host", cell, name, "--slots", "4")
        start("almanac-agent", cell / "agents" / name)
    wait(lambda: works("qhost").count("lx-") == 2, "both hosts are there")
    make_files()
    works("qconf", "-au", ann, "arusers")
    process = start_port()
    with Caller("meta") as caller:
        check(caller.ask("HELLO").startswith("SC=-21;"), "the cell does not know the port")
    set_params(f"GMETA_PORT={runs_as}")
    with Caller("meta") as caller:
        check(caller.ask("HELLO").startswith("SC=-21;"), "nor has the subject a list")
    works("qconf", "-au", ann, "gmeta_meta")
    rights(process)
    settings_that_are_open()
    begin = int(time.time()) + 30
    resid = the_worked_session(begin)
    the_other_verbs(begin, resid)
    lines_from_standard_input()
    many_lines()
    bad_lines()
    sealed_lines()
    proofs()
    a_key_is_asked_for()
    silent_ones(process)
    master = the_master_is_away(master)
    a_blocked_peer()
    nonsense()
    process.terminate()
    check(process.wait(timeout=10) == 0, "SIGTERM ends it")
    stop(master)


play(main)
