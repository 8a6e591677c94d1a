#include "core/text/words.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/interactive_job.hpp"

#include <algorithm>
#include <iostream>
#include <unistd.h>

namespace almanac {

namespace {
constexpr const char* usage = "usage: qrsh [options] [command [args]]\n"
                              "       qrsh -inherit [-nostdin] [-noshell] [-verbose] [-cwd] [-V] "
                              "[-v variables] host command [args]\n";

// -cwd changes nothing: the command starts in the directory of its client, unless -v PWD names one.
const std::vector<OptionRule> inherit_rules{{"-inherit", 0}, {"-nostdin", 0}, {"-noshell", 0},
                                            {"-verbose", 0}, {"-help", 0},    {"-cwd", 0},
                                            {"-V", 0},       {"-v", 1}};

std::int64_t number_in(const Context& context, const char* name) {
  const auto* text = context.variable(name);
  auto number = text ? parse_number(*text) : Result<std::int64_t>(Error{""});
  return number ? *number : 0;
}
// Among the options: what follows the first other word belongs to the command.
bool inherits(const Context& context) {
  const auto& words = context.arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-inherit") return true;
    const auto rule = std::find_if(inherit_rules.begin(), inherit_rules.end(),
                                   [&](const auto& known) { return known.name == words[i]; });
    if (rule == inherit_rules.end()) return false;
    i += static_cast<std::size_t>(rule->values);
  }
  return false;
}

// Reads -v and -V as qsub does; -v PWD is the directory, too, as in Grid Engine (qrsh(1), -inherit).
Outcome export_variables(const Context& context, const GivenOptions& given,
                         door::Inherit& request) {
  std::vector<std::string> words;
  bool names_directory = false;
  for (const auto& [name, values] : given.options) {
    if (name != "-v" && name != "-V") continue;
    words.push_back(name);
    words.insert(words.end(), values.begin(), values.end());
    for (const auto& list : values)
      for (const auto& entry : split(list, ','))
        names_directory |= entry == "PWD" || entry.starts_with("PWD=");
  }
  words.insert(words.end(), {"-b", "y", "true"});
  auto read = parse_submission(words, {context.directory, context.environment, {}}, {});
  if (!read) return read.error();
  request.environment = std::move(read->request.environment);
  for (const auto& [name, value] : request.environment)
    if (names_directory && name == "PWD" && value.starts_with('/')) request.directory = value;
  return Done{};
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
  request.directory = context.directory;
  if (auto exported = export_variables(context, *given, request); !exported)
    return complain(context, exported.what());
  // The user's shell reads them there, and makes of these the words that they are.
  if (given->has("-noshell")) {
    for (auto& word : request.command) word = shell_quoted(word);
    request.command.insert(request.command.begin(), "exec");
  }
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
