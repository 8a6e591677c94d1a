// The agent's side of almanac-shepherd: a process that makes shepherds, started when first needed.
#pragma once

#include "agent/shepherd/shepherd_order.hpp"

#include <string>

namespace almanac {

/// Of one thread.
class ShepherdMaker {
public:
  /// `program` is run for `spool`; its complaints go to `log`.
  ShepherdMaker(std::string program, std::string spool, std::string log)
      : program_(std::move(program)), spool_(std::move(spool)), log_(std::move(log)) {}
  ~ShepherdMaker();
  ShepherdMaker(const ShepherdMaker&) = delete;
  ShepherdMaker& operator=(const ShepherdMaker&) = delete;

  /// A shepherd that works in `folder` and hears on `control`, a listening socket, which stays the
  /// caller's. One that could not be made after all shows as the end of connections to `control`.
  Outcome make(const std::string& folder, int control, const ShepherdOrder& order);

private:
  Outcome start();
  void stop();

  const std::string program_, spool_, log_;
  int socket_ = -1;
};

} // namespace almanac
