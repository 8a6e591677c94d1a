#include "tools/commands/commands.hpp"

#include "core/request/reserve_options.hpp"
#include "core/text/names.hpp"
#include "core/text/pattern.hpp"
#include "tools/commands/default_options.hpp"

#include <iostream>

namespace almanac {

namespace {
constexpr const char* usage = "usage: qrsub [options]\n";

// Access lists may name the groups of users, and the master asks nobody who they are.
Outcome find_groups(Context& context, ReservationRequest& request) {
  for (const auto& entry : request.users) {
    const auto name = entry.starts_with('!') ? entry.substr(1) : entry;
    if (name.starts_with('@') || is_pattern(name)) continue;
    const auto group = context.group_of(name);
    if (!group) return Error{excerpt(name) + " is not known as a user"};
    if (!group->empty() && name == entry) request.groups.push_back({name, *group});
  }
  return Done{};
}

Result<ReserveOptions> read_words(Context& context) {
  std::vector<std::vector<GivenOption>> defaults;
  for (const auto& path : default_files(context, "sge_ar_request", DefaultFiles::cell_and_home)) {
    auto options = read_default_file(path, reserve_option_rules());
    if (!options) return options.error();
    defaults.push_back(std::move(*options));
  }
  return parse_reservation(
      context.arguments, [&](const DateTime& date) { return to_instant(date, context.now()); },
      [&](const std::string& path) {
        return read_named_file(path.starts_with('/') ? path : context.directory + "/" + path,
                               reserve_option_rules());
      },
      defaults);
}

} // namespace

int qrsub(Context& context) {
  if (context.arguments.empty()) {
    context.err << usage << print_usage(reserve_usage()) << "ERROR! no option argument\n";
    return 1;
  }
  auto parsed = read_words(context);
  if (!parsed) {
    if (parsed.what().starts_with("Wrong date"))
      context.err << "\nInvalid format of date/hour-minute field.\n";
    return complain(context, parsed.what());
  }
  if (parsed->help) {
    context.out << usage << print_usage(reserve_usage());
    return 0;
  }
  if (auto found = find_groups(context, parsed->request); !found) {
    context.err << "error: " << found.what() << "\n";
    return 1;
  }
  const Reserve command{parsed->request, parsed->override_holds, parsed->explain};
  if (!parsed->verify) return run_command(context, command);
  int code = 0;
  const int asked = ask<Answer>(context, door::AskReserve{command},
                                [&](Answer& answer) { code = print_answer(context, answer); });
  return asked != 0 ? asked : code;
}

} // namespace almanac
