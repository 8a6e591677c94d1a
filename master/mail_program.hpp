// Mail by the program that the configuration names: `mailer -s subject recipient`, the text on its
// standard input (spec/objects.md section 7, mailer).
#pragma once

#include "actors/ports/mailer.hpp"

namespace almanac {

class MailProgram : public Mailer {
public:
  /// Longer, and the program is ended.
  static constexpr int patience_ms = 60'000;

  Outcome send(const std::string& program, const std::string& to, const std::string& subject,
               const std::string& text) override;
};

} // namespace almanac
