// The load sensors of a host as processes: children of the helper, with the rights of the half that
// talks, which has their pipes.
//
// 1. Each is started anew once it has ended, and the one before is killed first.
// 2. They end with the helper.
#pragma once

#include "agent/helper/session_process.hpp"

#include <string>
#include <sys/types.h>
#include <vector>

namespace almanac {

class SensorProcesses {
public:
  /// What a sensor finds in its environment.
  struct Place {
    SessionUser user;
    std::string root, cell; ///< SGE_ROOT, SGE_CELL
  };
  explicit SensorProcesses(Place place) : place_(std::move(place)) {}
  ~SensorProcesses() { set({}); }
  SensorProcesses(const SensorProcesses&) = delete;
  SensorProcesses& operator=(const SensorProcesses&) = delete;

  /// These from now on; what runs of others is killed.
  void set(std::vector<std::string> programs);
  std::size_t size() const { return sensors_.size(); }

  struct Pipes {
    int input = -1, output = -1; ///< the caller's to close
  };
  /// Starts the sensor of this place in the list; one that runs is killed.
  Result<Pipes> start(std::size_t at);
  void end(std::size_t at);
  /// A child of this process was waited for: its id means another one from now on.
  void child_ended(pid_t pid);

private:
  struct Sensor {
    std::string program;
    pid_t pid = -1; ///< -1: none runs
  };
  [[noreturn]] void become(const std::string& program, int input, int output, pid_t helper) const;

  Place place_;
  std::vector<Sensor> sensors_;
};

} // namespace almanac
