#include "core/admission/line_assembly.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

void LineAssembly::add(std::string_view bytes) {
  bytes_.erase(0, taken_);
  searched_ -= taken_, taken_ = 0;
  bytes_ += bytes;
}

std::optional<LineAssembly::Line> LineAssembly::next() {
  const auto end = bytes_.find('\n', searched_);
  const auto length = std::min(end, bytes_.size()) - taken_;
  if (end == std::string::npos) {
    // The CR of an end may be there already.
    is_too_long_ = is_too_long_ || length > longest_ + 1;
    if (is_too_long_) bytes_.resize(taken_ + longest_);
    searched_ = bytes_.size();
    return std::nullopt;
  }
  Line line{bytes_.substr(taken_, length), std::exchange(is_too_long_, false)};
  taken_ = searched_ = end + 1;
  if (!line.is_too_long && line.text.ends_with('\r')) line.text.pop_back();
  if (line.text.size() > longest_) line.is_too_long = true, line.text.resize(longest_);
  return line;
}

} // namespace almanac
