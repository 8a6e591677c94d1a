#include "core/configuration/objects/quota_file.hpp"

#include "core/configuration/objects/quota_set_name.hpp"
#include "core/text/names.hpp"
#include "core/text/table.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <optional>

namespace almanac {

namespace {

constexpr std::size_t keyword_width = 12;
constexpr std::size_t most_errors = 20;

struct Line {
  std::size_t number = 0; ///< of its first line in the file
  std::string text;
};

// A backslash and a line break are one blank, before anything is read (Q2.2).
std::vector<Line> joined_lines(std::string_view text) {
  std::vector<Line> lines;
  bool continues = false;
  std::size_t number = 0;
  for (auto& piece : split(text, '\n')) {
    ++number;
    if (piece.ends_with('\r')) piece.pop_back();
    std::replace(piece.begin(), piece.end(), '\r', ' '); // it separates, too (Q2.8)
    if (!continues) lines.push_back({number, ""});
    continues = piece.ends_with('\\');
    if (continues) piece.back() = ' ';
    lines.back().text += piece;
  }
  return lines;
}

Outcome check_text(std::string_view text) {
  const auto is_wrong = [](char c) { return is_control(c) && c != '\t'; };
  if (std::any_of(text.begin(), text.end(), is_wrong))
    return Error{"the text holds a control character\n\"" + excerpt(text) + "\""};
  if (!is_utf8(text)) return Error{"the text is not valid UTF-8\n\"" + excerpt(text) + "\""};
  return Done{};
}

// What is wrong is left out, and reading goes on behind it.
class FileReader {
public:
  Outcome read(const Line& line) {
    const auto text = trim(line.text);
    if (auto sound = check_text(text); !sound)
      return last(sound.error()); // no text at all, perhaps
    if (text.empty() || text.starts_with('#')) return Done{};
    if (!set_) return is_lost_ && text != "{" ? Outcome(Done{}) : open(line, text);
    if (text == "}") return close();
    const auto end = std::min(text.find_first_of(" \t"), text.size());
    if (text.substr(0, end) == "limit") return read_rule(line.number, text);
    return read_attribute(text.substr(0, end), trim(text.substr(end)), text);
  }

  Outcome finish() const {
    if (set_)
      return Error{"a resource quota set has no \"}\"\nline " + std::to_string(begin_) + ": \"{\""};
    if (sets_.empty()) return Error{"the file holds no resource quota sets"};
    return Done{};
  }
  /// The rest would only be refused line by line.
  bool has_given_up() const { return has_given_up_; }

  std::vector<ConfigurationObject> sets() { return std::move(sets_); }
  std::map<std::string, std::vector<std::size_t>> lines() { return std::move(lines_); }

private:
  Outcome open(const Line& line, std::string_view text) {
    is_lost_ = text != "{";
    if (is_lost_)
      return Error{"a resource quota set begins with \"{\" in a line by itself\n\"" +
                   excerpt(text) + "\""};
    if (sets_.size() == most_quota_sets)
      return last({"at most " + std::to_string(most_quota_sets) +
                   " resource quota sets are taken from a file\n\"{\""});
    set_ = {ObjectKind::quota_set, "", {{"description", "NONE"}, {"enabled", "TRUE"}}};
    begin_ = line.number, given_.clear(), rules_.clear(), rule_lines_.clear(), size_ = 0;
    return Done{};
  }

  Outcome close() {
    if (set_->name.empty()) {
      set_.reset();
      if (is_given("name")) return Done{}; // it was a wrong one
      return Error{"resource quota set has no name\n\"}\""};
    }
    set_->set("limit", join_rules(rules_));
    lines_[set_->name] = rule_lines_;
    sets_.push_back(std::move(*set_));
    set_.reset();
    return Done{};
  }

  Outcome read_attribute(std::string_view name, std::string_view value, std::string_view line) {
    if (name != "name" && name != "description" && name != "enabled")
      return Error{"unknown attribute name \"" + excerpt(name) + "\"\n\"" + excerpt(line) + "\""};
    if (is_given(name))
      return Error{"attribute \"" + std::string(name) + "\" appears more than once\n\"" +
                   excerpt(line) + "\""};
    given_.emplace_back(name);
    if (name == "name") return take_name(value);
    if (name == "description") set_->set(name, canonical_description(value));
    else if (auto enabled = parse_enabled(value); !enabled)
      return Error{enabled.what() + "\n\"" + excerpt(line) + "\""};
    else set_->set(name, *enabled ? "TRUE" : "FALSE");
    return Done{};
  }

