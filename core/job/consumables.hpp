// What those who run somewhere take of consumables, whether they ask for them or not.
//
// Amounts are as Complex::amount() counts: slots and other whole numbers as they are, bytes, seconds,
// millionths. Source: spec/scheduling.md section 9, spec/quotas.md section 4 (Q4.9 to Q4.14, Q4.17).
#pragma once

#include "core/base/attribute.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

class Configuration;
struct Complex;

/// How often an amount is taken. `alone` and `beside` are for exclusive resources: who asks for one
/// shares the container with nobody, who does not can't be where somebody is alone.
enum class Taking : std::uint8_t { per_slot, per_job, per_host, alone, beside };

struct ConsumableDemand {
  std::string resource;
  std::int64_t amount = 0;
  Taking taking = Taking::per_slot;
  bool asked = false;   ///< false: taken by the complex's default
  std::int64_t per = 1; ///< with -alloc: the amount is for so many slots of a container, or less
};

/// Of an exclusive resource: it is taken once, however many slots there are.
inline bool is_exclusive(const ConsumableDemand& taken) {
  return taken.taking == Taking::alone || taken.taking == Taking::beside;
}
/// What is taken for so many slots of a container, where it is taken per slot.
std::int64_t amount_for(const ConsumableDemand& asked, std::int64_t slots);

/// "a/b" with -alloc: a for every b slots (ruling in spec/rulings.md). Nothing where the value says
/// no such thing, or the complex is not taken per slot.
struct Ratio {
  std::string amount;
  std::int64_t slots;
};
std::optional<Ratio> ratio_of(const Complex& complex, const std::string& value);

/// Of a consumable that is asked for with a valid value; nothing where that asks for nothing.
std::optional<ConsumableDemand> asked_of(const Complex& complex, const std::string& value);

/// Adds what is taken by those who do not ask for it, where somebody offers it or a quota limits it.
void add_defaults(const Configuration& configuration, std::vector<ConsumableDemand>& consumables);

/// All that is taken with these requests, slots first. What is not understood takes nothing.
std::vector<ConsumableDemand> consumables_of(const Configuration& configuration,
                                             const std::vector<Attribute>& resources);

} // namespace almanac
