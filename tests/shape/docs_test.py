#!/usr/bin/env python3
"""docs/pictures.md, docs/store.md and docs/door.md name what is in the code, and nothing else."""
import pathlib, re, sys

from picture import Picture

root = pathlib.Path(__file__).resolve().parents[2]
complaints = []


def read(path):
    return (root / path).read_text()


def of_folder(folder):
    return "\n".join(p.read_text() for p in sorted((root / folder).rglob("*.hpp")))


def one(pattern, text, what):
    found = re.search(pattern, text, re.S)
    if not found:
        sys.exit(f"{what} is not where this test looks for it: mend the test")
    return found[1]


def differences(where, named, there):
    complaints.extend(f"{where} names {name}, which the code does not have" for name in sorted(named - there))
    complaints.extend(f"{where} does not name {name}" for name in sorted(there - named))


def enumerators(name, text):
    return re.findall(r"(\w+)\s*(?:,|$)", re.sub(r"//[^\n]*", "", one(rf"enum class {name}\b[^{{]*\{{([^}}]*)\}}", text, f"enum {name}")))


def alternatives(name, text):
    return {word.split("::")[-1] for word in re.findall(r"[\w:]+", one(rf"using {name} =\s*std::variant<([^;]*)>;", text, f"variant {name}"))}


def pictures(path, heading):
    """The indented blocks below each comment <!-- heading -->."""
    return re.findall(rf"<!-- {heading} -->\n\n((?:(?: {{4}}.*)?\n)+)", read(path))


def drawn(path, heading, names):
    found = pictures(path, heading)
    if not found:
        complaints.append(f"{path} has no picture <!-- {heading} -->")
    arrows, nodes = [], set()
    for text in found:
        try:
            picture = Picture(text, names)
            arrows += picture.arrows()
            nodes |= picture.nodes
        except ValueError as problem:
            complaints.append(f"{path}, {heading}: {problem}")
    return arrows, nodes


def is_outside(node):
    return node.startswith("(")


# ---- actors ----------------------------------------------------------------------------------------------------------------------------

interfaces = re.sub(r"//[^\n]*", "", read("actors/interfaces.hpp"))
inspect_part = one(r"using InspectPart = ([^;]*);", interfaces, "InspectPart")
accepted, answered = {}, {}
for name, body in re.findall(r"using (\w+)Actor =\s*caf::typed_actor<(.*?)>;", interfaces, re.S):
    actor = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    body = body.replace("InspectPart", inspect_part)
    accepted[actor] = set(re.findall(r"(?:reacts_to|replies_to)<(\w+)", body))
    answered[actor] = set(re.findall(r"with<([\w:]+)", body))

arrows, nodes = drawn("docs/pictures.md", "actors", accepted)
differences("docs/pictures.md, actors,", {n for n in nodes if not is_outside(n)}, set(accepted))
for tail, label, head in arrows:
    if label == "=" or is_outside(head) or label in accepted[head] or label in answered.get(tail, ()):
        continue
    complaints.append(f"docs/pictures.md: {tail} sends {label or 'something without a name'} to {head}, which does not understand it")

# ---- states ----------------------------------------------------------------------------------------------------------------------------


def machine(folder, what, states, header):
    """Compares the picture of the states of such a thing with its table, which has all states and events."""
    source = read(f"core/{folder}/{what}_machine.cpp")
    table = {(a, event, "(gone)" if b == "gone" else b) for a, event, b in re.findall(r"\{(\w+), (\w+), (\w+)\}", source)}
    names = set(enumerators(states, read(f"core/{folder}/{header}")))
    events = set(enumerators(f"{what.capitalize()}Event", read(f"core/{folder}/{what}_machine.hpp")))
    arrows, nodes = drawn("docs/pictures.md", f"{what} states", names)
    differences(f"docs/pictures.md, {what} states,", set(arrows), table)
    differences(f"docs/pictures.md, {what} states,", {n for n in nodes if not is_outside(n)}, names)
    differences(f"docs/pictures.md, events of a {what},", {event for _, event, _ in arrows}, events)


machine("job", "task", "TaskState", "task.hpp")
machine("reservation", "reservation", "ReservationPhase", "reservation.hpp")

# ---- store and doors -------------------------------------------------------------------------------------------------------------------


def table_of(path, first):
    """The first column of the table whose first column is called so."""
    rows = one(rf"\n\| {first} \|[^\n]*\n\| ---[^\n]*\n((?:\|[^\n]*\n)+)", read(path), f"the table of each {first} in {path}")
    return set(re.findall(r"^\| `(\w+)`", rows, re.M))


schema = of_folder("schema")
families = set(re.findall(r"^FAMILY\((\w+),", read("schema/store/families.def"), re.M))
families |= set(re.findall(r"^KIND\(\w+, (\w+),", read("core/records/kinds.def"), re.M))
differences("docs/store.md, families,", table_of("docs/store.md", "family"), families)
differences("docs/door.md, requests,", table_of("docs/door.md", "request"), alternatives("RequestBody", schema))
differences("docs/door.md, replies,", table_of("docs/door.md", "reply"), alternatives("ReplyBody", schema))
differences("docs/door.md, messages of sessions,", table_of("docs/door.md", "message"), alternatives("Message", schema))

for path in ("docs/store.md", "docs/door.md"):
    for name in table_of(path, "fact"):
        said = int(one(rf"\| `{name}` \| (\d+)", read(path), f"{name} in {path}"))
        value, _, shift = one(rf"inline constexpr std::(?:int64_t|size_t) {name} = ([\d\s<]+);", schema, name).partition("<<")
        meant = int(value) << int(shift or 0)
        if said != meant:
            complaints.append(f"{path} says {name} {said}, the code {meant}")
    for name in set(re.findall(r"`((?:actors|core|master|schema|tests|tools)/[\w./]+)`", read(path))):
        if not any(root.glob(name)) and not any(root.glob(name + ".*")):
            complaints.append(f"{path} names {name}, which is not there")

# Nothing else changes the state of a task or a reservation.
for source in (root / "core").rglob("*.[ch]pp"):
    for changed in re.findall(r"(?:\.|->)(?:state|phase) = (Task|Reservation)(?:State|Phase)::", source.read_text()):
        complaints.append(f"{source.relative_to(root)} changes the state of a {changed.lower()}: rules::change_state() does that")

print("\n".join(map(str, complaints)) or f"documents and code agree")
sys.exit(1 if complaints else 0)
