#include "tools/commands/qconf_texts.hpp"

#include "core/configuration/objects/folded_text.hpp"
#include "core/configuration/objects/printed_object.hpp"

#include <ostream>

namespace almanac {

namespace {

std::string list_name(ObjectKind kind) {
  switch (kind) {
  case ObjectKind::cluster_queue: return "cqueue list";
  case ObjectKind::exec_host: return "execution host";
  case ObjectKind::host_group: return "host group list";
  case ObjectKind::userset: return "userset list";
  case ObjectKind::user: return "user list";
  case ObjectKind::project: return "project list";
  case ObjectKind::checkpoint: return "ckpt interface definition";
  default: return std::string(kind_name(kind));
  }
}

std::string missing(ObjectKind kind, const std::string& name) {
  switch (kind) {
  case ObjectKind::cluster_queue: return "Cluster queue entry \"" + name + "\" does not exist";
  case ObjectKind::exec_host: return name + " is not an execution host";
  case ObjectKind::host_group: return "Host group \"" + name + "\" does not exist";
  case ObjectKind::parallel_environment: return name + " is not a parallel environment";
  case ObjectKind::checkpoint: return name + " is not a checkpointing interface definition";
  case ObjectKind::calendar: return name + " is not a calendar";
  case ObjectKind::userset: return "access list \"" + name + "\" doesn't exist";
  case ObjectKind::project: return name + " is not known as project";
  case ObjectKind::user: return name + " is not known as user";
  default: return std::string(kind_name(kind)) + " \"" + name + "\" does not exist";
  }
}

} // namespace

std::string shown(const Context& context, const ConfigurationObject& object) {
  return shown_as_it_is(context, arranged(object));
}

std::string shown_as_it_is(const Context& context, const ConfigurationObject& object) {
  const auto* single = context.variable("SGE_SINGLE_LINE");
  return print_folded(object, single && *single != "0" ? LongLines::whole : LongLines::broken);
}

int none_defined(Context& context, ObjectKind kind) {
  context.err << "no " << list_name(kind) << " defined\n";
  return 1;
}

int no_such_object(Context& context, ObjectKind kind, const std::string& name) {
  context.err << missing(kind, name) << "\n";
  return 1;
}

} // namespace almanac
