#!/usr/bin/env python3
"""Every option of every command is used by a scenario (tests/scenarios) or by a test on real processes; see option_tables.py for where they come from.

    options_test.py            as a test: what open_options.txt does not list is used, its effect is looked at, its bad values are refused; the list only gets shorter
    options_test.py --list     prints what is open
    options_test.py --rewrite  writes open_options.txt: after options got their scenarios

Three lists for each command:

unused    no scenario and no process test has the option (in a command line, a request file or a #$ line)
unseen    no scenario looks at its effect: at what the command answers where it works; with qsub, qalter, qresub, qrsub and qralter, which
          answer the same whatever was asked for, at what another command shows in the same paragraph
trusting  it takes a value, and no scenario has a bad one: the command fails there, with the option, its value or nothing but that option in its answer
"""
import pathlib, re, shlex, sys

from option_tables import options_of_commands, root

known = root / "tests" / "shape" / "open_options.txt"
reads_as = {"qrls": "qhold", "qresub": "qalter"}  # the same function reads them, and refuses what the other one refuses
answers_alike = {"qsub", "qalter", "qresub", "qrsub", "qralter"}
accepted = re.compile(r"Your job|Your advance reservation|\(nothing\)|\.\.\.|modified |has been|\*$")
takes_arguments = {"qsub", "qrsh"}  # what follows the first operand is not theirs
tables = options_of_commands()


# Any word is a value of these, or a file or a job has to be looked at first.
takes_anything = {
    "qsub": "-C -e -i -o -wd",
    "qalter": "-e -i -o -wd -hold_jid",
    "qacct": "-A -D -P -g -h -o -pe -q -f -u",
    "qstat": "-F",
    "qhost": "-F -h",
}


class Typed:
    """A command line of a scenario, what it prints there, and its exit code."""

    def __init__(self, words, line):
        self.command, self.line, self.printed, self.code = words[0], line, [], 0
        self.given = {}
        table, at = tables[self.command], 1
        while at < len(words):
            option = table.get(words[at])
            if option is None:
                if not words[at].startswith("-") and self.command in takes_arguments:
                    break
                at += 1
                continue
            name, count = words[at], abs(option.values)
            if option.values < 0 and at + count < len(words) and words[at + count].startswith("-") or at + count >= len(words):
                count = max(0, count - 1) if option.values < 0 else count
            self.given.setdefault(name, []).extend(words[at + 1 : at + 1 + count])
            at += 1 + count

    def works(self):
        return self.code == 0 or self.command == "qrsub" and self.code == 2  # an offer (-offer)

    def says_something(self):
        return any(line not in ("...", "(nothing)") for line in self.printed) or self.printed == ["(nothing)"]

    def refuses(self, name):
        """Whether it is this option that is refused here."""
        if self.code == 0 or not self.says_something():
            return False
        text = "\n".join(self.printed)
        values = [part for value in self.given[name] for part in [value, *re.split(r"[=,/@ ]", value)] if len(part) > 1 or part and not part.isalnum()]
        return len(self.given) == 1 or re.search(rf"(?<![\w-]){re.escape(name)}(?!\w)", text) or any(value in text for value in values)


def words_of(line):
    try:
        words = shlex.split(line)
    except ValueError:
        words = line.split()
    if words[:2] == ["sh", "-c"] and len(words) == 3:
        parts = [words_of(part) for part in re.split(r"[;&|<>]+", words[2])]
        return next((part for part in parts if part and part[0] in tables), words)
    while words and re.match(r"\w+=", words[0]):
        words.pop(0)
    return words


def paragraphs(path):
    """What is typed in a scenario, by paragraph; and the words of its files, which may be scripts or request files."""
    typed, files, in_file, now = [[]], [], False, None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if in_file:
            in_file = line != "end file"
            files.append(line)
        elif line.startswith("file "):
            in_file = True
        elif found := re.match(r"(?:eventually \S+ )?\$ (.*)", line):
            words, now = words_of(found[1]), None
            if words and words[0] in tables:
                now = Typed(words, f"{path.name}:{number}")
                typed[-1].append(now)
            elif words:
                now = Typed.__new__(Typed)
                now.command, now.line, now.printed, now.code, now.given = words[0], "", [], 0, {}
                typed[-1].append(now)
        elif found := re.match(r"-> (\d+)", line):
            if now:
                now.code = int(found[1])
        elif not line.strip() or line.startswith("#"):
            now = None
            if not line.strip() or line.startswith("##"):
                typed.append([])
        elif now:
            now.printed.append(line)
    return [part for part in typed if part], files


def seen_in(paragraph, at):
    """Whether the effect of a line that works is looked at: see above."""
    typed = paragraph[at]
    if not typed.works() or not typed.says_something():
        return typed.works() and typed.command in answers_alike and shown_later(paragraph, at)
    if typed.command not in answers_alike:
        return True
    return any(not accepted.match(line) for line in typed.printed) or shown_later(paragraph, at)


