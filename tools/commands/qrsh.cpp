#include "core/text/words.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/interactive_job.hpp"

#include <algorithm>
#include <iostream>
#include <unistd.h>

namespace almanac {

namespace {
constexpr const char* usage = "usage: qrsh [options] [command [args]]\n"
                              "       qrsh -inherit [-nostdin] [-noshell] [-verbose] [-V] host "
                              "command [args]\n";

const std::vector<OptionRule> inherit_rules{{"-inherit", 0}, {"-nostdin", 0}, {"-noshell", 0},
                                            {"-verbose", 0}, {"-help", 0},    {"-V", 0}};

std::int64_t number_in(const Context& context, const char* name) {
  const auto* text = context.variable(name);
  auto number = text ? parse_number(*text) : Result<std::int64_t>(Error{""});
  return number ? *number : 0;
}
// Among the options: what follows the first other word belongs to the command.
bool inherits(const Context& context) {
  for (const auto& word : context.arguments) {
    if (word == "-inherit") return true;
    const auto is_it = [&](const auto& rule) { return rule.name == word; };
    if (std::none_of(inherit_rules.begin(), inherit_rules.end(), is_it)) return false;
  }
  return false;
}

// A process of a running parallel job on a host that was granted to it (client-contract.md C13).
int run_inherited(Context& context) {
  auto given = parse_options(context.arguments, inherit_rules, Operands::end_options);
  if (!given) return complain_of_words(context, given.what());
  if (given->operands.size() < 2) return complain(context, "a host and a command are needed");
  door::Inherit request;
  request.job = {number_in(context, "JOB_ID")};
  request.task = number_in(context, "SGE_TASK_ID");
  if (!request.job)
    return complain(context, "-inherit works inside a running job: JOB_ID is not set");
  request.host = given->operands.front();
  request.command.assign(given->operands.begin() + 1, given->operands.end());
  // The user's shell reads them there, and makes of these the words that they are.
  if (given->has("-noshell")) {
    for (auto& word : request.command) word = shell_quoted(word);
    request.command.insert(request.command.begin(), "exec");
  }
  request.directory = context.directory;
  if (given->has("-V")) request.environment = context.environment;
  if (given->has("-verbose"))
    context.err << "starting \"" << given->operands[1] << "\" on host " << request.host << "\n";
  int code = 1;
  request.input = !given->has("-nostdin");
  const auto show = [&](door::ReplyBody& frame) {
    if (const auto* output = std::get_if<door::Output>(&frame)) {
      auto& stream = output->error ? context.err : context.out;
      stream << output->content.content;
      stream.flush();
    } else if (const auto* answer = std::get_if<Answer>(&frame))
      code = print_answer(context, *answer);
  };
  const auto outcome =
      context.door.call_with_input(request, show, request.input ? STDIN_FILENO : -1);
  return outcome ? code : complain(context, outcome.what());
}

} // namespace

int qrsh(Context& context) {
  if (inherits(context)) return run_inherited(context);
  return run_interactive(context, {usage, "QRLOGIN", true, false});
}

} // namespace almanac
