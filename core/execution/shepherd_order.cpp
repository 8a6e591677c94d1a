#include "core/execution/shepherd_order.hpp"

#include "core/text/names.hpp"

namespace almanac {

namespace {

// Nobody is a user by default.
Outcome valid_process(const std::string& name, const ShepherdProcess& process) {
  const auto wrong = [&](const std::string& why) {
    return Error{"the shepherd's order: " + name + ": " + why};
  };
  const auto& as = process.as;
  if (process.arguments.empty()) return Done{};
  if (!process.arguments.front().starts_with('/')) return wrong("it names no program by its path");
  if (as.self ? !as.user.empty() : as.user.empty()) return wrong("it does not say as whom it runs");
  if (!as.self && (as.uid < 0 || as.gid < 0)) return wrong("it gives its user no number");
  for (const auto& variable : process.environment)
    if (auto valid = valid_variable(variable.name, variable.value); !valid)
      return wrong(valid.what());
  return Done{};
}

} // namespace

Outcome check_shepherd_order(const ShepherdOrder& order) {
  if (order.job.arguments.empty()) return Error{"the shepherd's order: job names no program"};
  for (const auto& [name, process] :
       {std::pair("job", &order.job), std::pair("prolog", &order.prolog),
        std::pair("pe_start", &order.pe_start), std::pair("pe_stop", &order.pe_stop),
        std::pair("epilog", &order.epilog), std::pair("suspend", &order.suspend.command),
        std::pair("resume", &order.resume.command),
        std::pair("terminate", &order.terminate.command),
        std::pair("ckpt_command", &order.checkpoint.checkpoint),
        std::pair("migr_command", &order.checkpoint.migration),
        std::pair("clean_command", &order.checkpoint.cleaning)})
    if (auto valid = valid_process(name, *process); !valid) return valid;
  return Done{};
}

} // namespace almanac