def shown_later(paragraph, at):
    return any(later.command not in answers_alike and later.says_something() for later in paragraph[at + 1 :])


def used_in_process_tests():
    """{command: names}, by the text of programs: every option behind the name of a command in the same line or call."""
    used = {}
    for folder in ("cluster", "security", "process", "contracts", "completion"):
        for path in (root / "tests" / folder).glob("*"):
            if path.suffix not in (".py", ".cpp", ".sh"):
                continue
            for command, rest in re.findall(r'(?<![\w-])(q[a-z]+)(?![\w-])([^\n;]*)', path.read_text()):
                if command in tables:
                    used.setdefault(command, set()).update(re.findall(r'(?<![\w-])-{1,2}[@A-Za-z]\w*', rest))
    return used


def open_options():
    used, seen, refused = used_in_process_tests(), {}, {}
    for path in sorted((root / "tests" / "scenarios").glob("*.txt")):
        parts, files = paragraphs(path)
        for line in files:
            words = words_of(line[2:]) if line.startswith("#$") else words_of(line) if line.startswith("-") else []
            for command in ("qsub", "qrsub"):
                used.setdefault(command, set()).update(word for word in words if word in tables[command])
        for part in parts:
            for at, typed in enumerate(part):
                for name in typed.given:
                    used.setdefault(typed.command, set()).add(name)
                    if seen_in(part, at):
                        seen.setdefault(typed.command, set()).add(name)
                    if typed.refuses(name):
                        refused.setdefault(typed.command, set()).add(name)
    result = {}
    for command, table in tables.items():
        for name, option in table.items():
            if name not in used.get(command, ()):
                result.setdefault(f"{command} unused", []).append(name)
            elif not option.built:
                if name not in refused.get(command, ()):
                    result.setdefault(f"{command} unseen", []).append(name)
            else:
                if name not in seen.get(command, ()):
                    result.setdefault(f"{command} unseen", []).append(name)
                if option.values != 0 and name not in takes_anything.get(reads_as.get(command, command), "").split() and name not in refused.get(command, set()) | refused.get(reads_as.get(command), set()):
                    result.setdefault(f"{command} trusting", []).append(name)
    return {kind: sorted(names) for kind, names in result.items()}


def usage_differs():
    """The usage of a command, where it is a text of its own, names what its table has."""
    wrong = []
    for command, table in tables.items():
        path = root / "tools" / "commands" / f"{command}.cpp"
        usage = re.search(r'usage = (?:"[^"]*"\s*\w*\s*)?R"\((.*?)\)"', path.read_text(), re.S) if path.exists() else None
        if not usage:
            continue
        named = set(re.findall(r"^   (-[\w@-]+)", usage[1], re.M))
        built = {name for name, option in table.items() if option.built}
        wrong += [f"{command} -help names {name}, which its table does not have" for name in sorted(named - set(table))]
        wrong += [f"{command} -help does not name {name}" for name in sorted(built - named)]
    return wrong


def trial():
    """The test can fail: what it reads in command lines."""
    typed = Typed(words_of("qsub -N a -l 'x=1,y=2' -h run -t 1"), "")
    assert typed.given == {"-N": ["a"], "-l": ["x=1,y=2"], "-h": []}, typed.given
    typed = Typed(words_of("qstat -j -u '*'"), "")
    assert typed.given == {"-j": [], "-u": ["*"]}, typed.given
    typed.code, typed.printed = 1, ["qstat: option -u: no user is named"]
    assert typed.refuses("-u") and not typed.refuses("-j")


trial()
found = open_options()
if "--list" in sys.argv:
    for kind, names in found.items():
        print(f"{kind}: {' '.join(names)}")
    sys.exit(0)
if "--rewrite" in sys.argv:
    known.write_text("".join(f"{kind}: {' '.join(names)}\n" for kind, names in found.items()))
    sys.exit(0)
allowed = {kind: set(names.split()) for kind, _, names in (line.partition(": ") for line in known.read_text().splitlines())}
problems = usage_differs()
for kind in sorted(set(found) | set(allowed)):
    now, before = set(found.get(kind, ())), allowed.get(kind, set())
    # What was not used and is now is one step further, not one back.
    command, _, what = kind.partition(" ")
    new = now - before - (allowed.get(f"{command} unused", set()) if what != "unused" else set())
    problems += [f"{command} {name}: {what}: it needs a scenario (tests/shape/options_test.py says which)" for name in sorted(new)]
    if now != before and not new:
        problems.append(f"{kind}: {' '.join(sorted(before ^ now))} are not what they were: options_test.py --rewrite keeps it so")
print("\n".join(problems) if problems else f"{sum(len(table) for table in tables.values())} options, {sum(map(len, found.values()))} places where one is not proved, none more than before")
sys.exit(bool(problems))
