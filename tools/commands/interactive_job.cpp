#include "tools/commands/interactive_job.hpp"

#include "tools/commands/client_jsv.hpp"
#include "tools/commands/default_options.hpp"
#include "tools/commands/local_terminal.hpp"
#include "tools/commands/named_reservation.hpp"
#include "tools/commands/official_hosts.hpp"
#include "tools/commands/reservation_key.hpp"
#include "tools/commands/shown_request.hpp"

#include <algorithm>
#include <iostream>
#include <optional>
#include <set>
#include <unistd.h>

namespace almanac {

namespace {

constexpr int by_signal = 128; // and its number, as a shell says it

const std::vector<OptionRule> own_rules{
    {"-nostdin", 0}, {"-noshell", 0}, {"-verbose", 0}, {"-pty", 1}};
const std::vector<std::string> usual_options{"-b", "y", "-now", "y"}; // spec/cli.md C3.15, C10.3
const std::vector<UsageLine> own_usage{
    {"-nostdin", "", "the job reads nothing"},
    {"-noshell", "", "no shell reads the command's words"},
    {"-verbose", "", "say what happens until the job begins"},
    {"-pty", "y|n", "a terminal for the job; without a command it has one"}};

// Of jobs that nobody waits for, or of arrays.
bool is_of_batch_jobs(const std::string& name) {
  static const std::set<std::string> names{"-i",    "-t",     "-tc",         "-tcon",
                                           "-sync", "-terse", "-hold_jid_ad"};
  return names.contains(name);
}
bool is_own(const std::string& name) {
  return std::any_of(own_rules.begin(), own_rules.end(),
                     [&](const auto& rule) { return rule.name == name; });
}

std::vector<OptionRule> all_rules() {
  std::vector<OptionRule> rules;
  for (const auto& rule : submit_option_rules())
    if (!is_of_batch_jobs(rule.name)) rules.push_back(rule);
  rules.insert(rules.end(), own_rules.begin(), own_rules.end());
  return rules;
}

void print_help(Context& context, const InteractiveProgram& program) {
  auto lines = submit_usage();
  std::erase_if(lines, [](const auto& line) { return is_of_batch_jobs(line.name); });
  lines.insert(lines.end(), own_usage.begin(), own_usage.end());
  context.out << program.usage << print_usage(std::move(lines));
}

// What was typed, as it is asked for.
struct Wish {
  JobRequest request;
  SubmitOptions options; ///< that it was read from
  bool is_verbose = false, reads = true, help = false;
};

// As qsub would read it.
std::vector<std::string> words_of(const GivenOptions& given, const InteractiveProgram& program) {
  std::vector<std::string> words;
  for (const auto& [name, values] : given.options) {
    if (is_own(name)) continue;
    words.push_back(name);
    words.insert(words.end(), values.begin(), values.end());
    if (name == "-clear") words.insert(words.end(), usual_options.begin(), usual_options.end());
  }
  if (given.operands.empty()) words.insert(words.end(), {"-b", "y", program.shell_name});
  else {
    if (given.dashes) words.emplace_back("--");
    words.insert(words.end(), given.operands.begin(), given.operands.end());
  }
  return words;
}

Result<SubmitOptions> read_words(Context& context, const std::vector<std::string>& words) {
  const SubmitSite place{context.directory, context.environment,
                         [&](const DateTime& date) { return to_instant(date, context.now()); }, "",
                         find_reservation_by_name(context)};
  const auto& rules = submit_option_rules();
  auto defaults = read_default_files(context, "sge_request", DefaultFiles::directory_too, rules);
  if (!defaults) return defaults.error();
  // Weaker than any file.
  const auto usual = parse_options(usual_options, rules, Operands::anywhere);
  if (!usual) return usual.error();
  defaults->insert(defaults->begin(), usual->options);
  const auto read_script = [&](const std::string& path) {
    return read_text_file(path.starts_with('/') ? path : context.directory + "/" + path);
  };
  return parse_submission(words, place,
                          {read_script, options_of_files(context, rules), std::move(*defaults)});
}

Result<bool> wants_terminal(const GivenOptions& given) {
  const auto* asked = given.last("-pty");
  if (!asked) return given.operands.empty();
  for (const auto& [word, value] :
       {std::pair("y", true), {"yes", true}, {"n", false}, {"no", false}})
    if (*asked == word) return value;
  return Error{"option -pty " + *asked + ": y or n is expected"};
}

Result<Wish> read_wish(Context& context, const InteractiveProgram& program) {
  const auto given = parse_options(context.arguments, all_rules(), Operands::end_options);
  if (!given) return given.error();
  Wish wish;
  wish.help = given->has("-help");
  if (wish.help) return wish;
  if (!program.takes_command && !given->operands.empty())
    return Error{"invalid option argument \"" + given->operands.front() + "\""};
  const auto terminal = wants_terminal(*given);
  if (!terminal) return terminal.error();
  auto read = read_words(context, words_of(*given, program));
  if (!read) return read.error();
  use_official_hosts(context, read->request);
  wish.request = read->request, wish.options = std::move(*read);
  auto& request = wish.request;
  if (given->operands.empty()) request.command.clear(), request.arguments.clear();
  if (request.tasks.is_array()) return Error{"an interactive job is no array (-t)"};
  request.interaction = *terminal ? Interaction::terminal : Interaction::streams;
  if (given->has("-noshell")) request.direct = true;
  const auto* kind = context.variable("TERM");
  const auto is_kind = [](const auto& variable) { return variable.name == "TERM"; };
  auto& environment = request.environment;
  if (*terminal && kind && std::none_of(environment.begin(), environment.end(), is_kind))
    environment.push_back({"TERM", *kind});
  wish.is_verbose = program.is_verbose || given->has("-verbose");
  wish.reads = !given->has("-nostdin");
  return wish;
}

// ---- the job --------------------------------------------------------------------------------------

class InteractiveJob {
public:
  InteractiveJob(Context& context, Wish wish) : context_(context), wish_(std::move(wish)) {}

