// The load sensors of this host (load_sensor in sge_conf(5)): programs of the site that say what an
// agent does not measure. The helper starts them, this side has their pipes.
//
//   absent --start--> asked with an empty line --a report--> answered --the next question--> asked …
//     ^                 |
//     '-- it has ended, its file is another one, it answers nothing ("quit" is written first)
//
// 1. A sensor that ends is started anew, ever later while it brings no report.
// 2. One that writes without end is read no further until it is asked again.
// 3. What it said is forgotten with it.
//
// Of one thread.
#pragma once

#include "agent/helper_client.hpp"
#include "agent/ready_files.hpp"
#include "core/host/sensor_report.hpp"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace almanac {

class LoadSensors {
public:
  LoadSensors(std::string host, HelperClient helper) : host_(std::move(host)), helper_(helper) {}
  ~LoadSensors();
  LoadSensors(const LoadSensors&) = delete;
  LoadSensors& operator=(const LoadSensors&) = delete;

  /// Those of a SensorOrder from now on; empty: none. Times are milliseconds that never go back.
  void use(const Bytes& order, const Bytes& signature, std::int64_t now_ms);
  /// Asks each for a report, and starts those that are not there.
  void ask(std::int64_t now_ms);
  /// Does what is due by now: sensors that were told to end are made to.
  void go_on(std::int64_t now_ms);
  void add_to(ReadyFiles& files);

  /// What they have reported; of two that say the same the last one in the list.
  std::vector<LoadValue> values() const;

private:
  struct Sensor {
    explicit Sensor(std::string path, const std::string& host)
        : program(std::move(path)), report(host) {}
    bool is_there() const { return output >= 0; }

    std::string program;
    SensorReport report;
    int input = -1, output = -1;
    std::int64_t file_changed = 0; ///< when, as the system says it
    std::int64_t next_start_ms = 0, pause_ms = 0;
    std::int64_t unanswered = 0;   ///< questions
    std::size_t bytes_read = 0;    ///< since the last one
    std::int64_t told_dropped = 0; ///< lines that were dropped, when that was logged
  };
  void start(std::size_t at, std::int64_t now_ms);
  void question(Sensor& sensor);
  void hear(Sensor& sensor);
  void part(Sensor& sensor, const char* why);
  static void quit(Sensor& sensor);

  std::string host_;
  HelperClient helper_;
  Bytes order_, signature_;
  std::deque<Sensor> sensors_;
  std::int64_t end_at_ms_ = 0; ///< when those that were told to end are made to; 0: none were
};

} // namespace almanac
