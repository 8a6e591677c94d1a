#include "agent/shepherd/shepherd_order.hpp"

#include "core/execution/environment.hpp"
#include "core/text/fields.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr std::string_view format = "almanac-shepherd-order 2\n";

// Nobody is a user by default.
Outcome valid_process(const char* name, const ShepherdProcess& process) {
  const auto wrong = [&](const std::string& why) {
    return Error{std::string("the shepherd's order: ") + name + ": " + why};
  };
  const auto& as = process.as;
  if (process.arguments.empty()) return Done{};
  if (!process.arguments.front().starts_with('/')) return wrong("it names no program by its path");
  if (as.self ? !as.user.empty() : as.user.empty()) return wrong("it does not say as whom it runs");
  if (!as.self && (as.uid < 0 || as.gid < 0)) return wrong("it gives its user no number");
  for (const auto& variable : process.environment)
    if (auto valid = valid_variable(variable); !valid) return wrong(valid.what());
  return Done{};
}

} // namespace

std::int64_t fence_at_ms(const ShepherdOrder& order) {
  // In a folder of somebody who is not root: no link is followed, no pipe waited for.
  const int file =
      ::open(order.lease.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  char text[24]{};
  const auto size = file < 0 ? -1 : ::read(file, text, sizeof text - 1);
  if (file >= 0) ::close(file);
  const auto stamp = size > 0 ? std::atoll(text) : 0;
  return stamp + order.fence * 1000;
}

std::string print_shepherd_order(const ShepherdOrder& order) { return print_fields(order, format); }

Outcome check_shepherd_order(const ShepherdOrder& order) {
  auto parsed = parse_shepherd_order(print_shepherd_order(order));
  if (!parsed) return parsed.error();
  return Done{};
}

Result<ShepherdOrder> parse_shepherd_order(const std::string& text) {
  auto parsed = parse_fields<ShepherdOrder>(text, format, "the shepherd's order");
  if (!parsed) return parsed;
  const auto& order = *parsed;
  if (order.job.arguments.empty()) return Error{"the shepherd's order: job names no program"};
  const std::pair<const char*, const ShepherdProcess*> processes[]{{"job", &order.job},
                                                                   {"prolog", &order.prolog},
                                                                   {"pe_start", &order.pe_start},
                                                                   {"pe_stop", &order.pe_stop},
                                                                   {"epilog", &order.epilog}};
  for (const auto& [name, process] : processes)
    if (auto valid = valid_process(name, *process); !valid) return valid.error();
  return parsed;
}

} // namespace almanac