  int run() {
    if (const int code = submit(); code != 0) return code;
    context_.door.catch_end();
    const auto attached =
        context_.door.attach(number_, streams(), [this](door::ReplyBody& frame) { take(frame); });
    terminal_.reset();
    const int interrupt = context_.door.take_interrupt();
    if (attached && code_) {
      if (is_troubled_) take_back();
      return *code_;
    }
    if (attached && interrupt == 0) return 1;
    if (interrupt == 0) complain(context_, attached.what());
    take_back();
    return interrupt == 0 ? 1 : by_signal + interrupt;
  }

private:
  int submit() {
    int code = 0;
    auto command = with_claim(context_, Submit{wish_.request, ""}, wish_.options.key_file);
    if (!command) return complain(context_, command.what());
    const int asked = ask<Answer>(context_, std::move(*command), [&](Answer& answer) {
      number_ = {answer.number}, code = static_cast<int>(answer.exit_code);
      if (code == 0) return say_submitted();
      for (auto& said : answer.statements)
        if (said.code == AnswerCode::not_scheduled_now) {
          said.code = AnswerCode::interactive_not_scheduled_now;
          said.details.push_back({"program", context_.program});
        }
      code = print_answer(context_, answer);
    });
    return asked != 0 ? asked : code;
  }

  void say_submitted() {
    say("Your job " + to_string(number_) + " (\"" + wish_.request.name + "\") has been submitted");
    say("waiting for interactive job to be scheduled ...");
  }

  // On the stream of errors: what the job writes stays apart.
  void say(const std::string& line) {
    if (wish_.is_verbose) context_.err << line << "\n" << std::flush;
  }

  JobStreams streams() const {
    JobStreams streams;
    if (wish_.reads) streams.input = STDIN_FILENO;
    if (wish_.request.interaction != Interaction::terminal) return streams;
    streams.terminal = usable(LocalTerminal::size());
    streams.resized = LocalTerminal::resized();
    streams.size = [] { return usable(LocalTerminal::size()); };
    return streams;
  }

  void take(door::ReplyBody& frame) {
    if (const auto* output = std::get_if<door::Output>(&frame)) {
      auto& stream = output->error ? context_.err : context_.out;
      stream << output->content.content << std::flush;
    } else if (const auto* place = std::get_if<door::Attachment>(&frame)) begin(*place);
    else if (const auto* answer = std::get_if<Answer>(&frame)) end(*answer);
    else if (const auto* accounting = std::get_if<door::Accounting>(&frame))
      for (const auto& task : accounting->records)
        code_ = static_cast<int>(task.record.exit_status);
  }

  void begin(const door::Attachment& place) {
    say("Your interactive job " + to_string(number_) + " has been successfully scheduled.");
    say("Establishing session to host " + place.host + " ...");
    if (wish_.request.interaction != Interaction::terminal || !wish_.reads) return;
    terminal_.emplace().make_raw();
  }

  // What is wrong is not said in a raw terminal.
  void end(const Answer& answer) {
    terminal_.reset();
    is_troubled_ = !answer.statements.empty();
    code_ = print_answer(context_, answer);
  }

  // It may have no place yet, or one to which nobody comes. What is said about it says nothing new.
  void take_back() {
    const auto done = context_.door.call(
        door::RunCommand{DeleteJobs{{to_string(number_)}, {}, {}, false}}, [](door::ReplyBody&) {});
    if (!done)
      complain(context_, "job " + to_string(number_) + " may still be there: " + done.what());
  }

  Context& context_;
  Wish wish_;
  JobNumber number_;
  std::optional<LocalTerminal> terminal_;
  std::optional<int> code_;
  bool is_troubled_ = false; ///< it did not simply end: it may wait again, or be in error
};

} // namespace

int run_interactive(Context& context, const InteractiveProgram& program) {
  auto wish = read_wish(context, program);
  if (!wish) return complain_of_words(context, wish.what());
  if (wish->help) {
    print_help(context, program);
    return 0;
  }
  if (wish->options.verify) return show_request(context, wish->request);
  wish->options.request = std::move(wish->request);
  if (auto verified = ask_client_jsvs(context, wish->options); !verified)
    return tell_rejection(context, verified.what());
  wish->request = std::move(wish->options.request);
  const auto validation = wish->request.validation;
  if (validation != Validation::verify && validation != Validation::poke)
    return InteractiveJob(context, std::move(*wish)).run();
  int code = 0;
  const int asked = ask<Answer>(context, door::AskSubmit{{wish->request, ""}},
                                [&](Answer& answer) { code = print_answer(context, answer); });
  return asked != 0 ? asked : code;
}

} // namespace almanac
