#!/usr/bin/env python3
"""The rule on what tools see of core/ can fail, and only where it should."""
from arrows import tool_complaint

for folder in "client commands console output".split():
    for included in ("core/planning/planner.hpp", "core/matching/demand.hpp", "core/records/records.hpp", "core/monitor/monitor.hpp", "core/host/host.hpp"):
        assert included in tool_complaint(f"tools/{folder}/x.cpp", included), (folder, included)
    for included in ("core/text/words.hpp", "core/request/command.hpp", "core/monitor/invariants.hpp", "schema/door/views.hpp", "tools/output/escape.hpp"):
        assert not tool_complaint(f"tools/{folder}/x.cpp", included), (folder, included)
assert tool_complaint("tools/main.cpp", "core/planning/planner.hpp")
for path in ("tools/admin.cpp", "tools/host_admin.cpp", "tools/simulator/main.cpp"):
    assert not tool_complaint(path, "core/planning/planner.hpp"), path
print("the arrow of tools points where it should")
