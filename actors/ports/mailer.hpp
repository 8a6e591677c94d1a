// Who takes letters to people.
#pragma once

#include "core/base/result.hpp"

#include <string>

namespace almanac {

class Mailer {
public:
  virtual ~Mailer() = default;
  /// Hands one mail over to `program`, the mailer of the configuration; returns when that is done.
  virtual Outcome send(const std::string& program, const std::string& to,
                       const std::string& subject, const std::string& text) = 0;
};

} // namespace almanac
