// What a new cell is configured to be.
#include "core/configuration/configuration.hpp"
#include "core/text/words.hpp"

namespace almanac {

Configuration Configuration::initial(const std::string& admin, const std::string& host) {
  Configuration result;
  const auto add = [&](ConfigurationObject object) {
    result.objects_[{object.kind, object.name}] = std::move(object);
  };
  for (const auto kind : {ObjectKind::complex, ObjectKind::managers, ObjectKind::operators,
                          ObjectKind::global_configuration, ObjectKind::scheduler_configuration,
                          ObjectKind::admin_hosts, ObjectKind::submit_hosts})
    add(template_of(kind, ""));
  for (const auto kind : {ObjectKind::admin_hosts, ObjectKind::submit_hosts})
    result.objects_[{kind, ""}].set("entries", host.empty() ? "NONE" : lower(host));
  result.objects_[{ObjectKind::managers, ""}].set("entries",
                                                  admin == "root" ? admin : "root," + admin);
  add(template_of(ObjectKind::exec_host, "global"));
  add(template_of(ObjectKind::host_group, "@allhosts"));
  const auto pe = [&](const char* name, const char* slots, const char* rule) {
    auto object = template_of(ObjectKind::parallel_environment, name);
    object.set("slots", slots);
    object.set("allocation_rule", rule);
    object.set("control_slaves", "TRUE");
    add(object);
  };
  pe("make", "999", "$round_robin");
  pe("smp", "999999", "$pe_slots");
  pe("mpi", "999999", "$round_robin");
  pe("fill", "999999", "$fill_up");
  for (const char* name : {"arusers", "deadlineusers", "defaultdepartment"})
    add(template_of(ObjectKind::userset, name));
  result.objects_[{ObjectKind::userset, "arusers"}].set("entries", admin);
  auto queue = template_of(ObjectKind::cluster_queue, "all.q");
  queue.set("pe_list", "make smp mpi fill");
  queue.set("hostlist", "@allhosts");
  add(queue);
  auto consistent = restore(result.objects());
  check(consistent.ok(), "the initial configuration is consistent");
  return std::move(*consistent);
}

} // namespace almanac
