// What makes a request of this user one that the TCP door takes: a MUNGE credential.
#pragma once

#include "core/base/result.hpp"

#include <string>
#include <string_view>

namespace almanac {

/// The frame for the TCP door around an encoded request, good on the connection with this binding
/// only. `munge_socket` "": the library's default. The error says why there is no credential.
Result<std::string> seal(std::string_view request, const std::string& binding,
                         const std::string& munge_socket);

} // namespace almanac
