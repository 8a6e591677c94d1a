// What a shepherd reads: an order that is taken is printed as it was, and one that is not printed
// by ourselves is not taken.
#include "agent/shepherd/shepherd_order.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/record_mutation.hpp"

#include <cstring>

using namespace almanac;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(as_text(data, size));
  const auto order = parse_shepherd_order(text);
  if (!order) {
    check(order.what().size() < 1000, "a refusal is short");
    return 0;
  }
  check(!order->job.arguments.empty(), "an order that is taken has something to run");
  check(check_shepherd_order(*order).ok(), "what is taken once is taken again");
  const auto printed = print_shepherd_order(*order);
  const auto again = parse_shepherd_order(printed);
  check(again.ok() && print_shepherd_order(*again) == printed,
        "what is printed reads back the same");
  check(printed.size() <= text.size(), "there is nothing in an order that it does not need");
  return 0;
}

#ifdef ALMANAC_FUZZ
// Half of the time one field is changed: each has its length before it.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t limit, unsigned seed) {
  RecordMutation mutation(seed);
  auto order = parse_shepherd_order(std::string(as_text(data, size)));
  if (!order || mutation.below(2) == 0) return LLVMFuzzerMutate(data, size, limit);
  mutation.change(*order);
  const auto text = print_shepherd_order(*order);
  if (text.size() > limit) return LLVMFuzzerMutate(data, size, limit);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
#endif