  bool is_given(std::string_view name) const {
    return std::find(given_.begin(), given_.end(), name) != given_.end();
  }
  Error last(Error error) {
    has_given_up_ = true;
    return error;
  }

  Outcome take_name(std::string_view name) {
    if (auto sound = check_quota_set_name(name); !sound)
      return Error{sound.error().what + "\n\"" + excerpt(name.empty() ? "name" : name) + "\""};
    for (const auto& earlier : sets_)
      if (earlier.name == name)
        return Error{"Resource quota replacement request contains rqs name \"" + excerpt(name) +
                     "\" multiple times\n\"" + excerpt(name) + "\""};
    set_->name = name;
    return Done{};
  }

  Outcome read_rule(std::size_t number, std::string_view line) {
    if (rules_.size() == most_quota_rules)
      return last({"at most " + std::to_string(most_quota_rules) +
                   " rules are taken in a resource quota set\n\"" + excerpt(line) + "\""});
    auto rule = parse_quota_rule(line);
    if (!rule) return rule.error();
    size_ += text_of(*rule).size() + 1;
    if (size_ > longest_quota_rules)
      return last({"at most " + std::to_string(longest_quota_rules) +
                   " bytes of rules are taken in a resource quota set\n\"" + excerpt(line) + "\""});
    rules_.push_back(std::move(*rule));
    rule_lines_.push_back(number);
    return Done{};
  }

  std::vector<ConfigurationObject> sets_;
  std::optional<ConfigurationObject> set_; ///< the one that is being read
  std::size_t begin_ = 0;                  ///< its line
  bool is_lost_ = false, has_given_up_ = false;
  std::vector<std::string> given_;
  std::vector<QuotaRule> rules_;
  std::vector<std::size_t> rule_lines_;
  std::size_t size_ = 0;                                  ///< bytes of its rules
  std::map<std::string, std::vector<std::size_t>> lines_; ///< of the sets that are read
};

std::string line_of(std::string_view keyword, std::string_view value) {
  return "   " + left(std::string(keyword), keyword_width) + " " + std::string(value) + "\n";
}

} // namespace

QuotaFile read_quota_file(std::string_view text) {
  if (text.size() > longest_quota_file)
    return {{},
            {{"a file of resource quota sets has at most " + std::to_string(longest_quota_file) +
              " bytes, not " + std::to_string(text.size())}}};
  FileReader reader;
  QuotaFile file;
  for (const auto& line : joined_lines(text)) {
    if (auto read = reader.read(line); !read)
      file.errors.push_back(located(read.error(), "line " + std::to_string(line.number)));
    if (reader.has_given_up() || file.errors.size() == most_errors) return file;
  }
  if (auto finished = reader.finish(); !finished && file.errors.empty())
    file.errors.push_back(finished.error());
  file.sets = reader.sets();
  return file;
}

Result<std::vector<ConfigurationObject>> parse_quota_sets(std::string_view text) {
  auto file = read_quota_file(text);
  if (!file.errors.empty()) return file.errors.front();
  return std::move(file.sets);
}

std::map<std::string, std::vector<std::size_t>> quota_rule_lines(std::string_view text) {
  FileReader reader;
  for (const auto& line : joined_lines(text))
    if (!reader.read(line)) break;
  return reader.lines();
}

std::string print_quota_set(const ConfigurationObject& object) {
  const auto pattern = template_of(object.kind, "");
  const auto value = [&](const char* attribute) {
    const auto* own = object.find(attribute);
    return own ? *own : *pattern.find(attribute);
  };
  auto text = "{\n" + line_of("name", object.name) + line_of("description", value("description")) +
              line_of("enabled", value("enabled"));
  for (const auto& rule : split_rules(value("limit")))
    text += line_of("limit", trim(std::string_view(rule).substr(rule.find(' ') + 1)));
  return text + "}\n";
}

ConfigurationObject new_quota_set(std::string name) {
  auto object = template_of(ObjectKind::quota_set, std::move(name));
  object.set("description", "\"\"");
  object.set("limit", "limit to slots=0");
  return object;
}

} // namespace almanac
