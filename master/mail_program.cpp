#include "master/mail_program.hpp"

#include "core/text/names.hpp"
#include "core/text/words.hpp"
#include "master/site_program.hpp"

namespace almanac {

Outcome MailProgram::send(const std::string& program, const std::string& to,
                          const std::string& subject, const std::string& text) {
  SiteProgram mailer;
  mailer.words = {program, "-s", subject, to};
  mailer.input = text;
  mailer.patience_ms = patience_ms;
  mailer.as_nobody = true;
  mailer.most_output = 1'000;
  const auto end = run_program(mailer);
  if (end.failure.empty()) return Done{};
  const auto said = excerpt(trim(end.errors), 300);
  return Error{end.failure + (said.empty() ? "" : ": " + said)};
}

} // namespace almanac
