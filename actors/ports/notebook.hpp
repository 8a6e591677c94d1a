// What survives a crash of the process though it is not in the store: which request was in hand.
//
// A request that is found in hand after two crashes has most likely caused them.
#pragma once

#include <string>
#include <string_view>

namespace almanac {

class Notebook {
public:
  virtual ~Notebook() = default;
  /// From now on this request is in hand; an empty id: none.
  virtual void note(std::string_view request_id) = 0;
  /// Two crashes happened with this request in hand.
  virtual bool is_poison(const std::string& request_id) const = 0;
};

} // namespace almanac
