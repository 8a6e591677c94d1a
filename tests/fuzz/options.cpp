// The words of qsub, qrsub and qalter, and the "#$" lines of scripts.
#include "core/request/reserve_options.hpp"
#include "core/request/submit_options.hpp"
#include "core/request/valid.hpp"
#include "core/text/words.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace almanac;

namespace {

Result<Instant> to_instant(const DateTime& date) {
  check(date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= 31, "a date is one");
  check(date.hour <= 24 && date.minute <= 60 && date.second <= 61, "a time of the day is one");
  if (date.year > 9999) return Error{"too late"};
  return Instant{std::int64_t{date.year} * 31'536'000 + date.month * 2'600'000 + date.day * 86'400};
}

void check_refusal(const std::string& what) { check(!what.empty(), "a refusal says why"); }

void submit(const std::vector<std::string>& words, const std::string& script) {
  const SubmitSite place{"/work", {{"HOME", "/home/a"}, {"A", "1"}}, to_instant};
  const auto read = parse_submission(
      words, place, {[&](const std::string&) -> Result<std::string> { return script; }});
  if (!read) return check_refusal(read.what());
  (void)valid(read->request);
  check(read->help || !read->request.binary || !read->command.empty(), "there is something to run");
}

void reserve(const std::vector<std::string>& words) {
  const auto read = parse_reservation(words, to_instant);
  if (!read) return check_refusal(read.what());
  (void)valid(read->request);
}

// As qalter has them: its own and those of qsub that can be altered.
void alter(const std::vector<std::string>& words) {
  const auto given = parse_options(words, alter_option_rules(), Operands::anywhere);
  if (!given) return check_refusal(given.what());
  std::size_t count = given->operands.size();
  for (const auto& option : given->options) count += 1 + option.values.size();
  check(count <= words.size(), "no word is taken twice");
}

} // namespace

// A byte for the command; then its words, a line each, and behind a zero byte a script.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Pieces pieces(as_text(data, size));
  const auto choice = pieces.byte();
  const auto end = pieces.rest().find('\0');
  const auto words = split(pieces.rest().substr(0, end), '\n');
  const auto script =
      end == std::string_view::npos ? std::string_view() : pieces.rest().substr(end + 1);
  switch (choice % 4) {
  case 0: submit(words, std::string(script)); break;
  case 1: reserve(words); break;
  case 2: alter(words); break;
  case 3: {
    const auto prefix = words.empty() ? std::string() : words.front();
    if (const auto read = script_options(script, prefix); !read) check_refusal(read.what());
  }
  }
  return 0;
}
