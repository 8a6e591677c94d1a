#!/usr/bin/env python3
"""Whom a cell belongs to runs its master, also where root starts it; root's own commands leave nothing of root's. Real processes; as root with the users of scripts/test."""
import os, pathlib, pwd, shutil, subprocess, sys

import daemons
from daemons import bin, check, ignore_load, play, spawn, start, stop, wait, work

owner, third = "almanac-t2", "almanac-t1"
cell = work / "cell"


def run(*words, user=None):
    return daemons.run(*words, folder=cell, user=user)


def works(*words, user=None):
    code, text = run(*words, user=user)
    check(code == 0, f"{words}: {text}")
    return text


def refused(*words, user=None):
    code, text = run(*words, user=user)
    check(code == 1, f"{words} is refused: {code} {text}")
    return text


def refuses_to_start(user, group, directory):
    done = subprocess.run([bin / "almanac-master", "--dir", directory], capture_output=True, text=True, timeout=20, user=user, group=group, extra_groups=[])
    check(done.returncode == 1, f"{user} can't start it: {done.stderr}")
    return done.stderr


def rights_of(process):
    lines = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines())
    return {name: lines[name].split() for name in ("Uid", "Gid", "Groups", "CapInh", "CapPrm", "CapEff", "CapAmb")}


def has_given_up_root(process, capabilities=0):
    entry = pwd.getpwnam(owner)
    for thread in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        lines = dict(line.split(":", 1) for line in (thread / "status").read_text().splitlines())
        check(lines["Uid"].split() == [str(entry.pw_uid)] * 4, lines["Uid"])
        check(lines["Gid"].split() == [str(entry.pw_gid)] * 4, lines["Gid"])
        check(sorted(map(int, lines["Groups"].split())) == sorted(os.getgrouplist(owner, entry.pw_gid)), lines["Groups"])
        for name in ("CapPrm", "CapEff"):
            check(int(lines[name], 16) == capabilities, f"{name} {lines[name]}")
        check(int(lines["CapAmb"], 16) == 0 and int(lines["CapInh"], 16) == 0, "nothing is handed on")


def belongs_to_owner(at=cell):
    """Everything in the cell, but for what root runs: the agents' folders."""
    uid = pwd.getpwnam(owner).pw_uid
    for path in [at, *at.rglob("*")]:
        of_agent = path.parts[: len(at.parts) + 1] == (*at.parts, "agents") and len(path.parts) > len(at.parts) + 1
        expected = 0 if of_agent else uid
        check(of_agent or path.lstat().st_uid == expected, f"{path} belongs to {path.lstat().st_uid}, not to {expected}")


def others_may_only(path, mode):
    got = path.lstat().st_mode & 0o777
    check(got & ~mode == 0, f"{path} has the mode {got:o}, at most {mode:o} is right")


def modes():
    """Nobody else writes anything here but at the doors; nobody else reads keys, store, audit log and what holds them."""
    for path in [cell, *cell.rglob("*")]:
        if not path.is_symlink():
            others_may_only(path, 0o666 if path.name == "door" else 0o755)
    for name in ("ca", "store", "store.damaged"):
        if (cell / name).exists():
            others_may_only(cell / name, 0o700)
    for name in ("ca/ca.key", "ca/master.key", "ca/sign.key", "log/audit", "run/lock", "run/in_hand", "store.ballast"):
        others_may_only(cell / name, 0o600)
    check((cell / "root" / "default" / "common" / "accounting").stat().st_mode & 0o777 == 0o644, "accounting is for all to read, as Grid Engine's")
    check((cell / "run" / "door").stat().st_mode & 0o777 == 0o666, "all users reach the door")


def init_makes_it_the_owners():
    check("there is no user" in refused("almanac-admin", "init", cell, "--user", "nobody-has-this-name"), "an unknown user is told of")
    check(not cell.exists(), "and nothing is made")
    full = work / "full"
    full.mkdir()
    (full / "file").touch()
    check("is not empty" in refused("almanac-admin", "init", full, "--user", owner), "a folder with something in it")
    check(full.stat().st_uid == 0, "stays whose it is")
    mine = work / "mine"
    mine.mkdir()
    shutil.chown(mine, third)
    check("only root" in refused("almanac-admin", "init", mine / "cell", "--user", owner, user=third), "nobody gives away what is nobody's to give")
    works("almanac-admin", "init", cell, "--user", owner)
    belongs_to_owner()


