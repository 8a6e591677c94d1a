// What survives a crash of the process though it is not in the store: whose request was in hand.
//
// A request that is found in hand after two crashes has most likely caused them. Requests are noted
// as "uid/request id", questions as "uid/question n" and "uid/query n" with the number of their
// kind. Threads: each actor notes what it has in hand itself; a crash is put down to what was in
// hand on the thread that crashed.
#pragma once

#include <string>
#include <string_view>

namespace almanac {

class Notebook {
public:
  virtual ~Notebook() = default;
  /// From now on this request is in hand; an empty id: none.
  virtual void note(std::string_view request) = 0;
  /// Two crashes happened with this request in hand.
  virtual bool is_poison(const std::string& request) const = 0;
  /// How many crashes happened with a request in hand that begins so.
  virtual int crashes_over(const std::string& prefix) const = 0;
};

} // namespace almanac
