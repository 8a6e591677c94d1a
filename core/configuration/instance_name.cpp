#include "core/configuration/instance_name.hpp"

namespace almanac {

std::string queue_of(const std::string& instance) { return instance.substr(0, instance.find('@')); }
std::string host_of(const std::string& instance) {
  const auto at = instance.find('@');
  return at == std::string::npos ? std::string() : instance.substr(at + 1);
}

} // namespace almanac
