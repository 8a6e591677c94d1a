// What the master signs for the helper of an agent, and what the helper makes of it: a warrant that
// is taken is printed as it was, and becomes an order to a shepherd that is of the task's user and
// has no mark left in it, or none.
#include "actors/trust/keyring.hpp"
#include "agent/helper/task_orders.hpp"
#include "schema/warrant.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/record_mutation.hpp"

#include <cstring>
#include <string_view>
#include <unistd.h>

using namespace almanac;

namespace {

const UserFacts alice{"alice", "/home/alice", "/bin/sh", 1000, 1000};

std::int64_t version_of(std::string_view text) {
  auto version = warrant_version;
  while (version > oldest_warrant_version && !text.starts_with(warrant_format(version))) --version;
  return version;
}

void check_signature(const std::string& text) {
  static const auto key = SigningKey::generate();
  const auto bytes = warrant_label + text;
  const auto signature = key.sign(bytes);
  check(verify_signature(key.public_key(), bytes, signature), "it is the master's");
  auto other = bytes;
  other[text.size() % other.size()] ^= 1;
  check(!verify_signature(key.public_key(), other, signature), "it is for these bytes alone");
}

void check_order(const ShepherdOrder& order) {
  check(::geteuid() != 0 || (!order.job.as.self && order.job.as.uid == alice.uid),
        "it is run as the task's user");
  const auto printed = print_fields(order, "");
  check(parse_fields<ShepherdOrder>(printed, "", "it").ok(), "no text of it has a zero byte");
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto warrant = parse_warrant(as_text(data, size));
  if (!warrant) {
    check(warrant.what().size() < 1000, "a refusal is short");
    return 0;
  }
  const auto version = version_of(as_text(data, size));
  const auto printed = print_warrant(*warrant, version);
  const auto again = parse_warrant(printed);
  check(again.ok() && print_warrant(*again, version) == printed,
        "what is printed reads back the same");
  check(printed.size() <= size, "there is nothing in a warrant that it does not need");
  check_signature(printed);
  static const TaskOrders orders({"/spool", "id", "secret", "/cgroup"}, "cell", "h1", "/agent",
                                 "/usr/bin", 0, -1);
  if (const auto order = orders.for_job(*warrant, alice)) {
    check_order(*order);
    const auto sound = check_shepherd_order(*order);
    check(sound.ok() || sound.what().size() < 1000 + size, "a refusal is no longer than the order");
  }
  const auto folder = orders.tmpdir_of(*warrant);
  check(folder.path(1000).starts_with(folder.shared(0) + "/"), "TMPDIR is in the cell's folder");
  return 0;
}

#ifdef ALMANAC_FUZZ
// Mostly one field is changed: each has its length before it.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t limit, unsigned seed) {
  RecordMutation mutation(seed);
  auto warrant = parse_warrant(as_text(data, size));
  if (!warrant || mutation.below(4) == 0) return LLVMFuzzerMutate(data, size, limit);
  mutation.change(*warrant);
  const auto text = print_warrant(*warrant);
  if (text.size() > limit) return LLVMFuzzerMutate(data, size, limit);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
#endif
