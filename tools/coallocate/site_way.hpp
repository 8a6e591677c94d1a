// A way to a site: a line goes there, lines come back. A way that is open waits for nothing:
// whoever has several asks poll() about all of them at once.
#pragma once

#include "core/base/result.hpp"

#include <memory>
#include <poll.h>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

class SiteWay {
public:
  SiteWay() = default;
  SiteWay(const SiteWay&) = delete;
  SiteWay& operator=(const SiteWay&) = delete;
  virtual ~SiteWay() = default;

  /// Sends a line as soon as that can be done. One at a time: the last one was answered.
  virtual void send(const std::string& line) = 0;
  /// What poll() is to wait for, at least one descriptor.
  virtual std::vector<pollfd> waits_for() const = 0;
  /// Does what can be done without waiting; the lines that have come, without their ends. An error
  /// is the end of the way, which says why.
  virtual Result<std::vector<std::string>> work() = 0;
  /// A program at its other end is told to end, and whether it has: what leads there may ignore the
  /// end of its input. The destructor ends what is left at once.
  virtual void ask_to_end() {}
  virtual bool has_ended() const { return true; }
};

/// Makes lines of bytes; CR LF ends one, too.
class LineCutter {
public:
  /// The lines that are complete now; an error where one is too long.
  Result<std::vector<std::string>> take(std::string_view bytes);

private:
  std::string begun_;
};

struct SitePlace;
/// Begins to lead there: a program is started, or a connection is begun. It waits for files of the
/// plan that are read, or until the program is executed, but not for what comes over a network. The
/// error names what is in the way.
Result<std::unique_ptr<SiteWay>> open_way(const SitePlace& place);

} // namespace almanac
