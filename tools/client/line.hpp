// The line to a door that a client has: which door it is, and what was asked for over it.
#pragma once

#include "tools/client/client.hpp"
#include "tools/client/door_connection.hpp"
#include "tools/client/door_list.hpp"

namespace almanac {

class Client::Line {
public:
  enum class Step { done, again, silent, hopeless };
  struct Try {
    Step step = Step::again;
    std::string why;
    std::int64_t retry_after_ms = 200;
  };

  explicit Line(ClientOptions options) : options_(std::move(options)) {}

  CallResult<Done> call(door::RequestBody body, const OnFrame& on_frame, Patience answer);
  CallResult<StreamEnd> follow(door::Subscribe wanted, const OnChanges& on_changes);
  CallResult<Done> run_process(door::RequestBody body, const OnFrame& on_frame,
                               const ProcessStreams& streams);

  const ClientOptions& options() const { return options_; }

private:
  Outcome find_doors();
  Try connect(const Until& until);
  /// Takes a frame; whether more is wanted.
  using Take = std::function<bool(door::ReplyBody&)>;
  Try try_once(const std::string& request, const Take& take, const Until& reach, Patience answer);
  static Result<door::Reply> receive(DoorConnection& connection, const Until& until);
  std::string id_for(const door::RequestBody& body);

  ClientOptions options_;
  std::vector<DoorAddress> doors_;
  std::size_t current_ = 0; ///< of doors_, where the connection leads
  bool asked_ = false;      ///< the request may have arrived
  std::unique_ptr<DoorConnection> connection_;
  int changes_ = 0; ///< that were asked for
};

} // namespace almanac
