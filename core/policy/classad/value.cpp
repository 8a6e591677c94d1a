#include "core/policy/classad/value.hpp"

#include "core/policy/classad/times.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace almanac {

namespace {

// Prints until there is enough.
class Printer {
public:
  explicit Printer(std::size_t most) : most_(most) {}

  void print(const AdValue& value) {
    std::visit([&](const auto& content) { put(content); }, value.content);
  }
  std::string text() && {
    if (text_.size() > most_) text_.resize(most_), text_ += "...";
    return std::move(text_);
  }

private:
  bool is_full() const { return text_.size() > most_ || depth_ > deepest; }
  void put(const AdUndefined&) { text_ += "undefined"; }
  void put(const AdError&) { text_ += "error"; }
  void put(bool value) { text_ += value ? "true" : "false"; }
  void put(std::int64_t value) { text_ += std::to_string(value); }
  void put(double value) { text_ += print_real(value); }
  void put(const AdText& text) { text_ += quoted_text(*text); }
  void put(const AbsTime& time) { text_ += "absTime(\"" + print_abs_time(time) + "\")"; }
  void put(const RelTime& time) { text_ += "relTime(\"" + print_rel_time(time.seconds) + "\")"; }
  void put(const AdScope*) { text_ += "[...]"; }
  void put(const AdList& list) {
    ++depth_;
    text_ += '{';
    for (std::size_t i = 0; i < list.count && !is_full(); ++i) {
      if (i) text_ += ", ";
      print(list.begin()[i]);
    }
    text_ += '}';
    --depth_;
  }
  void put(const AdRecord& record) {
    ++depth_;
    const auto before = text_.size();
    for (std::size_t i = 0; i < record->values.size() && !is_full(); ++i) {
      if (record->values[i].is_undefined()) continue;
      text_ += text_.size() == before ? "[" : "; ";
      text_ += record->names->shown[i] + " = ";
      print(record->values[i]);
    }
    text_ += text_.size() == before ? "[]" : "]";
    --depth_;
  }

  static constexpr int deepest = 200;
  std::size_t most_;
  std::string text_;
  int depth_ = 0;
};

} // namespace

std::shared_ptr<const AdNames> ad_names(std::vector<std::string> shown) {
  auto names = std::make_shared<AdNames>();
  for (const auto& name : shown) names->lower.push_back(lower(name));
  names->shown = std::move(shown);
  return names;
}

AdValue ad_text(std::string text) { return {std::make_shared<const std::string>(std::move(text))}; }

AdValue ad_list(std::vector<AdValue> items) {
  const auto count = items.size();
  return {AdList{std::make_shared<const std::vector<AdValue>>(std::move(items)), count}};
}

AdValue ad_texts(const std::vector<std::string>& texts) {
  std::vector<AdValue> items;
  for (const auto& text : texts) items.push_back(ad_text(text));
  return ad_list(std::move(items));
}

AdValue ad_time(Instant at) { return {AbsTime{static_cast<double>(at.seconds), 0}}; }
AdValue ad_duration(Duration length) { return {RelTime{static_cast<double>(length.seconds)}}; }
std::optional<Instant> instant_of(const AdValue& value) {
  constexpr double limit = 1e12;
  const auto* time = value.as<AbsTime>();
  if (!time || !(time->seconds > -limit && time->seconds < limit)) return {};
  return Instant{static_cast<std::int64_t>(std::floor(time->seconds))};
}
AdValue ad_ratio(std::int64_t amount, std::int64_t unit) {
  return {static_cast<double>(amount) / static_cast<double>(unit)};
}

const AdValue* find(const AdFields& record, std::string_view lower_name) {
  const auto& names = record.names->lower;
  for (std::size_t i = 0; i < record.values.size(); ++i)
    if (names[i] == lower_name)
      return record.values[i].is_undefined() ? nullptr : &record.values[i];
  return nullptr;
}

std::size_t size_of(const AdFields& record) {
  return static_cast<std::size_t>(
      std::count_if(record.values.begin(), record.values.end(),
                    [](const AdValue& value) { return !value.is_undefined(); }));
}

std::string print_value(const AdValue& value, std::size_t most) {
  Printer printer(most);
  printer.print(value);
  return std::move(printer).text();
}

std::string print_real(double value) {
  char buffer[40];
  const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value).ptr;
  std::string text(std::begin(buffer), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string quoted_text(std::string_view text) {
  constexpr std::string_view escaped = "\n\t\r\b\f\\\"", letters = "ntrbf\\\"";
  std::string quoted = "\"";
  for (const char c : text) {
    const auto at = escaped.find(c);
    if (at == std::string_view::npos) quoted += c;
    else quoted += '\\', quoted += letters[at];
  }
  return quoted + '"';
}

} // namespace almanac
