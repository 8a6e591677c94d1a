#include "tools/simulator/world/scenario_text.hpp"

#include "core/text/words.hpp"
#include "tools/commands/context.hpp"
#include "tools/simulator/world/expectation.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <utility>

namespace almanac {

namespace {

bool begins_a_step(const std::string& line) {
  for (const char* word : {"$ ", "#", "eventually ", "as ", "wait ", "file ", "on processes",
                           "on simulator", "everywhere", "kill agent", "kill master", "start agent",
                           "start master", "stop agent", "continue agent", "mischief "})
    if (line.starts_with(word)) return true;
  return false;
}

std::string with_dir(std::string line, const std::string& folder) {
  for (auto at = line.find(folder); at != std::string::npos; at = line.find(folder))
    line.replace(at, folder.size(), "{dir}");
  return line;
}

} // namespace

bool Expectation::fits(const std::vector<std::string>& came, int with_code) const {
  if (with_code != code) return false;
  return lines.empty() || (is_nothing() ? came.empty() : all_fit(lines, came));
}

Result<ScenarioText> ScenarioText::read(const std::string& path) {
  auto content = read_text_file(path);
  if (!content) return content.error();
  ScenarioText text;
  text.path_ = path, text.lines_ = split(*content, '\n');
  return text;
}

std::string ScenarioText::next() { return std::string(trim(lines_[at_++])); }

std::string ScenarioText::file(const Substitute& substitute) {
  std::string content;
  for (; !at_end() && trim(lines_[at_]) != "end file"; ++at_)
    content += substitute(lines_[at_]) + "\n";
  if (!at_end()) ++at_;
  return content;
}

Expectation ScenarioText::expectation(const Substitute& substitute) {
  Expectation wanted{at_, at_, {}, 0};
  for (; !at_end(); ++at_) {
    const auto line = std::string(trim(lines_[at_]));
    if (line.empty() || begins_a_step(line)) break;
    if (line.starts_with("-> ")) {
      wanted.code = std::atoi(line.c_str() + 3);
      ++at_;
      break;
    }
    wanted.lines.push_back(substitute(line));
  }
  wanted.last = at_;
  return wanted;
}

Outcome ScenarioText::replace(const Expectation& wanted, const std::vector<std::string>& came,
                              int code, const std::string& folder) {
  auto lines = wanted.lines.empty()  ? Result<std::vector<std::string>>(wanted.lines)
               : wanted.is_nothing() ? rewritten({}, came)
                                     : rewritten(wanted.lines, came);
  if (!lines) return lines.error();
  // What is kept stays as it is written, with its {dir} and dates.
  for (auto& line : *lines) {
    const auto kept = std::find(wanted.lines.begin(), wanted.lines.end(), line);
    const auto index = static_cast<std::size_t>(kept - wanted.lines.begin());
    line = kept == wanted.lines.end() ? with_dir(line, folder) : lines_[wanted.first + index];
  }
  if (code != 0) lines->push_back("-> " + std::to_string(code));
  changes_.push_back({wanted.first, wanted.last, std::move(*lines)});
  return Done{};
}

Outcome ScenarioText::write() {
  if (changes_.empty()) return Done{};
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
    const auto first = lines_.begin() + static_cast<std::ptrdiff_t>(change->first);
    const auto last = lines_.begin() + static_cast<std::ptrdiff_t>(change->last);
    const auto at = lines_.erase(first, last);
    lines_.insert(at, change->lines.begin(), change->lines.end());
  }
  std::ofstream file(path_);
  file << join(lines_, "\n");
  file.close();
  if (!file) return Error{"can't write " + path_};
  return Done{};
}

} // namespace almanac
