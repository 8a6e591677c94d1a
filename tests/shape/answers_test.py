#!/usr/bin/env python3
"""A decision contains no sentence: the rules of core/ say codes with details, and core/answer has the words."""
import pathlib, re, sys

root = pathlib.Path(__file__).resolve().parents[2]
deciding = ("matching", "planning")
most_words = 3
# What the rooms of core/ see of core/answer, and who sees more: those who hand out whole answers, and the two who put something into words.
seen = {"core/answer/statement.hpp", "core/answer/code.hpp"}
exceptions = {
    "core/policy/standing.hpp": {"core/answer/answer.hpp"},
    "core/planning/decisions.hpp": {"core/answer/answer.hpp"},
    "core/planning/valid_input.hpp": {"core/answer/answer.hpp"},
    "core/planning/questions/answering.hpp": {"core/answer/answer.hpp"},
    "core/planning/texts.cpp": {"core/answer/gridengine.hpp"},
    "core/admission/audit_line.hpp": {"core/answer/answer.hpp"},
    "core/admission/audit_line.cpp": {"core/answer/gridengine.hpp"},
}
literal = r'"(?:[^"\\\n]|\\.)*"'
# Their numbers are those of earlier answers.
said_no_more = {"ckpt_not_built", "jobs_may_still_run", "no_holds_of_tasks", "operator_needed"}
# A broken promise of our own is told to who mends the program.
to_programmers = re.compile(rf"\b(?:check|static_assert|assert|Bug)\s*\($")


def without_comments(text):
    return re.sub(rf"({literal})|//[^\n]*", lambda m: m[1] or "", text)


def is_in_a_check(text, at):
    """Whether one of the brackets that are open there is that of a check."""
    depth = 0
    for i in range(at - 1, max(0, at - 2000), -1):
        if text[i] in ";{}" and depth == 0:
            return False
        if text[i] == ")":
            depth += 1
        elif text[i] == "(":
            if depth == 0 and to_programmers.search(text[: i + 1]):
                return True
            depth = max(0, depth - 1)
    return False


def sentences(text):
    text = without_comments(re.sub(r"^#include.*", "", text, flags=re.M))
    for found in re.finditer(rf"{literal}(?:\s*{literal})*", text):
        said = "".join(part[1:-1] for part in re.findall(literal, found[0]))
        if len(re.findall(r"[A-Za-z][\w'-]*", re.sub(r"\\.", " ", said))) > most_words and not is_in_a_check(text, found.start()):
            yield said


def trial():
    """The test can fail: what it looks for in a text."""
    assert list(sentences('f("one two three");')) == []
    assert list(sentences('f("one two " "three four"); // "and five more words"')) == ["one two three four"]
    assert list(sentences('check(is(a) && b, "text for those who mend it");')) == []
    assert list(sentences('check(a, "short"); f(g("one two three four"));')) == ["one two three four"]


def complaints_about_rooms():
    for path in sorted((root / "core").rglob("*.[ch]pp")):
        name, room = str(path.relative_to(root)), path.parent.relative_to(root / "core").parts[0]
        text = path.read_text()
        if room != "answer":
            for header in re.findall(r'^#include "(core/answer/[^"]+)"', text, re.M):
                if header not in seen | exceptions.get(name, set()):
                    yield f"{name} includes {header}: a decision contains no sentence"
        if room in deciding:
            for said in sentences(text):
                yield f'{name} says "{said}": that is a code with details, and its sentence stands in core/answer'
    for name, headers in exceptions.items():
        path = root / name
        for header in headers:
            if not path.is_file() or f'#include "{header}"' not in path.read_text():
                yield f"{name} does not include {header}: it is no exception any more"


def complaints_about_the_table():
    sources = [p for folder in ("core", "schema", "actors", "master", "tools") for p in (root / folder).rglob("*.[ch]pp") if p.parent.name != "answer"]
    everything = "\n".join(path.read_text() for path in sources)
    used = set(re.findall(r"AnswerCode::(\w+)", everything))
    given = set(re.findall(r'[{(]\s*"(\w+)"\s*,', everything))
    table = "".join(path.read_text() for path in sorted((root / "core/answer").glob("gridengine*.[ch]pp")))
    for code, said in re.findall(rf"\{{AnswerCode::(\w+),\s*((?:{literal}\s*)+)\}}", table):
        if code not in used and code not in said_no_more | {"said"}:
            yield f"nobody says {code}"
        for detail in re.findall(r"\{(\w+)", "".join(re.findall(literal, said))):
            if detail not in given and code != "said":
                yield f"{code} needs the detail {detail}, which nobody gives"


trial()
complaints = [*complaints_about_rooms(), *complaints_about_the_table()]
print("\n".join(complaints) or "no decision contains a sentence")
sys.exit(1 if complaints else 0)
