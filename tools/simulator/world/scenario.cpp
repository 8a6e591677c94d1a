#include "tools/simulator/world/scenario.hpp"

#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "tools/commands/context.hpp"
#include "tools/simulator/replay/expectation.hpp"
#include "tools/simulator/world/transaction_line.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <optional>

namespace almanac {

namespace {

bool begins_a_step(const std::string& line) {
  for (const char* word : {"$ ", "#", "eventually ", "as ", "wait ", "file ", "on processes",
                           "on simulator", "everywhere", "kill agent", "kill master", "start agent",
                           "start master", "stop agent", "continue agent", "mischief "})
    if (line.starts_with(word)) return true;
  return false;
}

class Player {
public:
  Player(std::string path, World& world, PlayOptions options)
      : path_(std::move(path)), world_(world), options_(options) {}

  Outcome run() {
    auto text = read_text_file(path_);
    if (!text) return text.error();
    lines_ = split(*text, '\n');
    while (at_ < lines_.size()) {
      if (auto done = step(); !done)
        return Error{path_ + ":" + std::to_string(began_ + 1) + ": " + done.what()};
    }
    if (auto written = write_changes(); !written) return written;
    return world_.finish();
  }

private:
  Outcome step() {
    began_ = at_;
    const auto line = std::string(trim(lines_[at_++]));
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
    std::string content;
    for (; at_ < lines_.size() && trim(lines_[at_]) != "end file"; ++at_)
      content += substituted(lines_[at_]) + "\n";
    ++at_;
    if (!here_) return Done{};
    std::ofstream out(world_.directory() + "/" + name);
    out << content;
    if (!out) return Error{"can't write " + name};
    return Done{};
  }

  std::string substituted(std::string text) const {
    for (auto at = text.find("{dir}"); at != std::string::npos; at = text.find("{dir}"))
      text.replace(at, 5, world_.directory());
    for (auto at = text.find("{+"); at != std::string::npos; at = text.find("{+")) {
      const auto end = text.find("s}", at);
      if (end == std::string::npos) break;
      const auto offset = parse_number(text.substr(at + 2, end - at - 2));
      text.replace(at, end + 2 - at, typed_date(world_.now() + Duration{offset ? *offset : 0}));
    }
    return text;
  }

  // What stands below a command line.
  struct Expectation {
    std::size_t first = 0, last = 0; ///< its lines, [first, last)
    std::vector<std::string> lines;
    int code = 0;
    bool is_nothing() const { return lines.size() == 1 && lines.front() == "(nothing)"; }
  };
  Expectation expectation() {
    Expectation wanted{at_, at_, {}, 0};
    for (; at_ < lines_.size(); ++at_) {
      const auto next = std::string(trim(lines_[at_]));
      if (next.empty() || begins_a_step(next)) break;
      if (next.starts_with("-> ")) {
        wanted.code = std::atoi(next.c_str() + 3);
        ++at_;
        break;
      }
      wanted.lines.push_back(substituted(next));
    }
    wanted.last = at_;
    return wanted;
  }

  Outcome command(const std::string& line, Duration patience) {
    const auto wanted = expectation();
    if (!here_) return Done{};
    const auto until = world_.now() + patience;
    for (;;) {
      auto parts = shell_words(substituted(line));
      if (!parts) return parts.error();
      const auto output = perform(*parts);
      auto lines = split(output.text, '\n');
      if (!lines.empty() && lines.back().empty()) lines.pop_back();
      const bool right = output.code == wanted.code &&
                         (wanted.lines.empty() ||
                          (wanted.is_nothing() ? lines.empty() : all_fit(wanted.lines, lines)));
      if (right || world_.now() >= until) {
        if (options_.explain) std::cout << "$ " << line << "\n" << output.text << std::flush;
        if (right) return Done{};
        if (options_.rewrite) return change(wanted, lines, output.code);
        return Error{complaint(line, wanted, lines, output.code)};
      }
      world_.wait(Duration{1});
    }
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

  Outcome change(const Expectation& wanted, const std::vector<std::string>& came, int code) {
    auto lines = wanted.lines.empty()  ? Result<std::vector<std::string>>(wanted.lines)
                 : wanted.is_nothing() ? rewritten({}, came)
                                       : rewritten(wanted.lines, came);
    if (!lines) return lines.error();
    // What is kept stays as it is written, with its {dir} and dates.
    for (auto& line : *lines) {
      const auto kept = std::find(wanted.lines.begin(), wanted.lines.end(), line);
      const auto index = static_cast<std::size_t>(kept - wanted.lines.begin());
      line = kept == wanted.lines.end() ? with_dir(line) : lines_[wanted.first + index];
    }
    if (code != 0) lines->push_back("-> " + std::to_string(code));
    changes_.push_back({wanted.first, wanted.last, std::move(*lines)});
    return Done{};
  }

  std::string with_dir(std::string line) const {
    const auto folder = world_.directory();
    for (auto at = line.find(folder); at != std::string::npos; at = line.find(folder))
      line.replace(at, folder.size(), "{dir}");
    return line;
  }

  Outcome write_changes() {
    for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
      const auto first = lines_.begin() + static_cast<std::ptrdiff_t>(change->first);
      const auto last = lines_.begin() + static_cast<std::ptrdiff_t>(change->last);
      const auto at = lines_.erase(first, last);
      lines_.insert(at, change->lines.begin(), change->lines.end());
    }
    if (changes_.empty()) return Done{};
    std::ofstream file(path_);
    file << join(lines_, "\n");
    file.close();
    if (!file) return Error{"can't write " + path_};
    std::cout << path_ << ": " << changes_.size() << " expectations are rewritten" << std::endl;
    return Done{};
  }

  struct Change {
    std::size_t first, last; ///< lines to be replaced, [first, last)
    std::vector<std::string> lines;
  };

  std::string path_;
  World& world_;
  PlayOptions options_;
  std::vector<std::string> lines_;
  std::size_t at_ = 0, began_ = 0;
  std::string user_;
  bool here_ = true;
  std::vector<Change> changes_;
};

} // namespace

std::string typed_date(Instant at) { return print_local(at, "%Y%m%d%H%M.%S"); }

Outcome play(const std::string& path, World& world, const PlayOptions& options) {
  return Player(path, world, options).run();
}

} // namespace almanac
