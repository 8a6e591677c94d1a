// Whom a mail may be sent to: user or user@host (spec/cli.md section 3, -M).
//
// The address becomes an argument of the mailer, which runs with the master's rights. So it is made
// of few characters: it can be no option, no file ('/', '+', '.' in front), no pipe ('|').
#pragma once

#include <string_view>

namespace almanac {

bool valid_mail_address(std::string_view address);

} // namespace almanac
