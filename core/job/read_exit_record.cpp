#include "core/job/read_exit_record.hpp"

#include "core/text/numbers.hpp"
#include "core/text/words.hpp"

#include <map>
#include <string_view>

namespace almanac {

namespace {

struct Parser {
  std::map<std::string, std::string> values;
  bool complete = true, may_lack = false;
  void operator()(const char* name, std::int64_t& field) {
    // Shepherds that were started before there was this field don't write it, nor any behind it.
    may_lack = may_lack || std::string_view(name) == "ended";
    if (may_lack && !values.contains(name)) return;
    auto number = parse_signed(values[name]);
    if (number) field = *number;
    else complete = false;
  }
  void operator()(const char* name, std::string& field) { field = values[name]; }
};

} // namespace

Result<ExitRecord> parse_exit_record(const std::string& text) {
  Parser parser;
  for (const auto& line : split(text, '\n')) {
    const auto blank = line.find(' ');
    if (blank != std::string::npos) parser.values[line.substr(0, blank)] = line.substr(blank + 1);
  }
  ExitRecord record;
  describe(parser, record);
  if (!parser.complete) return Error{"the exit record is not complete"};
  return record;
}

} // namespace almanac
