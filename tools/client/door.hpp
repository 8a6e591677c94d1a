// A door as commands see it: one request, the frames of its answer.
#pragma once

#include "core/base/result.hpp"
#include "schema/door_messages.hpp"
#include "tools/client/door_connection.hpp"
#include "tools/client/door_list.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

class Door {
public:
  using OnFrame = std::function<void(door::ReplyBody&)>;
  virtual ~Door() = default;

  /// Sends the request and hands over each frame of the answer. A Busy answer and a lost connection
  /// are tried again with the same id until the deadline; the error then says that the outcome is
  /// not known.
  virtual Outcome call(door::RequestBody body, const OnFrame& on_frame) = 0;
  /// From now on Ctrl-C ends a call that waits for its answer, with an error, and not the process.
  virtual void catch_interrupt() {}
  /// Whether it came; asking forgets it.
  virtual bool take_interrupt() { return false; }
  /// The same as call(), once, while what `input` (a file descriptor, or -1) brings follows the
  /// request.
  virtual Outcome call_with_input(door::Inherit request, const OnFrame& on_frame, int input) {
    static_cast<void>(input);
    return call(std::move(request), on_frame);
  }
};

/// The doors that a directory names, each tried in turn.
class DoorClient : public Door {
public:
  explicit DoorClient(std::string directory) : directory_(std::move(directory)) {}
  Outcome call(door::RequestBody body, const OnFrame& on_frame) override;
  Outcome call_with_input(door::Inherit request, const OnFrame& on_frame, int input) override;
  void catch_interrupt() override;
  bool take_interrupt() override;

private:
  enum class Step { done, again, busy, hopeless };
  struct Try {
    Step step = Step::again;
    std::string why;
    std::int64_t retry_after_ms = 200;
  };

  Try try_once(const std::string& request, const OnFrame& on_frame);
  std::string id_for(const door::RequestBody& body);
  Outcome find_doors();
  Try connect();
  Result<door::Reply> receive();

  std::string directory_;
  std::vector<DoorAddress> doors_;
  std::size_t current_ = 0; ///< of doors_, where the connection leads
  bool asked_ = false;      ///< the request may have arrived
  std::unique_ptr<DoorConnection> connection_;
  int changes_ = 0; ///< that were asked for
};

/// A request id that nobody else makes.
std::string make_request_id();
/// 16 random bytes.
std::string random_nonce();
std::string hexadecimal(std::string_view bytes);

} // namespace almanac