def agents_folder_is_roots_and_goes_nowhere_else():
    """The owner of the cell can't make root write elsewhere."""
    victim = work / "victim"
    victim.mkdir()
    agents = cell / "agents"
    (agents / "n9").symlink_to(victim)
    check("exists already" in refused("almanac-admin", "add-host", cell, "n9"), "a name that leads elsewhere is not followed")
    (agents / "n9").unlink()
    agents.rename(cell / "kept")
    agents.symlink_to(victim)
    refused("almanac-admin", "add-host", cell, "n8")
    agents.unlink()
    (cell / "kept").rename(agents)
    check(not any(victim.iterdir()), "nothing was written there")


def what_the_owner_wrote_is_not_believed():
    """Root reads the owner's files, and hands nothing of them on."""
    port, authority = cell / "run" / "port", cell / "ca" / "ca.pem"
    kept = port.read_text()
    entry = pwd.getpwnam(owner)

    def add_host_refuses(why):
        text = refused("almanac-admin", "add-host", cell, "n7")
        check(why in text and "root:" not in text and not (cell / "agents" / "n7").exists(), text)

    port.unlink()
    port.symlink_to("/etc/shadow")
    add_host_refuses("run/port holds no port")
    port.unlink()
    os.mkfifo(port)
    add_host_refuses("it is not a plain file")
    port.unlink()
    for odd in (f'{kept.strip()}"\nspool = "/opt/elsewhere', "0", "65536", "-1", ""):
        port.write_text(odd)
        add_host_refuses("run/port holds no port")
    port.write_text(kept)
    os.chown(port, entry.pw_uid, entry.pw_gid)
    certificate = authority.read_text()
    authority.write_text(certificate + "SECRET\n")
    works("almanac-admin", "renew", cell, "n1")
    check((cell / "agents" / "n1" / "ca.pem").read_text() == certificate, "of the file the certificate alone is copied")
    authority.write_text(certificate)
    odd = cell / "agents" / "x\x1b]0;x\x07"
    odd.mkdir()
    check("\x1b" not in works("almanac-admin", "certificates", cell), "what is no host is not listed")
    odd.rmdir()


def certificates_are_renewed():
    files = [cell / "ca" / "ca.pem", cell / "ca" / "master.pem", cell / "agents" / "n1" / "tls.pem"]
    before = [file.read_bytes() for file in files]
    listed = works("almanac-admin", "certificates", cell).splitlines()
    check([line.split(" until ")[0].split() for line in listed] == [["authority"], ["master"], ["agent", "n1"]], listed)
    works("almanac-admin", "renew", cell)
    works("almanac-admin", "renew", cell, "n1")
    check(all(file.read_bytes() != old for file, old in zip(files, before)), "all three are new")
    check((cell / "agents" / "n1" / "ca.pem").read_bytes() == files[0].read_bytes(), "the agent's folder has the authority's, too")
    check("not a folder of root" in refused("almanac-admin", "renew", cell, "n7"), "a host that is not there")
    belongs_to_owner()
    # Old and new go together: the agent is restarted with its new one, then with that of before and the old authority's.
    master = start("almanac-master", cell)
    for content in (None, before):
        if content:
            files[2].write_bytes(content[2])
            (cell / "agents" / "n1" / "ca.pem").write_bytes(content[0])
        agent = start("almanac-agent", cell / "agents" / "n1")
        wait(n1_is_up, "the agent registers")
        stop(agent)
        wait(lambda: not n1_is_up(), "it is away")
    stop(master)


def n1_is_up():
    return any(line.startswith("all.q@n1 ") and "-NA-" not in line for line in run("qstat", "-f")[1].splitlines())


def jobs_run():
    # Whose keys these are.
    works("qsub", "-b", "y", "-N", "keys", "-o", "/dev/null", "-j", "y", "true", user=owner)
    wait(lambda: "is the user of the agent on n1 itself" in run("qstat", "-j", "keys")[1], "the agent runs nothing as its own user")
    works("qdel", "keys", user=owner)
    works("qrsub", "-N", "course", "-pe", "mpi", "2", "-d", "0:10:0", "-u", third)
    out = work / "out"
    out.touch()
    out.chmod(0o666)
    works("qsub", "-ar", "1", "-pe", "mpi", "2", "-b", "y", "-N", "who", "-o", out, "-j", "y", "id", "-un", user=third)
    wait(lambda: out.read_text() == third + "\n", "a user's job runs as the user")
    wait(lambda: run("qacct", "-j", "who")[0] == 0, "it is accounted")


