// The network half's side of the helper: asks, and waits for the answer.
//
// Of one thread at a time. The process ends when the helper is gone: nothing can be done without.
#pragma once

#include "agent/helper/message.hpp"

#include <map>
#include <string>

namespace almanac {

class HelperClient {
public:
  explicit HelperClient(int socket) : socket_(socket) {}

  struct Answer {
    HelperReply reply;
    std::map<std::string, int> files; ///< by what they are; the caller's to close
    /// -1 for one that did not come; it is the caller's then.
    int take(const char* what);
  };
  Answer ask(const HelperRequest& request) const {
    send(request);
    return receive();
  }
  /// The two halves of ask(), where something can be done meanwhile: answers come in the order of
  /// their questions, of which a few may be under way.
  void send(const HelperRequest& request) const;
  Answer receive() const;

private:
  int socket_;
};

/// What the helper says first, or why this process was not started by one.
Result<HelperGreeting> hear_greeting(int socket);

} // namespace almanac
