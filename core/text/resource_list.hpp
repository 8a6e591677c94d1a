// Resource requests (-l) and queue requests (-q) as users write them.
#pragma once

#include "core/base/result.hpp"
#include "core/base/attribute.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// "name[=value],…" joined to `known`: a later value replaces an earlier one of the same name.
/// Without a value TRUE is meant. Names are not looked up here.
Outcome add_resource_requests(std::vector<Attribute>& known, std::string_view text);

/// "n1=v1,n2=v2"
std::string print_resource_requests(const std::vector<Attribute>& requests,
                                    std::string_view separator = ",");

/// Whether a wc_queue ("all.q", "*@h1", "all.q@@group") names the instance queue@host.
/// `in_group(pattern)` answers whether the host belongs to a group that matches.
bool queue_request_matches(std::string_view request, std::string_view queue, std::string_view host,
                           const std::function<bool(const std::string& pattern)>& in_group);

} // namespace almanac
