// What the master signs for the helper of an agent: which load sensors run on one host
// (load_sensor in sge_conf(5)). Without it the half of an agent that talks could start programs, which it
// has given up (agent/no_programs.hpp).
//
// It is good for a minute by the helper's own clock, as a warrant is (warrant.hpp); what was taken in
// that minute stays good until another one comes.
#pragma once

#include "core/base/describe.hpp"
#include "core/base/result.hpp"
#include "core/text/fields.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac {

struct SensorOrder {
  std::string host;
  Bytes nonce;
  std::vector<std::string> programs; ///< absolute paths; empty: none runs
};
template <class V> void describe(V& visit, SensorOrder& o) {
  visit("host", o.host);
  visit("nonce", o.nonce);
  visit("programs", o.programs);
}

/// Comes before the bytes where they are signed.
inline constexpr const char* sensor_label = "almanac-sensors\n";
inline constexpr std::string_view sensor_format = "almanac-sensors 1\n";
inline constexpr std::size_t most_sensors = 16;

inline std::string print_sensor_order(const SensorOrder& order) {
  return print_fields(order, sensor_format);
}
/// The error names the first field that is not as it was printed, or says that it makes no sense.
inline Result<SensorOrder> parse_sensor_order(std::string_view text) {
  auto order = parse_fields<SensorOrder>(text, sensor_format, "the order for load sensors");
  if (!order) return order;
  bool are_paths = order->programs.size() <= most_sensors;
  for (const auto& program : order->programs) are_paths = are_paths && program.starts_with('/');
  if (!are_paths) return Error{"the order for load sensors: it names no programs"};
  return order;
}

} // namespace almanac
