#include "tools/commands/client_jsv.hpp"

#include "actors/process/jsv_process.hpp"
#include "core/configuration/objects/jsv_url.hpp"
#include "core/request/valid.hpp"
#include "core/text/names.hpp"
#include "core/text/values.hpp"
#include "tools/client/client.hpp"
#include "tools/output/local_time.hpp"

#include <iostream>

namespace almanac {

namespace {

constexpr std::int64_t usual_patience = 10, longest_patience = 3600; // seconds

// Scripts look for their helpers below it.
std::vector<Attribute> environment_for(const Context& context) {
  auto environment = context.environment;
  if (context.variable("SGE_ROOT")) return environment;
  auto root = find_cell(context.environment).common;
  for (int level = 0; level < 2; ++level) root.resize(std::min(root.rfind('/'), root.size()));
  if (!root.empty()) environment.push_back({"SGE_ROOT", root});
  return environment;
}

Result<std::chrono::milliseconds> patience_of(const Context& context) {
  const auto* text = context.variable("SGE_JSV_TIMEOUT");
  if (!text || text->empty()) return std::chrono::milliseconds(usual_patience * 1000);
  const auto seconds = parse_number(*text);
  if (!seconds || *seconds < 1 || *seconds > longest_patience)
    return Error{"SGE_JSV_TIMEOUT is not a number of seconds from 1 to " +
                 std::to_string(longest_patience)};
  return std::chrono::milliseconds(*seconds * 1000);
}

JsvDates dates_of(const Context& context) {
  return {[](Instant at) { return print_local(at, "%Y%m%d%H%M.%S"); },
          [now = context.now()](const DateTime& date) { return to_instant(date, now); }};
}

Outcome ask(Context& context, const std::string& url, JobRequest& request) {
  const auto failed = [&](const std::string& why) {
    return Error{"the JSV " + url + " failed: " + why};
  };
  const auto patience = patience_of(context);
  if (!patience) return patience.error();
  const auto meant = parse_jsv_url(url);
  if (!meant) return meant.error();
  auto process = JsvProcess::start({meant->words, environment_for(context)});
  if (!process) return failed(process.what());
  const auto dates = dates_of(context);
  const auto known = context.group_of ? context.group_of(context.user) : std::nullopt;
  const auto group = known.value_or("");
  const auto name = group.substr(0, group.rfind('@')); // a script is told no number
  JsvDialogue dialogue(
      jsv_parameters(request, {"client", context.program, context.user, name}, dates),
      request.environment);
  const auto asked = process->ask(dialogue, *patience);
  const auto& verdict = dialogue.verdict();
  for (const auto& [level, text] : verdict.log) context.out << printable(text) << "\n";
  context.out.flush();
  if (!asked) return failed(asked.what());
  using State = JsvVerdict::State;
  if (verdict.state == State::accept) return Done{};
  if (verdict.state != State::correct)
    return Error{verdict.text.empty() ? "job rejected by the JSV " + url : verdict.text};
  auto corrected = jsv_corrected(request, verdict.changes, dates);
  if (!corrected) return failed(corrected.what());
  if (auto sound = valid(*corrected); !sound) return failed(sound.what());
  request = std::move(*corrected);
  return Done{};
}

} // namespace

Outcome ask_client_jsvs(Context& context, SubmitOptions& options) {
  for (auto source = options.jsv.rbegin(); source != options.jsv.rend(); ++source)
    for (const auto& url : *source)
      if (auto asked = ask(context, url, options.request); !asked) return asked;
  return Done{};
}

int tell_rejection(Context& context, const std::string& why) {
  context.err << "Unable to run job: " << printable(why) << ".\nExiting.\n";
  return 1;
}

} // namespace almanac
