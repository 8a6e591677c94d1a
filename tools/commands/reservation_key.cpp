#include "tools/commands/reservation_key.hpp"

#include "core/answer/gridengine.hpp"
#include "core/request/valid.hpp"
#include "core/reservation/grant.hpp"
#include "core/text/base64url.hpp"
#include "schema/codec.hpp"
#include "tools/commands/small_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <utility>

namespace almanac {

namespace {

// What a key says of its reservation, and the key.
struct KnownKey {
  KeyFile file;
  KeyGrant grant;
};

// Nobody else may read a secret (spec/metascheduler.md M6.5); what a public key goes with, anybody.
Result<KnownKey> read_key(const Context& context, const std::string& path) {
  const auto wrong = [&](const std::string& why) {
    return Error{"option -reskey " + path + ": " + why};
  };
  const SmallFile file(path.starts_with('/') ? path : context.directory + "/" + path);
  auto content = file.read();
  if (!content) return wrong(content.what());
  auto key = parse_key_file(*content);
  if (!key) return wrong(key.what());
  const bool is_secret = !key->key.secret.empty() || !key->private_key.empty();
  if (is_secret && file.is_open_to_others())
    return wrong("others than its owner can read it: chmod go= " + path);
  auto grant = decode_canonical<KeyGrant>(key->key.grant);
  if (!grant || grant->number.value < 1 || grant->number.value > most_slots)
    return wrong("the key is not one of a reservation");
  return KnownKey{std::move(*key), std::move(*grant)};
}

// The nonce in the answer.
Result<std::string, NoClaim> ask_for_challenge(Context& context, ReservationNumber number,
                                               const std::vector<OnBehalf>& whom) {
  std::optional<Answer> answer;
  const auto asked = context.door.call(door::RunCommand{IssueChallenge{number}, {}, whom},
                                       [&](door::ReplyBody& frame) {
                                         if (auto* given = std::get_if<Answer>(&frame))
                                           answer = std::move(*given);
                                       });
  if (!asked) return NoClaim{asked.what(), {}, true};
  if (!answer) return NoClaim{"the master gives no challenge", {}, true};
  for (const auto& said : answer->statements)
    if (said.code == AnswerCode::challenge_issued)
      if (const auto* nonce = said.find("nonce")) return nonce->text;
  auto why = gridengine::first_line_of(*answer);
  return NoClaim{std::move(why), std::move(answer)};
}

// The client proves by the secret in its file, or else by its private key.
ClaimProver prover_of(const KnownKey& key, std::string nonce, std::string command) {
  const auto& grant = key.grant;
  ClaimProver prover{{std::move(nonce), grant.site, grant.number, grant.incarnation, ""},
                     std::move(command),
                     "",
                     ""};
  if (grant.mode == KeyMode::secret) prover.secret = key.file.key.secret;
  else prover.private_key = key.file.private_key;
  return prover;
}

// A claim on what the key is of, with the proof of this challenge.
Result<door::RunCommand, NoClaim> with_proof(const Context& context, door::RunCommand command,
                                             const KnownKey& key, const std::string& key_file,
                                             std::string nonce) {
  if (!context.prove) return NoClaim{"option -reskey: nothing can be proved here"};
  auto bytes = parse_base64url(nonce);
  if (!bytes || bytes->size() != nonce_bytes) return NoClaim{"the master gives no good challenge"};
  const auto proof = context.prove(prover_of(key, std::move(*bytes), canonical(command)));
  if (!proof) return NoClaim{"option -reskey " + key_file + ": " + proof.what()};
  const KeyText shown{key.file.key.grant, key.file.key.signature};
  command.claim.push_back({print_key(shown), std::move(nonce), print_base64url(*proof)});
  return command;
}

} // namespace

Result<std::string> reservation_key_text(Context& context, ReservationNumber number,
                                         const OnBehalf& whom) {
  std::string text, why = "the master gives no key";
  const auto asked = context.door.call(door::GetGrant{number, whom}, [&](door::ReplyBody& frame) {
    if (auto* key = std::get_if<door::KeyOfReservation>(&frame)) text = std::move(key->text);
    else if (const auto* answer = std::get_if<Answer>(&frame))
      why = gridengine::first_line_of(*answer);
  });
  if (!asked) return asked.error();
  if (text.empty()) return Error{why};
  return text;
}

Result<ReservationNumber> number_of_key(const Context& context, const std::string& key_file) {
  const auto key = read_key(context, key_file);
  if (!key) return key.error();
  return key->grant.number;
}

Result<door::RunCommand, NoClaim> claiming(Context& context, CommandBody body,
                                           const std::string& key_file,
                                           std::vector<OnBehalf> whom) {
  door::RunCommand command{std::move(body), {}, std::move(whom)};
  if (key_file.empty()) return command;
  const auto key = read_key(context, key_file);
  if (!key) return NoClaim{key.what()};
  if (!context.prove) return NoClaim{"option -reskey: nothing can be proved here"};
  auto nonce = ask_for_challenge(context, key->grant.number, command.whom);
  if (!nonce) return nonce.error();
  return with_proof(context, std::move(command), *key, key_file, std::move(*nonce));
}

Result<door::RunCommand, NoClaim> shown_without_challenge(Context& context,
                                                          const std::string& key_file) {
  const auto key = read_key(context, key_file);
  if (!key) return NoClaim{key.what()};
  return with_proof(context, {SpendChallenge{key->grant.number}, {}, {}}, *key, key_file,
                    print_base64url(std::string(nonce_bytes, '\0')));
}

Result<door::RunCommand> with_claim(Context& context, CommandBody body,
                                    const std::string& key_file) {
  auto command = claiming(context, std::move(body), key_file);
  if (!command) return Error{command.error().text};
  return std::move(*command);
}

int run_command_with_key(Context& context, CommandBody body, const std::string& key_file) {
  auto command = with_claim(context, std::move(body), key_file);
  if (!command) return complain(context, command.what());
  int code = 0;
  const int asked = ask<Answer>(context, std::move(*command),
                                [&](Answer& answer) { code = print_answer(context, answer); });
  return asked != 0 ? asked : code;
}

Outcome write_key_file(const std::string& path, const std::string& text) {
  const auto failed = [&](const char* what) {
    return Error{path + ": " + what + ": " + std::strerror(errno)};
  };
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return failed("it can't be opened");
  Outcome outcome = Done{};
  const auto line = text + "\n";
  // A file that is there may be open to others: not before it is closed to them.
  if (::fchmod(file, 0600) != 0 || ::ftruncate(file, 0) != 0)
    outcome = failed("it can't be made the user's own");
  else if (::write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    outcome = failed("it can't be written");
  ::close(file);
  return outcome;
}

} // namespace almanac
