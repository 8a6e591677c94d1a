#!/usr/bin/env python3
"""The rules on who knows whom can fail, and only where they should."""
from arrows import folder_complaints, order_complaints, orders, tool_complaint

for folder in "client commands console output".split():
    for included in ("core/planning/planner.hpp", "core/matching/demand.hpp", "core/records/records.hpp", "core/monitor/monitor.hpp", "core/host/host.hpp"):
        assert included in tool_complaint(f"tools/{folder}/x.cpp", included), (folder, included)
    for included in ("core/text/words.hpp", "core/request/command.hpp", "core/monitor/invariants.hpp", "schema/door/views.hpp", "tools/output/escape.hpp"):
        assert not tool_complaint(f"tools/{folder}/x.cpp", included), (folder, included)
assert tool_complaint("tools/main.cpp", "core/planning/planner.hpp")
for path in ("tools/admin.cpp", "tools/host_admin.cpp", "tools/simulator/main.cpp"):
    assert not tool_complaint(path, "core/planning/planner.hpp"), path

for path, included in (
    ("core/text/words.cpp", "core/planning/state.hpp"),
    ("core/configuration/objects/user.cpp", "core/configuration/configuration.hpp"),
    ("core/planning/state.hpp", "core/planning/facts/repair.hpp"),
    ("core/planning/valid_input.hpp", "core/planning/planner.hpp"),
    ("core/planning/questions/inquiry.cpp", "core/planning/planner.hpp"),
    ("schema/codec.cpp", "schema/store/upgrade.hpp"),
    ("schema/door/views.hpp", "schema/codec.hpp"),
    ("actors/ports/clock.hpp", "actors/interfaces.hpp"),
    ("actors/session/session.cpp", "actors/master/gate.hpp"),
    ("agent/shepherd/fence.cpp", "agent/helper/message.hpp"),
    ("agent/helper/helper.hpp", "agent/spool.hpp"),
    ("tools/client/line.hpp", "tools/commands/door.hpp"),
    ("tools/simulator/world/scenario.cpp", "tools/simulator/chaos/mischief.hpp"),
):
    assert any(" comes before " in one for one in order_complaints(path, included)), (path, included)
    assert not order_complaints(included, path), (included, path)
for path, included in (
    ("core/planning/facts/repair.cpp", "core/planning/commands/targets.hpp"),
    ("core/planning/commands/targets.cpp", "core/planning/facts/repair.hpp"),
    ("actors/agent/agent.cpp", "actors/master/gate.hpp"),
    ("tools/console/console.cpp", "tools/simulator/main.hpp"),
):
    assert any("do not know each other" in one for one in order_complaints(path, included)), (path, included)
for path, included in (("core/new/x.cpp", "core/base/time.hpp"), ("agent/spool.cpp", "agent/new/x.hpp")):
    assert any("not in the order" in one for one in order_complaints(path, included)), (path, included)
for path, included in (
    ("core/planning/facts/repair.cpp", "core/planning/facts/hours.hpp"),
    ("core/planning/planner.cpp", "core/planning/planner.hpp"),
    ("schema/codec.cpp", "schema/door.capnp.h"),
    ("agent/main.cpp", "actors/master/gate.hpp"),
    ("agent/spool.cpp", "caf/all.hpp"),
):
    assert not order_complaints(path, included), (path, included)
assert "knows only" in order_complaints("core/policy/classad/value.hpp", "core/job/job.hpp")[0]
assert not order_complaints("core/policy/classad/value.hpp", "core/text/words.hpp")
assert order_complaints("core/policy/classad/value.hpp", "core/policy/reservable.hpp")
assert not folder_complaints({"core", "master", "core/text", "core/planning", "core/planning/facts", "tools/simulator/world"})
for folder in ("core/new", "core/text/new", "core/planning/new", "master/new", "core/facts"):
    assert folder_complaints({"core/text", folder}) == [f"{folder}/ is not in the order of {folder.rpartition('/')[0]}/"], folder
for folder, order in orders.items():
    names = " ".join(order).split()
    assert len(names) == len(set(names)), folder
print("the arrows point where they should")
