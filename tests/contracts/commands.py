"""What a client types, and what comes of it: standard output and standard error by themselves, as clients read them."""
import dataclasses, os, pathlib, subprocess


class NotHere(Exception):
    """What is needed to try it is not on this machine."""


def check(holds, what):
    if not holds:
        raise AssertionError(what)


@dataclasses.dataclass
class Done:
    words: tuple
    code: int
    out: str
    err: str

    def works(self):
        check(self.code == 0, f"{' '.join(self.words)}: exit {self.code}, {self.out}{self.err}")
        return self.out

    def lines(self):
        return self.works().splitlines()


class Commands:
    """The commands of a folder, or those that PATH finds; `extra` is added to the environment."""

    def __init__(self, folder=None, extra=None):
        self.folder = pathlib.Path(folder) if folder else None
        self.env = {**os.environ, **(extra or {})}
        if self.folder:
            self.env["PATH"] = f"{self.folder}:{self.env.get('PATH', '')}"

    def run(self, *words, text=None, cwd="/tmp", extra=None, user=None):
        words = tuple(map(str, words))
        program = str(self.folder / words[0]) if self.folder else words[0]
        done = subprocess.run([program, *words[1:]], env={**self.env, **(extra or {})}, input=text, stdin=None if text else subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120, cwd=cwd, user=user)
        return Done(words, done.returncode, done.stdout, done.stderr)

    def works(self, *words, **more):
        return self.run(*words, **more).works()
