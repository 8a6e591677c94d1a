#include "core/request/jsv_dialogue.hpp"

#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

// Up to the next blank; what follows it stays in the line.
std::string_view take_word(std::string_view& line) {
  const auto end = std::min(line.find(' '), line.size());
  const auto word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

bool is_text(std::string_view line) {
  return is_utf8(line) &&
         std::none_of(line.begin(), line.end(), [](char c) { return is_control(c) && c != '\t'; });
}

template <class T, std::size_t size>
const T* find(const std::pair<std::string_view, T> (&words)[size], std::string_view word) {
  const auto* found = std::find_if(std::begin(words), std::end(words),
                                   [&](const auto& one) { return one.first == word; });
  return found == std::end(words) ? nullptr : &found->second;
}

using State = JsvVerdict::State;
using Level = JsvVerdict::Log::Level;
using Verb = JsvChanges::Verb;

constexpr std::pair<std::string_view, State> states[]{{"ACCEPT", State::accept},
                                                      {"CORRECT", State::correct},
                                                      {"REJECT", State::reject},
                                                      {"REJECT_WAIT", State::reject_wait}};
constexpr std::pair<std::string_view, Level> levels[]{
    {"INFO", Level::info}, {"WARNING", Level::warning}, {"ERROR", Level::error}};
constexpr std::pair<std::string_view, Verb> verbs[]{
    {"ADD", Verb::add}, {"MOD", Verb::modify}, {"DEL", Verb::remove}};

Error not_understood(std::string_view line) {
  return {"it wrote \"" + excerpt(line) + "\", which is not understood"};
}

} // namespace

Result<std::string> JsvDialogue::hear(std::string_view line) {
  bytes_ += line.size() + 1;
  if (line.size() > longest_line)
    return Error{"it wrote a line of more than " + std::to_string(longest_line) + " bytes"};
  if (bytes_ > most_bytes)
    return Error{"it wrote more than " + std::to_string(most_bytes) + " bytes about one job"};
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!is_text(line)) return Error{"it wrote what is no text"};
  if (trim(line).empty()) return std::string();
  auto rest = line;
  const auto verb = take_word(rest);
  Outcome taken = Done{};
  if (verb == "LOG") taken = take_log(rest);
  else if (verb == "ERROR") return Error{"it failed: " + excerpt(rest, 400)};
  else if (!has_started_ && trim(line) == "SEND ENV") wants_environment_ = true;
  else if (!has_started_ && trim(line) == "STARTED") return has_started_ = true, description();
  else if (!has_started_) return Error{not_understood(line).what + " before STARTED"};
  else if (verb == "PARAM") taken = take_parameter(rest);
  else if (verb == "ENV") taken = take_variable(rest);
  else if (verb == "RESULT") taken = take_result(rest);
  else return not_understood(line);
  if (!taken) return taken.error();
  return std::string();
}

std::string JsvDialogue::description() const {
  std::string text;
  for (const auto& [name, value] : parameters_)
    text += "PARAM " + name + " " + jsv_escaped(value) + "\n";
  if (wants_environment_)
    for (const auto& [name, value] : environment_)
      text += "ENV ADD " + name + " " + jsv_escaped(value) + "\n";
  return text + "BEGIN\n";
}

Outcome JsvDialogue::take_log(std::string_view rest) {
  const auto* level = find(levels, take_word(rest));
  if (!level) return Error{"it wrote LOG without INFO, WARNING or ERROR"};
  if (verdict_.log.size() == most_logs)
    return Error{"it wrote more than " + std::to_string(most_logs) + " lines with LOG"};
  verdict_.log.push_back({*level, std::string(rest)});
  return Done{};
}

Outcome JsvDialogue::take_parameter(std::string_view rest) {
  const auto name = take_word(rest);
  if (name.empty()) return Error{"it wrote PARAM without a name"};
  auto& all = verdict_.changes.parameters;
  if (all.size() == most_changes)
    return Error{"it changed more than " + std::to_string(most_changes) + " parameters"};
  all.push_back({std::string(name), jsv_unescaped(rest)});
  return Done{};
}

Outcome JsvDialogue::take_variable(std::string_view rest) {
  const auto* verb = find(verbs, take_word(rest));
  const auto name = take_word(rest);
  if (!verb || name.empty()) return Error{"it wrote ENV without ADD, MOD or DEL and a name"};
  auto& all = verdict_.changes.environment;
  if (all.size() == most_changes)
    return Error{"it changed more than " + std::to_string(most_changes) + " variables"};
  all.push_back({*verb, std::string(name), jsv_unescaped(rest)});
  return Done{};
}

Outcome JsvDialogue::take_result(std::string_view rest) {
  const auto* state = take_word(rest) == "STATE" ? find(states, take_word(rest)) : nullptr;
  if (!state)
    return Error{"it wrote RESULT without STATE and ACCEPT, CORRECT, REJECT or REJECT_WAIT"};
  verdict_.state = *state, verdict_.text = trim(rest);
  return Done{};
}

} // namespace almanac
