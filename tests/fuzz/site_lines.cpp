// Lines of metaschedulers, and what is made of them.
#include "core/answer/ggf.hpp"
#include "core/request/site_request.hpp"
#include "core/request/valid.hpp"
#include "core/text/token_list.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace almanac;

namespace {

bool is_refusal(const SiteRefusal& refusal) {
  return refusal.status <= -10 && refusal.status >= -14 && !refusal.message.empty() &&
         refusal.message.size() < 512;
}

// What a line asks for is valid as any door would look at it, but for what only the planner knows.
void look_at(const SiteMeaning& meaning) {
  if (const auto* query = std::get_if<WhenQuery>(&meaning))
    check(valid(*query).ok(), "a question about a job is valid");
  if (const auto* query = std::get_if<StartsQuery>(&meaning))
    check(valid(*query).ok(), "a question about starts is valid");
  if (const auto* set = std::get_if<ReserveEarliest>(&meaning))
    check(valid(set->prepare.request).ok() && valid(set->search).ok(),
          "what is to be reserved is valid");
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto [line, refusal] = parse_site_line(as_text(data, size));
  if (refusal) {
    check(is_refusal(*refusal), "a refusal has a status and a reason");
    return 0;
  }
  check(line.verb.has_value(), "a line that is taken has a verb");
  const auto again = parse_site_line(print_site_line(line));
  if (print_site_line(line).size() <= longest_site_line)
    check(!again.refusal && again.line.tokens == line.tokens && again.line.verb == line.verb,
          "what is printed is read back");
  const auto request = site_request(line, "");
  if (!request) check(is_refusal(request.error()), "a refusal has a status and a reason");
  else look_at(request->meaning);
  check(ggf::answer_line(0, line.tokens).find('\n') == std::string::npos, "an answer is one line");
  return 0;
}
