#include "core/execution/interactive_order.hpp"

#include "core/execution/host_words.hpp"

#include <algorithm>

namespace almanac {

namespace {

std::string line_of(const JobRequest& request) {
  auto line = request.command;
  for (const auto& argument : request.arguments) line += " " + argument;
  return line;
}

bool is_stream_path(const Attribute& variable) {
  return variable.name == "SGE_STDIN_PATH" || variable.name == "SGE_STDOUT_PATH" ||
         variable.name == "SGE_STDERR_PATH";
}

// A shell that would read the script as its input: that comes from the client.
void read_script_from_file(ShepherdOrder& order) {
  const auto script = marks().folder + "/script";
  if (order.input == script)
    std::replace(order.job.arguments.begin(), order.job.arguments.end(), std::string("-s"), script);
  order.input.clear();
}

} // namespace

void make_interactive(ShepherdOrder& order, const Job& job) {
  const JobRequest& request = job.request;
  order.interaction = request.interaction;
  order.join = false;
  read_script_from_file(order);
  std::erase_if(order.job.environment, is_stream_path);
  if (order.by_starter || !request.binary) return;
  const auto shell = marks().shell;
  if (request.command.empty()) {
    order.job.arguments = {shell};
    order.login = true;
  } else if (!request.direct) {
    order.job.arguments = {shell, "-c", line_of(request)};
    order.login = false;
  } else return;
  order.must_exist.clear();
}

} // namespace almanac
