#include "tools/commands/commands.hpp"

#include "tools/commands/instance_options.hpp"

#include <iostream>

namespace almanac {

namespace {

constexpr const char* usage = R"(usage: qselect [options]
   -help                     print this help
   -l resource_list          only queue instances that offer this now, as name=value,...
   -pe pe_list               only those with one of these parallel environments
   -q queue_list             only these: queues, instances, host groups, patterns
   -qs letters               only those in one of the states a, A, C, D, d, u, E, S, s, c, o
   -U user_list              only those that one of these users may use
)";

} // namespace

int qselect(Context& context) {
  static const std::vector<OptionRule> rules = [] {
    auto all = instance_option_rules();
    all.push_back({"-help", 0});
    return all;
  }();
  int code = 0;
  const auto given = read_options(context, rules, usage, code, "sge_qselect");
  if (!given) return code;
  auto selection = instance_selection(context, *given);
  if (!selection) return complain(context, selection.what());
  door::GetCluster query;
  query.selection = std::move(*selection);
  bool any = false;
  const int asked = ask<door::Cluster>(context, std::move(query), [&](door::Cluster& frame) {
    for (const auto& instance : frame.instances) context.out << instance.name << "\n", any = true;
  });
  if (asked != 0) return asked;
  if (any) return 0;
  context.err << "no queues match what is asked for\n";
  return 1;
}

} // namespace almanac
