"""The options of each command, as the tables in the code have them, and as its usage names them: {"qsub": {"-N": Option}}."""
import dataclasses, pathlib, re

root = pathlib.Path(__file__).resolve().parents[2]


@dataclasses.dataclass
class Option:
    values: int  # how many follow; below zero if the last of them may be missing
    built: bool = True  # False: refused by name, with the text for such options


def text_of(path):
    return re.sub(r"^\s*//[^\n]*", "", (root / path).read_text(), flags=re.M)


def one(pattern, text, what):
    found = re.search(pattern, text, re.S)
    if not found:
        raise SystemExit(f"{what} is not where this test looks for it: mend tests/shape/option_tables.py")
    return found[1]


def count_of(words):
    """core/request/options.hpp, count_values(): a word for each value."""
    found = words.split()
    return -len(found) if found and found[-1].startswith("[") else len(found)


def rows_of(paths):
    """Rows of a table of qsub or qrsub: {name: text of the row}."""
    rows = {}
    for path in paths:
        for row in re.split(r"(?=\{\.name = )", text_of(path))[1:]:
            rows[re.search(r'\.name = "([^"]*)"', row)[1]] = row
    return rows


def of_rows(rows):
    return {name: Option(count_of(one(r'\.values = "([^"]*)"', row, f"values of {name}"))) for name, row in rows.items() if " " not in name}


def of_rules(text):
    """{"-x", 1}, {"-y", 0, false}"""
    return {name: Option(int(values), not refused) for name, values, refused in re.findall(r'\{"(-[\w@-]+)",\s*(-?\d)\s*(,\s*false)?\}', text)}


def rules_in(name):
    return of_rules(text_of(f"tools/commands/{name}.cpp"))


def submission():
    rows = rows_of(sorted(str(path.relative_to(root)) for path in (root / "core/request").glob("submit_rows_*.cpp")))
    not_built = of_rules(text_of("core/request/submit_table.cpp"))
    of_qalter = {name: row for name, row in rows.items() if ".alter = never_altered" not in row}
    qalter = of_rows(of_qalter) | not_built | of_rules(one(r"alter_option_rules\(\) \{(.*?)\n\}", text_of("core/request/submit_options.cpp"), "qalter's own options"))
    return of_rows(rows) | not_built, qalter


def of_qconf():
    text = text_of("tools/commands/qconf.cpp")
    options = {name: Option(int(values)) for name, values in re.findall(r'\{"(-\w+)",\s*Form::\w+,\s*ObjectKind::\w+,\s*(-?\d)', text)}
    for path in sorted((root / "tools/commands").glob("qconf_*.cpp")):
        verbs = re.findall(r'\{"(-\w+)",\s*(-?\d),\s*"(\w*)', text_of(path.relative_to(root)))
        options |= {name: Option(int(values), help != "refused") for name, values, help in verbs}
    refused = one(r"for \(const char\* other :\s*\{(.*?)\}\)", text, "what qconf refuses by name")
    return options | {name: Option(0, False) for name in re.findall(r'"(-\w+)"', refused)} | of_rules(text)


def of_qralter():
    alterations = re.findall(r'\.name = "(-[^"]*)"', text_of("core/request/reserve_alterations.cpp"))
    rows = of_rows(rows_of(["core/request/reserve_table.cpp"]))
    return {name: option for name, option in rows.items() if name in alterations} | {"-rest": Option(0), "-help": Option(0)}


def words_in(row, column):
    return "".join(re.findall(r'"([^"]*)"', one(rf'\.{column} = ((?:"[^"]*"\s*)+)', row, f"{column} of a row of plus_table.cpp")))


def of_plus():
    """A row of core/request/plus_table.cpp is an option of several commands; one that is always refused says so."""
    tables = {}
    for row in re.split(r"(?=\{\.name = )", text_of("core/request/plus_table.cpp"))[1:]:
        option = Option(count_of(words_in(row, "values")), ": refused" not in words_in(row, "help"))
        for command in words_in(row, "of").split():
            tables.setdefault(f"plus_{command}", {})[words_in(row, "name")] = option
    return tables


def options_of_commands():
    qsub, qalter = submission()
    of_instances = rules_in("instance_options")
    holds = rules_in("qhold")
    qmod = {name: Option(1) for name in re.findall(r'\{"(-\w+)",\s*(?:queues|jobs|either)<', text_of("tools/commands/qmod.cpp"))}
    qmod |= {name: Option(0) for name in re.findall(r'argument == "(-\w+)"', text_of("tools/commands/qmod.cpp"))}
    return {
        "qsub": qsub,
        "qalter": qalter,
        "qresub": {name: option for name, option in qalter.items() if name != "-t"},
        "qrsub": of_rows(rows_of(["core/request/reserve_table.cpp"])),
        "qralter": of_qralter(),
        "qhold": holds,
        "qrls": holds,
        "qmod": qmod,
        "qrsh": rules_in("qrsh") | rules_in("interactive_job"),  # the others are qsub's, which the same function reads
        "qconf": of_qconf(),
        "qselect": of_instances | rules_in("qselect") | {"-help": Option(0)},
        "qstat": of_instances | rules_in("qstat"),
    } | {name: rules_in(name) for name in ("qacct", "qdel", "qhost", "qquota", "qrdel", "qrstat")} | of_plus()
