#include "core/planning/letters.hpp"

#include "core/text/mail_address.hpp"

// Who is told by mail of what happens to a job or a reservation (-m and -M).

namespace almanac::rules {

namespace {

char letter_of(Occasion occasion) {
  switch (occasion) {
  case Occasion::job_started:
  case Occasion::reservation_started: return 'b';
  case Occasion::job_ended:
  case Occasion::reservation_finished:
  case Occasion::reservation_deleted: return 'e';
  case Occasion::job_suspended: return 's';
  default: return 'a';
  }
}

bool is_wanted(const std::string& occasions, Occasion occasion) {
  return occasions.find(letter_of(occasion)) != std::string::npos;
}

Letter letter_about(const Job& job, std::int64_t task, Occasion occasion,
                    const ExitRecord& record) {
  Letter letter;
  letter.occasion = occasion;
  letter.number = job.number.value, letter.task = task;
  letter.name = job.request->name, letter.owner = job.owner.user;
  letter.record = record;
  return letter;
}

std::vector<std::string> recipients_of(const Job& job) {
  return job.request->mail_to.empty() ? std::vector{job.owner.user} : job.request->mail_to;
}

// One for each, so that it can be sent again to whom it did not reach. An owner whose name is no
// address, of which the mailer would make something else, gets none.
void send(State& state, Letter letter, const std::vector<std::string>& recipients) {
  for (const auto& to : recipients) {
    if (!valid_mail_address(to)) continue;
    letter.to = to;
    state.append(letter);
  }
}

} // namespace

void mail(State& state, Occasion occasion, const Job& job, const Task& task,
          const ExitRecord& record) {
  if (!is_wanted(job.request->mail_at, occasion)) return;
  auto letter = letter_about(job, task.number, occasion, record);
  const auto& instance = task.grants.front().instance;
  letter.queue = instance.text(), letter.host = instance.host;
  letter.started = task.started;
  send(state, std::move(letter), recipients_of(job));
}

void mail(State& state, Occasion occasion, const Job& job, std::int64_t number,
          const ExitRecord& record) {
  if (is_wanted(job.request->mail_at, occasion))
    send(state, letter_about(job, number, occasion, record), recipients_of(job));
}

// The owner and every address of -M, each once (spec/reservations.md section 12).
void mail(State& state, Occasion occasion, const Reservation& reservation) {
  mail(state, occasion, reservation, reservation.note);
}

namespace {

Letter letter_about(const Reservation& reservation, Occasion occasion, const std::string& note) {
  Letter letter;
  letter.occasion = occasion;
  letter.number = reservation.number.value;
  letter.name = reservation.request.name, letter.owner = reservation.owner.user;
  letter.note = note;
  return letter;
}

void send_to_administrators(State& state, Letter letter) {
  const auto to = state.configuration().global().administrators; // a letter changes the state
  send(state, std::move(letter), to);
}

} // namespace

void mail(State& state, Occasion occasion, const Reservation& reservation,
          const std::string& note) {
  if (!is_wanted(reservation.request.mail_at, occasion)) return;
  const auto letter = letter_about(reservation, occasion, note);
  std::vector<std::string> to{reservation.owner.user};
  for (const auto& address : reservation.request.mail_to)
    if (address != reservation.owner.user) to.push_back(address);
  send(state, letter, to);
}

void mail_administrators(State& state, Occasion occasion, const Reservation& reservation,
                         const std::string& note) {
  send_to_administrators(state, letter_about(reservation, occasion, note));
}

void mail_administrators(State& state, const Job& job, const Task& task,
                         const std::string& reason) {
  auto letter = letter_about(job, task.number, Occasion::job_in_error, {});
  letter.note = reason;
  if (!task.grants.empty()) {
    const auto& instance = task.grants.front().instance;
    letter.queue = instance.text(), letter.host = instance.host;
  }
  send_to_administrators(state, std::move(letter));
}

void mail_administrators(State& state, const InstanceName& instance, const std::string& reason) {
  Letter letter;
  letter.occasion = Occasion::queue_in_error;
  letter.queue = instance.text(), letter.host = instance.host;
  letter.note = reason;
  send_to_administrators(state, std::move(letter));
}

void mail_change(State& state, const Job& job, const std::string& note) {
  auto letter = letter_about(job, 0, Occasion::job_changed, {});
  letter.note = note;
  send(state, std::move(letter), {job.owner.user});
}

} // namespace almanac::rules
