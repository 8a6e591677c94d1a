#include "tools/commands/gmeta_claim.hpp"

#include "tools/commands/reservation_key.hpp"

namespace almanac {

int claim_test(Context& context, const std::string& path) {
  const auto number = number_of_key(context, path);
  if (!number) return complain(context, number.what());
  return run_command_with_key(context, SpendChallenge{*number}, path);
}

std::optional<int> status_of_claim(AnswerCode code) {
  switch (code) {
  case AnswerCode::key_is_invalid:
  case AnswerCode::key_for_another:
  case AnswerCode::key_needed: return -51;
  case AnswerCode::proof_is_invalid: return -52;
  case AnswerCode::challenge_is_unknown: return -53;
  case AnswerCode::too_many_challenges: return -60;
  default: return std::nullopt;
  }
}

} // namespace almanac
