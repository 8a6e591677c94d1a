// What a load sensor prints (sge_execd(8), "load sensor"):
//
//     begin
//     HOST:NAME:VALUE
//     ...
//     end
//
// Once asked it prints one such report; what a report says replaces what the one before said.
//
// Whatever comes is taken: a sensor is a program of the site, and may be broken. What is too long or
// too much is dropped, and counted.
#pragma once

#include "core/host/load_value.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

class SensorReport {
public:
  /// `host`: where the sensor runs. Its lines may name it with or without a domain, or not at all.
  explicit SensorReport(std::string host) : host_(std::move(host)) {}

  /// Some more of what was printed. Whether a report has come to its end.
  bool take(std::string_view output);
  const std::string& host() const { return host_; }
  /// Of the last report that is complete.
  const std::vector<LoadValue>& values() const { return values_; }
  /// Lines that were dropped: about other hosts, too long, too many, or not in this form.
  std::int64_t dropped() const { return dropped_; }
  /// The first of them.
  const std::string& first_dropped() const { return first_dropped_; }

private:
  bool take_line(std::string_view line);
  void take_value(std::string_view line);
  void drop(std::string_view line);
  bool is_own(std::string_view host) const;

  std::string host_;
  std::string line_; ///< not yet at its end
  bool is_too_long_ = false, is_within_ = false;
  std::vector<LoadValue> coming_, values_;
  std::int64_t dropped_ = 0;
  std::string first_dropped_;
};

} // namespace almanac
