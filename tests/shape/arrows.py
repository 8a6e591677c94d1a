"""Which rooms of core/ a source may include, apart from the order of the rooms."""

# What tools show and ask for: no rules, no records.
tool_rooms = set("base text answer utilization configuration job reservation request".split())
# The list of what must always hold is shown, too.
tool_files = {"core/monitor/invariants.hpp"}
# Those run the real thing: they see all of it.
see_all = ("tools/admin.cpp", "tools/host_admin.cpp", "tools/host_admin.hpp", "tools/simulator/")


def tool_complaint(path, included):
    """What is wrong with a source of tools/ that includes this; "" if nothing is."""
    parts = included.split("/")
    if parts[0] != "core" or path.startswith(see_all) or included in tool_files or parts[1] in tool_rooms:
        return ""
    return f"{path} includes {included}: tools see of core/ only {' '.join(sorted(tool_rooms))}"
