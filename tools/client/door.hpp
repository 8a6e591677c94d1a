// A door as commands see it: one request, the frames of its answer.
#pragma once

#include "core/base/result.hpp"
#include "schema/door_messages.hpp"

#include <functional>
#include <string>

namespace almanac {

class Door {
public:
  using OnFrame = std::function<void(door::ReplyBody&)>;
  virtual ~Door() = default;

  /// Sends the request and hands over each frame of the answer. A Busy answer and a lost connection
  /// are tried again with the same id until the deadline; the error then says that the outcome is
  /// not known.
  virtual Outcome call(door::RequestBody body, const OnFrame& on_frame) = 0;
};

/// The door of this host: ALMANAC_DIR, then SGE_ROOT, then the system's default.
class UnixDoorClient : public Door {
public:
  explicit UnixDoorClient(std::string path) : path_(std::move(path)) {}
  ~UnixDoorClient() override;
  Outcome call(door::RequestBody body, const OnFrame& on_frame) override;

private:
  enum class Step { done, again, busy };
  Step try_once(const std::string& frame, const OnFrame& on_frame, std::string& why,
                std::int64_t& retry_after_ms);
  bool connect(std::string& why);
  bool read_exactly(char* into, std::size_t size);
  void disconnect();

  std::string path_;
  int connection_ = -1;
};

/// A request id that nobody else makes.
std::string make_request_id();

} // namespace almanac
