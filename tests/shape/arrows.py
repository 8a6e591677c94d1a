"""Which folders within a top folder know which, and which rooms of core/ tools may see."""

# The order within each folder that has folders: a part includes what stands before it, and itself. A part is a folder, "." for the files that lie beside
# the folders, or NAME.* for one of them that stands elsewhere than the others. Those of one entry do not know each other.
orders = {
    "core": "base text coallocation answer utilization configuration host job reservation execution mail request admission records monitor policy matching planning".split(),
    "core/configuration": ["objects", "."],
    "core/policy": ["classad", "."],
    "core/planning": [".", "commands facts pass", "questions", "planner.*", "price"],
    "schema": ["door session", ".", "store"],
    "actors": ["ports trust", ".", "session", "agent master", "process"],
    "agent": ["shepherd", "helper", "."],
    "tools": ["client output settings", "commands", "coallocate console gmeta_port simulator", "."],
    "tools/simulator": ["world", "replay", "chaos", "coallocation", "."],
}


def part_of(path, folder):
    """The part of the folder in which the path lies, and its place in the order of the folder; None for a place that the order lacks."""
    names = [(name, place) for place, line in enumerate(orders[folder]) for name in line.split()]
    first, _, rest = path.removeprefix(folder + "/").partition("/")
    wanted = (first,) if rest else (first.rpartition(".")[0] + ".*", ".")
    return next(((name, place) for one in wanted for name, place in names if name == one), (first, None))


# Folders that see less of core/ than their room does: a language of its own, which knows nothing of a scheduler.
narrow = {"core/policy/classad": ("core/base/", "core/text/", "core/policy/classad/")}


def order_complaints(path, included):
    """What is wrong with a source that includes this, in each folder in which both lie."""
    found = []
    for folder, seen in narrow.items():
        if path.startswith(folder + "/") and included.startswith("core/") and not included.startswith(seen):
            found.append(f"{path} includes {included}: {folder}/ knows only {' '.join(seen)}")
    for folder in orders:
        if not (path.startswith(folder + "/") and included.startswith(folder + "/")):
            continue
        (name, place), (other, other_place) = part_of(path, folder), part_of(included, folder)
        if place is None or other_place is None:
            found.append(f"{path} includes {included}: {other if other_place is None else name} is not in the order of {folder}/")
        elif name != other and place == other_place:
            found.append(f"{path} includes {included}: in {folder}/, {name} and {other} do not know each other")
        elif place < other_place:
            found.append(f"{path} includes {included}: in {folder}/, {name} comes before {other}")
    return found


def folder_complaints(folders):
    """Those folders, of all that have sources, which are not in the order of the folder that they lie in."""
    within = [folder.rpartition("/") for folder in sorted(folders) if "/" in folder]
    return [f"{above}/{name}/ is not in the order of {above}/" for above, _, name in within if name not in " ".join(orders.get(above, [])).split()]


# What tools show and ask for: no rules, no records.
tool_rooms = set("base text coallocation answer utilization configuration job reservation request".split())
# The list of what must always hold is shown, too, and the client is one end of a stream, which counts as the agent's end does.
tool_files = {"core/monitor/invariants.hpp", "core/execution/stream_window.hpp"}
# The port has strangers at its door, as the master has.
door_rooms = {"admission"}
# Those run the real thing: they see all of it.
see_all = ("tools/admin.cpp", "tools/host_admin.cpp", "tools/host_admin.hpp", "tools/simulator/")


def tool_complaint(path, included):
    """What is wrong with a source of tools/ that includes this; "" if nothing is."""
    parts = included.split("/")
    if path.startswith("tools/gmeta_port/") and parts[0] == "core" and parts[1] in door_rooms:
        return ""
    if parts[0] != "core" or path.startswith(see_all) or included in tool_files or parts[1] in tool_rooms:
        return ""
    return f"{path} includes {included}: tools see of core/ only {' '.join(sorted(tool_rooms))}"
