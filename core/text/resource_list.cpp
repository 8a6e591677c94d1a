#include "core/text/resource_list.hpp"

#include "core/text/pattern.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

Outcome add_resource_requests(std::vector<Attribute>& known, std::string_view text) {
  const auto entries = split(text, ',');
  if (entries.empty()) return Error{"the resource list is empty"};
  for (const auto& entry : entries) {
    const auto equals = entry.find('=');
    Attribute request{entry.substr(0, equals),
                      equals == std::string::npos ? "TRUE" : entry.substr(equals + 1)};
    if (request.name.empty())
      return Error{"\"" + std::string(text) + "\": a resource name is missing"};
    if (request.value.empty()) return Error{"\"" + entry + "\": a value is missing"};
    const auto it =
        std::find_if(known.begin(), known.end(), [&](auto& a) { return a.name == request.name; });
    if (it == known.end()) known.push_back(request);
    else *it = request;
  }
  return Done{};
}

std::string print_resource_requests(const std::vector<Attribute>& requests,
                                    std::string_view separator) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : requests) parts.push_back(name + "=" + value);
  return join(parts, separator);
}

bool queue_request_matches(std::string_view request, std::string_view queue, std::string_view host,
                           const std::function<bool(const std::string&)>& in_group) {
  const auto at = request.find('@');
  const auto queue_part = request.substr(0, at);
  if (!queue_part.empty() && !matches_expression(queue_part, queue)) return false;
  if (at == std::string_view::npos) return !queue_part.empty();
  const auto place = request.substr(at + 1);
  if (place.starts_with('@')) return in_group(std::string(place));
  return matches_expression(place, host, Case::insensitive);
}

} // namespace almanac
