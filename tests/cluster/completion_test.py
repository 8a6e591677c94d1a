#!/usr/bin/env python3
"""What bash and zsh complete, on a real cell: options as -help has them, values and live names, and nothing at all where no master answers (cli.md C6.74).

    completion_test.py BIN COMPLETIONS    the second folder has the file for bash, under the name of each command"""
import os, pathlib, pty, select, shutil, subprocess, sys, time

import daemons
from daemons import check, play, start, stop, wait, work

cell = work / "cell"
completions = pathlib.Path(sys.argv[2]).resolve()
# zsh is asked as its bridge to bash asks.
shells = {"bash": ["bash", "--norc", "--noprofile", "-c"], "zsh": ["zsh", "-f", "-c"]}
asked = """
[ -z "${ZSH_VERSION:-}" ] || emulate sh
command -v complete > /dev/null 2>&1 || complete() { :; }
. "$SCRIPT"
COMP_LINE=$LINE COMP_POINT=${#LINE}
COMPREPLY=()
_almanac
for word in "${COMPREPLY[@]}"; do printf '%s\\n' "$word"; done
"""


def run(*words):
    code, text = daemons.run(*words, folder=cell, deadline=30)
    check(code == 0, f"{words}: {text}")
    return text


def completed(shell, line):
    env = {**os.environ, "ALMANAC_DIR": str(cell), "LINE": line, "SCRIPT": str(completions / "qsub"), "PATH": f"{daemons.bin}:{os.environ['PATH']}"}
    done = subprocess.run([*shells[shell], asked], env=env, capture_output=True, text=True, timeout=20, cwd=work)
    check(done.returncode == 0 and not done.stderr, f"{shell}, {line}: {done.stderr}")
    return done.stdout.split()


def options_of(command):
    return {line.split()[0] for line in run(command, "-help").splitlines() if line.startswith("   -")}


def look(shell):
    def has(line, *names):
        found = completed(shell, line)
        check(set(names) <= set(found), f"{shell}, {line}: {names} are not among {found}")
        return found

    def only(line, *names):
        found = completed(shell, line)
        check(sorted(found) == sorted(names), f"{shell}, {line}: {found} instead of {names}")

    for command in ("qsub", "qstat", "qconf", "qrsub", "qacct", "qmod"):
        check(set(completed(shell, f"{command} -")) == options_of(command), f"{shell}: the options of {command}")
    only("qsub -hold", *(name for name in options_of("qsub") if name.startswith("-hold")))
    only("qsub -R ", "y", "n")
    only("qrstat -fmt p", "plain")
    has("qdel ", "1", "2", "waits", "other.one")
    only("qdel oth", "other.one")
    only("qdel 1,w", "1,waits")
    # Anybody names his jobs, and what is completed stands in somebody else's line.
    only("qdel evil", {"bash": "evil\\;id\\>x", "zsh": "evil;id>x"}[shell])
    has("qstat -j ", "waits")
    has("qalter -p 3 ", "waits")
    has("qmod -cj ", "waits")
    has("qrdel ", "1", "course")
    only("qrdel c", "course")
    only("qstat -q l", "long.q")
    has("qhost -h ", "n1", "n2")
    has("qsub -pe ", "smp")
    only("qsub -pe smp ")
    only("qconf -sq l", "long.q")
    has("qconf -sp ", "smp")
    has("qconf -shgrp ", "@allhosts")
    # What attribute switches of qconf take: a kind, an attribute, a value, objects of the kind.
    has("qconf -mattr ", "queue", "exechost", "hostgroup", "pe", "resource_quota")
    only("qconf -rattr qu", "queue")
    only("qconf -mattr queue slot", "slots")
    only("qconf -mattr queue qname")
    has("qconf -aattr exechost ", "complex_values", "user_lists")
    only("qconf -mattr queue slots ")
    only("qconf -mattr queue slots 3 l", "long.q")
    only("qconf -mattr queue slots 3 all.q,l", "all.q,long.q")
    only("qconf -Mattr pe ")
    has("qconf -Mattr pe file ", "smp")
    only("qconf -mattr nosuch ")
    only("qrsh -inh", "-inherit")
    has("qrsh -inherit ", "n1", "n2")
    only("qrsh -inherit n1 ")
    only("almanac-admin rek", "rekey-host")
    for verb in ("remove-host", "rekey-host", "revoke-host"):
        only(f"almanac-admin {verb} {cell} ", "n1", "n2")
    only(f"almanac-admin remove-host --wait {cell} n2", "n2")
    only("almanac-admin remove-host ")
    only(f"almanac-admin add-host {cell} ")
    # What is no name of the cell is a file, which shells complete by themselves.
    only("qsub -o ")
    only("qsub jo")