def main():
    init_makes_it_the_owners()
    entry = pwd.getpwnam(third)
    said = refuses_to_start(third, entry.pw_gid, cell)
    check(f"belongs to uid {pwd.getpwnam(owner).pw_uid}" in said and f"runs as uid {entry.pw_uid}" in said, said)

    master = start("almanac-master", cell, umask=0)
    has_given_up_root(master)
    check("runs as root" not in (cell / "log" / "master.log").read_text(), "nothing is warned of")
    ignore_load(cell)
    works("almanac-admin", "add-host", cell, "n1", "--slots", 2)
    agent_folder = cell / "agents" / "n1"
    check(all(path.lstat().st_uid == 0 for path in [agent_folder, *agent_folder.rglob("*")]), "an agent's folder is root's")
    check(f'user = "{owner}"' in (agent_folder / "settings.toml").read_text(), "the agent knows whom its network half may run as")
    agents_folder_is_roots_and_goes_nowhere_else()
    agent = start("almanac-agent", agent_folder)
    wait(n1_is_up, "the agent registers")
    jobs_run()
    belongs_to_owner()
    what_the_owner_wrote_is_not_believed()

    # Root started it, root starts it again.
    master.kill()
    master.wait()
    master = start("almanac-master", cell)
    has_given_up_root(master)
    check("course" in works("qrstat"), "everything is there again")
    wait(n1_is_up, "the agent is back")
    works("almanac-admin", "at", cell, "@2000000000")
    works("almanac-admin", "replay", cell)
    belongs_to_owner()
    stop(agent)
    stop(master)

    # So does the owner.
    master = spawn(bin / "almanac-master", "--dir", cell, user=owner, group=pwd.getpwnam(owner).pw_gid, extra_groups=[])
    wait(lambda: (cell / "run" / "ready").exists(), "the owner starts it")
    held = [works("qsub", "-terse", "-h", "-b", "y", "true", user=third).strip() for _ in range(20)]
    works("almanac-admin", "add-host", cell, "n2", user=owner)
    check((cell / "agents" / "n2").stat().st_uid == pwd.getpwnam(owner).pw_uid, "the owner is a manager and may add hosts")
    shutil.rmtree(cell / "agents" / "n2")
    modes()
    master.kill()
    master.wait()

    # Root's repairs leave nothing that the owner can't use, and show nobody what is in the store.
    log = max((cell / "store").glob("*.log"), key=lambda path: int(path.stem))
    content = bytearray(log.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 40] = b"\xff" * 40
    log.write_bytes(content)
    check("is as it was" in works("almanac-admin", "recover", cell), "the damage is left out")
    works("almanac-admin", "replay", cell)
    check("removed job" in works("almanac-admin", "remove-record", cell, "job", held[0]), "the record is gone")
    belongs_to_owner()
    modes()

    certificates_are_renewed()

    # A port below 1024 is opened with the one right that is kept for it.
    settings = cell / "settings.toml"
    settings.write_text(settings.read_text().replace("port = 0", "port = 987"))
    master = start("almanac-master", cell)
    has_given_up_root(master, 1 << 10)
    check((cell / "run" / "port").read_text() == "987\n", "the port is the one of the settings")
    stop(master)
    belongs_to_owner()

    # In root's own cell it runs as root, and says so once.
    roots = work / "roots"
    check(daemons.run("almanac-admin", "init", roots, folder=roots)[0] == 0, "init")
    master = start("almanac-master", roots)
    check(rights_of(master)["Uid"] == ["0"] * 4, "root's cell has root's master")
    check((roots / "log" / "master.log").read_text().count("runs as root") == 1, "one line warns")
    stop(master)
    check("belongs to uid 0" in refuses_to_start(third, entry.pw_gid, roots), "a user can't start root's master")
    print("a cell is its owner's")


if os.geteuid() != 0 or not all(any(user == entry.pw_name for entry in pwd.getpwall()) for user in (owner, third)):
    print("needs root and the users of scripts/test")
    sys.exit(77)
play(main)
