#include "tools/commands/commands.hpp"
#include "tools/commands/plus_call.hpp"

#include "core/text/words.hpp"
#include "tools/output/plus_reservations.hpp"

#include <iostream>

namespace almanac {

namespace {

// A reservation of whole nodes; how many it asks for plays no part.
ReservationRequest request_of(const PlusOptions& options) {
  ReservationRequest request;
  request.nodes = 1, request.whole_nodes = request.preempts = true;
  request.start = *options.start, request.end = *options.end;
  return request;
}

std::vector<std::string> nodes_of(const Answer& answer) {
  for (const auto& statement : answer.statements)
    if (statement.code == AnswerCode::nodes_available)
      if (const auto* nodes = statement.find("nodes")) return split(nodes->text, ',');
  return {};
}

} // namespace

int plus_availnodes(Context& context) {
  int code = 0;
  const auto options = read_plus(context, "availnodes", code);
  if (!options) return code;
  Answer found;
  code = ask_plus<Answer>(context, door::AskNodes{request_of(*options)},
                          [&](Answer& answer) { found = std::move(answer); });
  if (code != plus_exit::done) return code;
  code = tell_troubles(context, found);
  if (code != plus_exit::done) return code;
  if (options->as_xml) print_plus_nodes_xml(context.out, nodes_of(found));
  else context.out << found.number << "\n";
  return plus_exit::done;
}

} // namespace almanac
