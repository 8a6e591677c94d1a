// What the agent of a host is told of the cell's common files, and which of them it may have.
//
// 1. Only an agent that has said that it knows what these messages are hears any.
// 2. Each file is given once after each list: whoever asks in a loop gets no more than that.
#pragma once

#include "actors/interfaces.hpp"

#include <set>
#include <string>

namespace almanac {

class CommonFileOffer {
public:
  /// The master has these files now.
  void change(const CommonFilesChanged& news);
  /// A session begins with the agent's list.
  void open(SessionActor session, const session::Register& list);
  void close() { session_ = SessionActor(); }
  void take(const session::GetCommonFile& wanted);

private:
  void tell();
  void say(session::Message message) const;

  SharedCommonFiles files_;         ///< nullptr: nothing is known of them, and nothing is said
  SessionActor session_;            ///< of an agent that may be told; or nobody
  std::set<std::string> not_given_; ///< since the last list
};

} // namespace almanac
