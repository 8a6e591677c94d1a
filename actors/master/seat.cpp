#include "actors/master/seat.hpp"

#include "actors/audit.hpp"
#include "actors/support.hpp"
#include "actors/warnings.hpp"

#include <utility>

namespace almanac {

void Seat::tell(const Sitter& whom, const std::string& reason) const {
  audit({"", "", nobody, nobody, host_, "session"}, "", "is the agent of its host",
        Answer::refusal(reason));
  write_audit();
  caf::anon_send(caf::actor_cast<SessionActor>(whom.session), Say{session::Refused{reason}});
}

void Seat::come(const SessionUp& up) { newcomers_[up.id] = {up.session, up.claim}; }

RegisterHost Seat::begin_registration(std::uint64_t id, const session::Register& list,
                                      const std::string& store_id, Instant now) {
  ++registering_;
  const auto rival = is_taken() ? contest_.rival(now) : Rival::none;
  RegisterHost news{host_, list.facts, {}, newcomers_.at(id).claim, rival};
  for (const auto& task : list.tasks)
    if (task.store_id == store_id) news.tasks.push_back(task.attempt);
  return news;
}

void Seat::send_away(std::uint64_t id, const std::string& reason) {
  tell(newcomers_.at(id), reason);
  newcomers_.erase(id);
}

void Seat::refuse(std::uint64_t id, const std::string& reason, Instant now) {
  warn_of(host_, "session refused peer=" + host_ + " reason=" + reason);
  if (is_taken()) contest_.sent_away(now);
  if (is_newcomer(id)) send_away(id, reason);
}

void Seat::take(std::uint64_t id) {
  if (is_taken()) {
    tell(sitter_, replaced());
    contest_.taken_over();
  }
  sitter_ = std::move(newcomers_.at(id)), id_ = id;
  newcomers_.erase(id);
}

std::optional<std::string> Seat::obstacle(const HostKey& known, Instant now) const {
  return is_taken() ? key_obstacle(known, sitter_.claim, now) : std::nullopt;
}

void Seat::say(session::Message message) const {
  if (is_taken()) caf::anon_send(session(), Say{std::move(message)});
}

void Seat::dismiss(const std::string& reason) {
  tell(sitter_, reason);
  leave();
}

void Seat::send_all_away() {
  const auto reason = "host " + host_ + " is not an exec host of this cell";
  if (is_taken()) dismiss(reason);
  for (const auto& [id, newcomer] : std::exchange(newcomers_, {})) tell(newcomer, reason);
}

} // namespace almanac
