#include "core/configuration/objects/folded_text.hpp"

#include "core/configuration/objects/printed_object.hpp"
#include "core/text/table.hpp"

#include <vector>

namespace almanac {

namespace {

constexpr std::size_t line_width = 80;

// Which commas of a value separate elements of its list: not those within brackets.
enum class Commas { none, before_brackets, all };

Commas commas_of(ObjectKind kind, std::string_view attribute) {
  // Grid Engine has a blank behind the commas of these.
  if (attribute == "subordinate_list") return Commas::before_brackets;
  if (kind == ObjectKind::exec_host && attribute == "load_values") return Commas::all; // only shown
  if (kind == ObjectKind::local_configuration) kind = ObjectKind::global_configuration;
  switch (shape_of(kind, attribute).value_or(ValueShape::single)) {
  case ValueShape::names:
  case ValueShape::hosts:
  case ValueShape::amounts:
  case ValueShape::names_by_host:
  case ValueShape::amounts_by_host: return Commas::all;
  case ValueShape::single_by_host: return Commas::before_brackets;
  case ValueShape::single:
  case ValueShape::limits:
  case ValueShape::fixed: return Commas::none;
  }
  return Commas::none;
}

// Walks through a value and says of each place whether a list goes on behind it.
class ListReader {
public:
  ListReader(std::string_view text, Commas commas) : text_(text), commas_(commas) {}

  /// Whether the comma here separates elements; each place is asked about once, in order.
  bool separates(std::size_t at) {
    if (text_[at] == '[') ++depth_;
    if (text_[at] == ']' && depth_ > 0) --depth_;
    if (text_[at] != ',' || depth_ > 0 || commas_ == Commas::none) return false;
    const auto next = text_.find_first_not_of(' ', at + 1);
    return commas_ == Commas::all || (next != std::string_view::npos && text_[next] == '[');
  }

private:
  std::string_view text_;
  Commas commas_;
  std::size_t depth_ = 0;
};

// The parts between which a line may be broken, each with the blank behind it.
std::vector<std::string> parts_of(std::string_view value, Commas commas) {
  std::vector<std::string> parts(1);
  ListReader list(value, commas);
  char quote = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char here = value[i];
    parts.back() += here;
    if (quote == 0 && (here == '"' || here == '\'')) quote = here;
    else if (here == quote) quote = 0;
    const bool separates = list.separates(i);
    if (quote != 0 || i + 1 == value.size() || i == 0) continue;
    // More than one blank would be one when it is read again.
    const bool is_single_blank = here == ' ' && value[i - 1] != ' ' && value[i + 1] != ' ';
    if (is_single_blank || (separates && value[i + 1] != ' ')) parts.emplace_back();
  }
  return parts;
}

std::string print_line(std::string_view name, const std::vector<std::string>& parts,
                       std::size_t column, LongLines lines) {
  auto text = left(std::string(name), column);
  if (text.back() != ' ') text += ' ';
  const std::string indent(text.size(), ' ');
  std::size_t length = text.size();
  bool begins = true;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    // Its last blank needs no room, a backslash behind it does.
    const auto& part = parts[i];
    const auto size = part.size() - (part.ends_with(' ') ? 1 : 0);
    const std::size_t behind = i + 1 < parts.size() ? 2 : 0;
    if (lines == LongLines::broken && !begins && length + size + behind > line_width) {
      if (text.back() != ' ') text += ' ';
      text += "\\\n" + indent;
      length = indent.size();
    }
    text += part, length += part.size(), begins = false;
  }
  return text + "\n";
}

} // namespace

std::string print_folded(const ConfigurationObject& object, LongLines lines) {
  if (object.kind == ObjectKind::complex || object.kind == ObjectKind::quota_set)
    return print_object(object);
  std::string text;
  const auto column = value_column(object.kind);
  if (const auto key = name_attribute(object.kind); !key.empty())
    text += print_line(key, {object.name}, column, lines);
  for (const auto& [name, value] : object.attributes)
    text += print_line(name, parts_of(value, commas_of(object.kind, name)), column, lines);
  return text;
}

std::string unfolded_value(ObjectKind kind, std::string_view attribute, std::string_view value) {
  std::string text;
  ListReader list(value, commas_of(kind, attribute));
  for (std::size_t i = 0; i < value.size(); ++i) {
    text += value[i];
    if (!list.separates(i)) continue;
    while (i + 1 < value.size() && value[i + 1] == ' ') ++i;
  }
  return text;
}

} // namespace almanac
