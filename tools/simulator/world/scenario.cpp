#include "tools/simulator/world/scenario.hpp"

#include "core/configuration/objects/site_file.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "tools/commands/context.hpp"
#include "tools/simulator/world/scenario_text.hpp"
#include "tools/simulator/world/transaction_line.hpp"

#include <fstream>
#include <iostream>

namespace almanac {

namespace {

// Plays the lines of one scenario in one world.
class Player {
public:
  Player(ScenarioText& text, World& world, PlayOptions options)
      : text_(text), world_(world), options_(options) {}

  Outcome run() {
    while (!text_.at_end()) {
      const auto number = text_.number();
      if (auto done = step(); !done) return Error{std::to_string(number) + ": " + done.what()};
    }
    return Done{};
  }

private:
  Outcome step() {
    const auto line = text_.next();
    if (line.starts_with("## ")) {
      if (options_.explain && here_) std::cout << "\n== " << line.substr(3) << std::endl;
      return Done{};
    }
    if (line.empty() || line.starts_with('#')) return Done{};
    auto parts = words(line, " ");
    if (line == "everywhere") here_ = true;
    else if (parts[0] == "on") here_ = parts.size() == 2 && parts[1] == world_.name();
    else if (line.starts_with("$ ")) return command(line.substr(2), Duration{0});
    else if (parts[0] == "eventually" && parts.size() > 3) {
      auto patience = seconds(parts[1]);
      if (!patience) return patience.error();
      return command(line.substr(line.find("$ ") + 2), *patience);
    } else if (parts[0] == "file" && parts.size() == 2) return file(parts[1]);
    else if (!here_) return Done{};
    else if (parts[0] == "hosts") return hosts(parts);
    else if (parts[0] == "as" && parts.size() == 2) user_ = parts[1];
    else if (parts[0] == "wait" && parts.size() == 2) {
      auto duration = seconds(parts[1]);
      if (!duration) return duration.error();
      world_.wait(*duration);
    } else if (parts[0] == "mischief") return mischief(parts, line);
    else if (parts.size() >= 2 && (parts[1] == "agent" || parts[1] == "master")) {
      if (options_.explain) std::cout << "   [" << line << "]" << std::endl;
      return world_.stage(parts[0], parts.size() > 2 ? parts[2] : "");
    } else return Error{"\"" + line + "\" is not understood"};
    return Done{};
  }

  Outcome mischief(const std::vector<std::string>& parts, const std::string& line) {
    if (options_.explain) std::cout << "   [" << line << "]" << std::endl;
    return world_.mischief(parts);
  }

  static Result<Duration> seconds(const std::string& text) {
    auto number = parse_number(text.ends_with('s') ? text.substr(0, text.size() - 1) : text);
    if (!number) return Error{"\"" + text + "\" is not a number of seconds"};
    return Duration{*number};
  }

  Outcome hosts(const std::vector<std::string>& parts) {
    std::vector<std::string> names;
    std::int64_t slots = 1;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      if (parts[i].starts_with("slots=")) {
        auto number = parse_number(parts[i].substr(6));
        if (!number) return number.error();
        slots = *number;
      } else names.push_back(parts[i]);
    }
    if (auto begun = world_.begin(names, slots); !begun) return begun;
    return fix_order_of_hosts();
  }

  // Scenarios say on which host a job runs: the load of the machine that plays them may not decide.
  Outcome fix_order_of_hosts() {
    const auto path = world_.directory() + "/order";
    std::ofstream(path) << "load_formula 0\njob_load_adjustments NONE\n";
    const auto output = world_.run("", {"qconf", "-Msconf", path});
    if (output.code != 0) return Error{output.text};
    return Done{};
  }

  Outcome file(const std::string& name) {
    const auto content = text_.file(substitute_);
    if (!here_) return Done{};
    constexpr std::string_view common = "common/";
    if (name.starts_with(common)) {
      const auto file = name.substr(common.size());
      if (!is_site_file(file)) return Error{name + " is not a file that the planner goes by"};
      return world_.put_site_file(file, content);
    }
    std::ofstream out(world_.directory() + "/" + name);
    out << content;
    if (!out) return Error{"can't write " + name};
    return Done{};
  }

  std::string substituted(std::string text) const {
    for (auto at = text.find("{dir}"); at != std::string::npos; at = text.find("{dir}"))
      text.replace(at, 5, world_.directory());
    for (auto at = text.find("{offer}"); at != std::string::npos; at = text.find("{offer}"))
      text.replace(at, 7, offer_);
    for (auto at = text.find("{+"); at != std::string::npos; at = text.find("{+")) {
      const auto end = text.find("s}", at);
      if (end == std::string::npos) break;
      const auto offset = parse_number(text.substr(at + 2, end - at - 2));
      text.replace(at, end + 2 - at, typed_date(world_.now() + Duration{offset ? *offset : 0}));
    }
    return text;
  }

  Outcome command(const std::string& line, Duration patience) {
    const auto wanted = text_.expectation(substitute_);
    if (!here_) return Done{};
    const auto until = world_.now() + patience;
    for (;;) {
      auto parts = shell_words(substituted(line));
      if (!parts) return parts.error();
      const auto output = perform(*parts);
      note_offer(output.text);
      auto lines = split(output.text, '\n');
      if (!lines.empty() && lines.back().empty()) lines.pop_back();
      const bool right = wanted.fits(lines, output.code);
      if (right || world_.now() >= until) {
        if (options_.explain) std::cout << "$ " << line << "\n" << output.text << std::flush;
        if (right) return Done{};
        if (options_.rewrite) return text_.replace(wanted, lines, output.code, world_.directory());
        return Error{complaint(line, wanted, lines, output.code)};
      }
      world_.wait(Duration{1});
    }
  }

  // "Offer 7.2f81c09ae4b7d310 until …"
  void note_offer(const std::string& text) {
    const auto said = words(text, " ");
    if (said.size() > 1 && said[0] == "Offer") offer_ = said[1];
  }

  World::Output perform(const std::vector<std::string>& words) {
    auto transaction = transaction_line(words, world_.now());
    if (!transaction) return world_.run(user_, words);
    if (!*transaction) return {1, transaction->what() + "\n"};
    return world_.perform(user_, std::move(**transaction));
  }

  static std::string complaint(const std::string& line, const Expectation& wanted,
                               const std::vector<std::string>& lines, int code) {
    std::string text =
        "$ " + line + "\n  expected exit code " + std::to_string(wanted.code) + " and:\n";
    for (const auto& one : wanted.lines) text += "    " + one + "\n";
    text += "  came exit code " + std::to_string(code) + " and:\n";
    for (const auto& came : lines) text += "    " + came + "\n";
    return text;
  }

  ScenarioText& text_;
  World& world_;
  PlayOptions options_;
  const ScenarioText::Substitute substitute_ = [this](std::string text) {
    return substituted(std::move(text));
  };
  std::string user_;
  std::string offer_ = "no-offer"; ///< the token of the last one
  bool here_ = true;
};

} // namespace

std::string typed_date(Instant at) { return print_local(at, "%Y%m%d%H%M.%S"); }

Outcome play(const std::string& path, World& world, const PlayOptions& options) {
  auto text = ScenarioText::read(path);
  if (!text) return text.error();
  if (auto played = Player(*text, world, options).run(); !played)
    return Error{path + ":" + played.what()};
  if (auto written = text->write(); !written) return written;
  if (text->changes() > 0)
    std::cout << path << ": " << text->changes() << " expectations are rewritten" << std::endl;
  return world.finish();
}

} // namespace almanac