def silent(shell):
    """Nobody waits for a master that is away."""
    begun = time.time()
    check(completed(shell, "qdel ") == [], f"{shell}: a name without a master")
    check(time.time() - begun < 4, f"{shell} waits {time.time() - begun:.1f} s for a master that is away")
    check("-t" in completed(shell, "qsub -"), f"{shell}: options are there without a master")


class Prompt:
    """zsh at a terminal, which finds its completions where packages put them."""

    def __init__(self):
        target = work / "share" / "zsh" / "vendor-completions"
        target.mkdir(parents=True)
        shutil.copy(completions / "_almanac_commands", target)
        shutil.copytree(completions, work / "share" / "bash-completion" / "completions")
        home = work / "zsh"
        home.mkdir()
        env = {**os.environ, "ALMANAC_DIR": str(cell), "PATH": f"{daemons.bin}:{os.environ['PATH']}", "ZDOTDIR": str(home), "HOME": str(home), "TERM": "xterm"}
        pid, self.file = pty.fork()
        if pid == 0:
            os.chdir(home)
            os.execvpe("zsh", ["zsh", "-f", "-i"], env)
        self.pid = pid
        self.types(f"fpath=({target} $fpath); autoload -Uz compinit && compinit -D -u; echo rea'd'y\r", "\nready")

    def types(self, keys, *expected):
        """What is on the screen has each of these some time later."""
        os.write(self.file, keys.encode())
        seen, end = "", time.time() + 20
        while not all(text in seen for text in expected):
            check(time.time() < end, f"zsh, {keys!r}: {expected} within 20 s, and not {seen!r}")
            if select.select([self.file], [], [], 0.2)[0]:
                seen += os.read(self.file, 65536).decode(errors="replace")

    def tab(self, line, *expected):
        self.types("\x15" + line + "\t", *expected)

    def end(self):
        self.types("\x15exit\r")
        os.waitpid(self.pid, 0)
        os.close(self.file)


def at_a_prompt():
    zsh = Prompt()
    zsh.tab("qdel oth", "qdel other.one")
    zsh.tab("qdel 1,w", "qdel 1,waits")
    zsh.tab("qdel evil", "qdel evil\\;id\\>x")
    zsh.tab("qrdel co", "qrdel course")
    zsh.tab("qstat -q lo", "qstat -q long.q")
    zsh.tab("qrstat -fmt pl", "qrstat -fmt plain")
    zsh.tab("qsub -pe ", "make", "mpi", "smp")
    zsh.end()


def main():
    check(daemons.run("almanac-admin", "init", cell, folder=cell)[0] == 0, "init")
    master = start("almanac-master", cell)
    for host in ("n1", "n2"):
        run("almanac-admin", "add-host", cell, host, "--slots", 4)
    queue = work / "queue"
    queue.write_text("qname long.q\nhostlist @allhosts\nslots 4\npe_list smp\n")
    run("qconf", "-Aq", queue)
    for name in ("waits", "other.one", "evil;id>x"):
        run("qsub", "-h", "-N", name, "-b", "y", "true")
    run("qrsub", "-N", "course", "-a", time.strftime("%Y%m%d%H%M", time.localtime(time.time() + 86400)), "-d", 600, "-q", "long.q")
    for shell in shells:
        look(shell)
    at_a_prompt()
    if os.geteuid() == 0:
        code, text = daemons.run("qsub", "-h", "-N", "theirs", "-b", "y", "true", folder=cell, deadline=30, user="nobody")
        check(code == 0, f"qsub as nobody: {text}")
        number = text.split()[2]
        for shell in shells:
            found = completed(shell, "qdel ")
            check(number in found and "theirs" not in found and "waits" in found, f"{shell}: root means his own jobs by name: {found}")
    stop(master)
    for shell in shells:
        silent(shell)


play(main)
