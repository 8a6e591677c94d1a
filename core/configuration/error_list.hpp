// All that is wrong with a change, each thing once, in the order in which it was found.
#pragma once

#include "core/base/result.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace almanac {

class ErrorList {
public:
  void note(const Error& error) {
    const auto is_same = [&](const Error& known) { return known.what == error.what; };
    if (!is_full() && std::none_of(list_.begin(), list_.end(), is_same)) list_.push_back(error);
  }
  void note(const Outcome& outcome) {
    if (!outcome) note(outcome.error());
  }
  bool empty() const { return list_.empty(); }
  const Error& front() const { return list_.front(); }
  std::vector<Error> list() && { return std::move(list_); }

private:
  static constexpr std::size_t most = 200; ///< a file has no more lines that somebody reads at once
  bool is_full() const { return list_.size() == most; }

  std::vector<Error> list_;
};

} // namespace almanac
