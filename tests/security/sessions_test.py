#!/usr/bin/env python3
"""Who holds the keys of one agent is that agent and no more: neither the master, nor another host, nor an admin. Real processes."""
import os, pathlib, re, socket, ssl, subprocess, sys, threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cluster"))
import daemons
from daemons import check, ignore_load, memory_mb, play, processes, run, start, stop, wait, work

peer = daemons.bin / "hostile_peer"
cell = work / "cell"
agents = cell / "agents"
no_master = 'the certificate of "n2" is for an agent, not for the master'


class Peer:
    """The program, and what it has printed so far."""

    def __init__(self, *words):
        self.lines = []
        self.process = subprocess.Popen([str(peer), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        processes.append(self.process)
        threading.Thread(target=lambda: self.lines.extend(iter(self.next_line, "")), daemon=True).start()

    def next_line(self):
        return self.process.stdout.readline().strip()

    def says(self, text):
        return any(text in line for line in list(self.lines))


class Relay:
    """Takes connections as the one daemon, calls another, and carries what they say to and fro."""

    def __init__(self, folder, port, shown=None):
        """`shown`: the certificate and key for those who call, where they are not those of the folder."""
        self.bytes = 0
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        own = (folder / "tls.pem", folder / "tls.key")
        self.contexts = [self.context(folder, kind, pair) for kind, pair in ((ssl.PROTOCOL_TLS_SERVER, shown or own), (ssl.PROTOCOL_TLS_CLIENT, own))]
        threading.Thread(target=self.serve, args=(port,), daemon=True).start()

    @staticmethod
    def context(folder, kind, pair):
        context = ssl.SSLContext(kind)
        context.check_hostname, context.verify_mode = False, ssl.CERT_REQUIRED
        context.load_verify_locations(folder / "ca.pem")
        context.load_cert_chain(*pair)
        context.set_alpn_protocols(["almanac-2"])
        return context

    def serve(self, port):
        while True:
            try:
                near = self.contexts[0].wrap_socket(self.listening.accept()[0], server_side=True)
                far = self.contexts[1].wrap_socket(socket.create_connection(("127.0.0.1", port)))
            except OSError:
                return
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=(source, target), daemon=True).start()

    def carry(self, source, target):
        try:
            while data := source.recv(65536):
                self.bytes += len(data)
                target.sendall(data)
        except OSError:
            pass
        target.close()

    def close(self):
        self.listening.close()


def port_of(folder):
    return int((folder / "run" / "port").read_text())


def logged(folder, name, text, count=1):
    return (folder / "log" / f"{name}.log").read_text().count(text) >= count


def state_of(job):
    lines = [line.split() for line in run("qstat", "-u", "*", folder=cell)[1].splitlines()]
    return next((line[4] for line in lines if line and line[0] == str(job)), "gone")


def another_name():
    liar = Peer(agents / "n2", "n9", port_of(cell), "name")
    wait(lambda: liar.says("the ticket is that of agent n2"), "a name is believed with its own ticket only (71)")


def welcome_to_an_agent():
    stranger = Peer(agents / "n2", "n2", port_of(agents / "n1"), "welcome")
    wait(lambda: logged(agents / "n1", "agent", "it sent Welcome, which no called may hear in stage hello"), "a session does not open by Welcome (74)")
    check(not stranger.says("hears PeerEnded"), "nor is a process of a peer looked at")


def welcome_to_an_agent_as_its_master():
    rogue = Peer(agents / "n2", "n2", 0, "master")
    wait(lambda: rogue.lines, "it listens")
    settings = agents / "n3" / "settings.toml"
    lines = [f'master = "127.0.0.1:{rogue.lines[0]}"' if line.startswith("master") else line for line in settings.read_text().splitlines()]
    settings.write_text("\n".join(lines) + "\n")
    victim = start("almanac-agent", agents / "n3")
    wait(lambda: logged(agents / "n3", "agent", no_master), "the master has to prove who it is (75)")
    check(not rogue.says("hears"), f"nothing is told to it: {rogue.lines}")
    stop(victim)


def the_end_of_a_task_of_another():
    rogue = Peer(agents / "n2", "n2", port_of(cell), "end")
    wait(lambda: rogue.says("said"), "n2 says that the task of n1 has ended")
    a_job_waits_its_turn()
    check(state_of(1) == "r", f"no packet reaches the session of another, and the task goes on (76): {state_of(1)}")


def a_job_waits_its_turn():
    """What was said before is decided when this is answered."""
    code, text = run("qsub", "-h", "-b", "y", "true", folder=cell)
    check(code == 0, text)
    run("qdel", text.split()[2], folder=cell)


def somebody_between():
    """Holds n2's key, stands between n3 and the master, and hands on what they say; then with the master's own certificate, too, and a valid one of an agent at the other side."""
    settings = agents / "n3" / "settings.toml"
    before = settings.read_text()
    for shown, seen, times in ((None, no_master, 2), ((cell / "ca" / "master.pem", cell / "ca" / "master.key"), "can't prove its name", 1)):
        relay = Relay(agents / "n2", port_of(cell), shown)
        settings.write_text(re.sub('master = ".*"', f'master = "127.0.0.1:{relay.port}"', before))
        victim = start("almanac-agent", agents / "n3")
        wait(lambda: logged(agents / "n3", "agent", seen, count=times), "n3 sees who is there in its master's place (77)")
        check((relay.bytes > 0) == bool(shown), f"a certificate that is none of a master's is told nothing: {relay.bytes} bytes")
        check(not logged(cell, "master", "host registered host=n3"), "n3 is not registered through it")
        stop(victim)
        relay.close()
    settings.write_text(before)


def flood(master):
    before = memory_mb(master)
    rogue = Peer(agents / "n2", "n2", port_of(cell), "flood")
    wait(lambda: rogue.says("flooded") or rogue.process.poll() is not None, "n2 says 400 MB and more")
    code, text = run("qstat", folder=cell)
    check(code == 0, f"others are served meanwhile: {text}")
    rogue.process.kill()
    check(memory_mb(master) < before + 128, f"the master takes no more than it can hear: {before} MB, {memory_mb(master)} MB")


def order_of_an_agent():
    Peer(agents / "n2", "n2", port_of(agents / "n1"), "order")
    wait(lambda: logged(agents / "n1", "agent", "it sent Launch, which no called may hear in stage ordered"), "only the master launches (78)")
    check(not (agents / "n1" / "spool" / "1.0.1.new").exists() and state_of(1) == "r", "nothing was changed")


def root_of_an_agent(own):
    rogue = Peer(agents / "n2", "n2", port_of(cell), "relay")
    wait(lambda: rogue.says('denied: uid 0 of host "n2" is nobody in this cell'), "root of a host is no manager of the cell (79)")
    check("sec" not in run("qconf", "-sm", folder=cell)[1].split(), "nobody became a manager")
    audit = (cell / "log" / "audit").read_text()
    check(any('host="n2" through="the agent on n2" request="a-request"' in line and "exit=1" in line for line in audit.splitlines()), "who tried, and from where, is logged")
    code, text = run("qconf", "-am", "sec", folder=agents / "n1")
    denied = 'denied: uid 0 of host "n1" is nobody in this cell' if os.geteuid() == 0 else 'denied: host "n1" is no admin host'
    check(own or (code == 1 and denied in text), text)


def main():
    check(run("almanac-admin", "init", cell, folder=cell)[0] == 0, "init")
    master = start("almanac-master", cell)
    for host in ("n1", "n2", "n3"):
        check(run("almanac-admin", "add-host", cell, host, "--slots", 2, folder=cell)[0] == 0, "add-host")
    start("almanac-agent", agents / "n1")
    ignore_load(cell)
    code, text = run("qsub", "-b", "y", "-o", "/dev/null", "-j", "y", "sleep", 300, folder=cell)
    check(code == 0, text)
    wait(lambda: state_of(1) == "r", "the job on n1 runs")
    another_name()
    welcome_to_an_agent()
    welcome_to_an_agent_as_its_master()
    the_end_of_a_task_of_another()
    somebody_between()
    flood(master)
    order_of_an_agent()
    root_of_an_agent(os.uname().nodename in ("n1", "n2"))
    check(state_of(1) == "r", "after all of it the job runs")
    run("qdel", 1, folder=cell)
    wait(lambda: run("qacct", "-j", 1, folder=cell)[0] == 0, "it can be ended")
    print("the keys of one agent are good for that agent")


play(main)
