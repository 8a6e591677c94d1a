#include "master/mail_program.hpp"

#include "master/site_program.hpp"

namespace almanac {

Outcome MailProgram::send(const std::string& program, const std::string& to,
                          const std::string& subject, const std::string& text) {
  SiteProgram mailer;
  mailer.words = {program, "-s", subject, to};
  mailer.input = text;
  mailer.patience_ms = patience_ms;
  mailer.as_nobody = true;
  auto end = run_program(mailer);
  if (!end.failure.empty()) return Error{std::move(end.failure)};
  return Done{};
}

} // namespace almanac
