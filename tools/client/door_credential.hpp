// Who asks at a TCP door: a credential of MUNGE.
#pragma once

#include "core/base/result.hpp"

#include <string>
#include <string_view>

namespace almanac {

/// A credential of this process's user over the SHA-256 of the text, in hexadecimal.
/// `munge_socket` "": the library's default. The error says why there is none.
Result<std::string> munge_credential(std::string_view text, const std::string& munge_socket);

} // namespace almanac
