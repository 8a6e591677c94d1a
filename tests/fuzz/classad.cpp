// Policies of a site, in the language of reservable.ad: parsed, evaluated, explained; what is printed
// reads back the same.
#include "core/policy/reservable.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace almanac;

namespace {

AdHost host() {
  const std::vector<PolicyNode> nodes{
      {"n1", true, 300'000, 1, "lx-amd64", "linux", 4, 1 << 30, 5, {"all.q"}}, {"n2", false}};
  AdHost host;
  host.now = 1'700'000'000;
  host.variables = {policy_nodes(nodes), policy_nodes(nodes).as<AdList>()->begin()[0],
                    ad_text("ann")};
  host.function = [](const std::string&, const std::vector<AdValue>& given) {
    return given.empty() ? std::nullopt : std::optional(given.front());
  };
  return host;
}

void evaluate_all(const Ad& ad, const AdHost& host) {
  for (const char* name : {"PLUS_NODE_RESERVABLE", "a", "b", "x"}) {
    const auto value = evaluate(ad, name, host);
    const auto printed = print_value(value, 10'000);
    check(printed.size() <= 10'003, "what is printed is bounded");
    check(print_value(evaluate(ad, name, host), 10'000) == printed, "a value is the same twice");
    const auto reasons = why_not(ad, name, host);
    check(reasons.empty() == value.is_true() && reasons.size() <= 8,
          "what is not true has a reason");
  }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = as_text(data, size);
  const AdWords words{{"PLUS_ALL_NODES", "PLUS_CANDIDATE_NODE", "PLUS_RSV_OWNER"},
                      {"plus_rsvutil"}};
  const auto ad = parse_ad(text, words);
  if (!ad) {
    check(!ad.what().empty() && ad.what().size() < 300, "an error is short");
    return 0;
  }
  const auto printed = print_ad(*ad);
  evaluate_all(*ad, host());
  if (printed.size() > 200'000) return 0; // blanks and brackets may make it longer than it may be
  const auto again = parse_ad(printed, words);
  check(again.ok() && print_ad(*again) == printed, "a text reads back");
  for (const char* name : {"PLUS_NODE_RESERVABLE", "a", "b", "x"})
    check(print_value(evaluate(*ad, name, host()), 10'000) ==
              print_value(evaluate(*again, name, host()), 10'000),
          "what reads back has the same value");
  return 0;
}
