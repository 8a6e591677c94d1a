// Keys of reservations in commands (spec/metascheduler.md section 6): RESKEY of one that was
// granted, and claims with the key in a file (-reskey).
#pragma once

#include "tools/commands/context.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

/// RESKEY of the user's reservation, or of one that the user has made for another (`whom`). Whoever
/// keeps it in a file has to do that with mode 0600. The error is what the master says, such as
/// that the reservation has no key.
Result<std::string> reservation_key_text(Context& context, ReservationNumber number,
                                         const OnBehalf& whom = {});

/// Which reservation the key in this file is of.
Result<ReservationNumber> number_of_key(const Context& context, const std::string& key_file);

/// Why there is no claim: in words, and what the master has said, if it is the one that refuses.
struct NoClaim {
  std::string text;
  std::optional<Answer> answer{};
  bool is_unreached = false; ///< the master says nothing
};

/// The command with a claim on the reservation that the key in this file is of: a challenge is
/// asked for and answered. It has to be sent as it is, and soon. "": without a claim. `whom`: as
/// above.
Result<door::RunCommand, NoClaim> claiming(Context& context, CommandBody body,
                                           const std::string& key_file,
                                           std::vector<OnBehalf> whom = {});
/// A trial of the key in this file with a challenge that the master has not given. It is always
/// refused: as a bad key, if it is one, since that is looked at first (spec/metascheduler.md M6.9).
Result<door::RunCommand, NoClaim> shown_without_challenge(Context& context,
                                                          const std::string& key_file);
/// The same as claiming(), with the words only.
Result<door::RunCommand> with_claim(Context& context, CommandBody body,
                                    const std::string& key_file);

/// The same, sent, with its answer printed. Returns the exit code.
int run_command_with_key(Context& context, CommandBody body, const std::string& key_file);

/// Writes a key for its owner alone (0600), over a file that is there. The error names the file.
Outcome write_key_file(const std::string& path, const std::string& text);

} // namespace almanac
