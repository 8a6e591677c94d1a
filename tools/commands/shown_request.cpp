#include "tools/commands/shown_request.hpp"

#include "core/request/submit_table.hpp"
#include "core/request/valid.hpp"
#include "core/text/table.hpp"
#include "core/text/words.hpp"
#include "tools/output/escape.hpp"
#include "tools/output/local_time.hpp"

#include <ostream>

namespace almanac {

void print_request(std::ostream& out, const JobRequest& request, const std::string& user) {
  const auto put = [&](const std::string& label, const std::string& value) {
    if (!value.empty()) out << left(label + ":", 28) << printable(value) << "\n";
  };
  const auto put_options = [&](Shown::Place place) {
    for (const auto& option : submit_table())
      if (option.shown->place == place)
        put(option.shown->label, option.shown->text(request, print_time));
  };
  out << std::string(62, '=') << "\n";
  put_options(Shown::Place::before_owner);
  put("owner", user);
  for (const auto& [name, value] : request.origin)
    put(name == "SGE_O_LOGNAME" ? "sge_o_log_name" : lower(name), value);
  put_options(Shown::Place::before_script);
  put("job_args", join(request.arguments, ","));
  put("script_file", request.command);
  put_options(Shown::Place::after_script);
}

int show_request(Context& context, const JobRequest& request) {
  if (auto sound = valid(request); !sound) return complain(context, sound.what());
  print_request(context.out, request, context.user);
  return 0;
}

} // namespace almanac
