// A mail about a job or a reservation: what has happened, and who asked to hear of it (-m and -M).
//
// Letters are kept with what they tell of until they have been sent: at least once, with a number
// by which a second one is recognised (design.md section 5).
// Source: spec/cli.md section 3 (-m, -M), spec/reservations.md section 12.
#pragma once

#include "core/base/describe.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/job/exit_record.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace almanac {

enum class Occasion : std::uint8_t {
  job_started,
  job_ended,
  job_aborted, ///< or rescheduled, or put into the error state: `record.reason` says what
  job_suspended,
  reservation_started,
  reservation_finished,
  reservation_deleted,
  reservation_in_error,
  reservation_valid_again,
  reservation_repaired, ///< `note` says with what
  reservation_changed,  ///< by somebody else than its owner; `note` says by whom
  job_changed,          ///< its reservation was: `note` says what comes of it
  hook_failed,          ///< of a reservation, for administrators: `note` says how
  job_in_error,         ///< likewise: `note` says why
  queue_in_error        ///< likewise, of a queue instance
};
template <> inline constexpr Occasion last_of<Occasion> = Occasion::queue_in_error;

struct Letter {
  std::int64_t sequence = 0;
  Occasion occasion = Occasion::job_started;
  Instant at;
  std::string to;          ///< user[@host]
  std::int64_t number = 0; ///< of the job or reservation
  std::int64_t task = 0;   ///< of an array; 0: none
  std::string name;        ///< of the job or reservation
  std::string owner;
  std::string queue, host; ///< where the job ran
  Instant started;         ///< of the job; 0: it never was
  ExitRecord record;       ///< how the job ended
  std::string note;        ///< what else there is to say
};
template <class V> void describe(V& visit, Letter& letter) {
  visit("sequence", letter.sequence);
  visit("occasion", letter.occasion);
  visit("at", letter.at);
  visit("to", letter.to);
  visit("number", letter.number);
  visit("task", letter.task);
  visit("name", letter.name);
  visit("owner", letter.owner);
  visit("queue", letter.queue);
  visit("host", letter.host);
  visit("started", letter.started);
  visit("record", letter.record);
  visit("note", letter.note);
}

/// Of -m: letters of "beas", or n alone. Empty for n.
Result<std::string> parse_mail_occasions(const std::string& text, const std::string& known);
/// Of -M: user[@host],…, each once.
Result<std::vector<std::string>> parse_mail_list(const std::string& text);

std::string subject_of(const Letter& letter);
/// The lines of the mail. `print`: a time as people read it. `store`: makes its number unique.
std::string text_of(const Letter& letter, const std::string& store,
                    const std::function<std::string(Instant)>& print);

} // namespace almanac
