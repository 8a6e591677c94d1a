"""conf/uninstall.in takes away what was installed and nothing else, and asks first."""
import os
import pathlib
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "conf/uninstall.in"


def installation(folder):
    """A prefix with two programs, a file of somebody else, and a cell beside it."""
    prefix = pathlib.Path(folder) / "usr"
    for name in ("bin/qstat", "bin/almanac-master", "bin/theirs", "share/almanac/schemas/qstat.xsd"):
        (prefix / name).parent.mkdir(parents=True, exist_ok=True)
        (prefix / name).write_text(name)
    outside = pathlib.Path(folder) / "outside"
    outside.write_text("outside")
    listed = [prefix / "bin/qstat", prefix / "bin/almanac-master", prefix / "share/almanac/schemas/qstat.xsd", outside]
    (prefix / "share/almanac/installed").write_text("".join(f"{name}\n" for name in listed))
    script = prefix / "share/almanac/uninstall"
    script.write_text(SOURCE.read_text().replace("@CMAKE_INSTALL_PREFIX@", str(prefix)))
    script.chmod(0o755)
    cell = pathlib.Path(folder) / "cell"
    (cell / "store").mkdir(parents=True)
    (cell / "settings.toml").write_text("")
    return prefix, cell


def run(prefix, *words):
    return subprocess.run([prefix / "share/almanac/uninstall", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)


def names(folder):
    return sorted(str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*"))


def check_nothing_changes(said, *words):
    with tempfile.TemporaryDirectory() as folder:
        prefix, _ = installation(folder)
        before = names(folder)
        done = run(prefix, *words)
        assert done.returncode == 1 and said in done.stderr, done
        assert names(folder) == before, done


check_nothing_changes("nobody can be asked")
check_nothing_changes("--cell needs a folder", "--cell")
check_nothing_changes("not the folder of a cell", "--yes", "--cell", "/tmp")
check_nothing_changes("uninstall [--yes]", "--wrong")

with tempfile.TemporaryDirectory() as folder:
    prefix, cell = installation(folder)
    done = run(prefix, "--yes")
    assert done.returncode == 0 and "These stay: the folders of cells" in done.stdout, done
    left = [name for name in names(folder) if os.path.isfile(pathlib.Path(folder) / name)]
    assert left == ["cell/settings.toml", "outside", "usr/bin/theirs"], left
    assert not (prefix / "share/almanac").exists()

with tempfile.TemporaryDirectory() as folder:
    prefix, cell = installation(folder)
    done = run(prefix, "--yes", "--cell", str(cell))
    assert done.returncode == 0 and str(cell) in done.stdout and not cell.exists(), done

# A daemon that runs keeps all of it.
with tempfile.TemporaryDirectory() as folder:
    prefix, _ = installation(folder)
    daemon = prefix / "bin/almanac-master"
    daemon.write_bytes(pathlib.Path("/bin/sleep").read_bytes())
    daemon.chmod(0o755)
    process = subprocess.Popen([daemon, "60"])
    try:
        done = run(prefix, "--yes")
        assert done.returncode == 1 and f"  {process.pid} " in done.stderr, done
        assert daemon.exists()
    finally:
        process.kill()
        process.wait()
print("what was installed goes, and nothing else")
