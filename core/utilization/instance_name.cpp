#include "core/utilization/instance_name.hpp"

#include <algorithm>

namespace almanac {

Result<InstanceName> InstanceName::parse(std::string_view text) {
  if (text.empty()) return InstanceName{};
  const auto at = text.find('@');
  if (at == text.npos) return Error{"\"" + std::string(text) + "\" is not a queue instance"};
  return InstanceName{std::string(text.substr(0, at)), std::string(text.substr(at + 1))};
}

// No queue has an '@' in its name, so where one name is the beginning of the other, what follows in
// the longer one differs from it.
std::strong_ordering operator<=>(const InstanceName& left, const InstanceName& right) {
  const auto &a = left.queue, &b = right.queue;
  const auto common = std::min(a.size(), b.size());
  if (const auto order = a.compare(0, common, b, 0, common)) return order <=> 0;
  if (a.size() == b.size()) return left.host.compare(right.host) <=> 0;
  const auto next = [](const std::string& name, std::size_t at) {
    return static_cast<unsigned char>(at < name.size() ? name[at] : '@');
  };
  return next(a, common) <=> next(b, common);
}

} // namespace almanac
