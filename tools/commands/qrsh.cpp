#include "tools/commands/commands.hpp"

#include <iostream>
#include <unistd.h>

namespace almanac {

namespace {
constexpr const char* usage = R"(usage: qrsh -inherit [-nostdin] host command [args]
   -inherit                  run the command on a host that was granted to the parallel job this
                             is called in, through the agents; exit with its exit code
   -nostdin                  the command reads nothing; else it reads what qrsh reads
   -V                        export the whole environment
   -help                     print this help
)";

std::int64_t number_in(const Context& context, const char* name) {
  const auto* text = context.variable(name);
  auto number = text ? parse_number(*text) : Result<std::int64_t>(Error{""});
  return number ? *number : 0;
}
} // namespace

int qrsh(Context& context) {
  static const std::vector<OptionRule> rules{
      {"-inherit", 0},    {"-nostdin", 0},  {"-help", 0},     {"-V", 0},         {"-now", 1, false},
      {"-cwd", 0, false}, {"-l", 1, false}, {"-q", 1, false}, {"-pe", 2, false}, {"-ar", 1, false}};
  auto given = parse_options(context.arguments, rules, Operands::end_options);
  if (!given) return complain(context, given.what());
  if (given->has("-help")) {
    context.out << usage;
    return 0;
  }
  if (!given->has("-inherit"))
    return complain(context,
                    "interactive jobs are not built yet, only qrsh -inherit inside a parallel job");
  if (given->operands.size() < 2) return complain(context, "a host and a command are needed");
  door::Inherit request;
  request.job = {number_in(context, "JOB_ID")};
  request.task = number_in(context, "SGE_TASK_ID");
  if (!request.job)
    return complain(context, "-inherit works inside a running job: JOB_ID is not set");
  request.host = given->operands.front();
  request.command.assign(given->operands.begin() + 1, given->operands.end());
  request.directory = context.directory;
  if (given->has("-V")) request.environment = context.environment;
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

int qsh(Context& context) {
  if (context.arguments == std::vector<std::string>{"-help"}) {
    context.out << "usage: qsh\n   an X terminal as a job: not offered\n";
    return 0;
  }
  return complain(context, "an X terminal as a job is not offered");
}

} // namespace almanac
