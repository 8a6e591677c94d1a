#include "core/reservation/reported_reservations.hpp"

#include "core/job/accounting_line.hpp"
#include "core/text/names.hpp"
#include "core/text/numbers.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace almanac {

namespace {

constexpr std::array<std::string_view, 7> of_others{
    "new_job", "job_log", "queue", "queue_consumable", "host", "host_consumable", "sharelog"};

bool is_of_others(std::string_view kind) {
  return std::find(of_others.begin(), of_others.end(), kind) != of_others.end();
}

// Reads fields one after the other; what is wrong with one of them is said at the end.
class Reader {
public:
  explicit Reader(const std::vector<std::string>& fields) : fields_(fields) {}

  std::string text(std::size_t at) {
    if (at < fields_.size()) return fields_[at];
    is_sound_ = false;
    return {};
  }
  std::int64_t number(std::size_t at) {
    const auto read = parse_number(text(at));
    is_sound_ = is_sound_ && read;
    return read ? *read : 0;
  }
  Instant time(std::size_t at) { return {number(at)}; }
  ReservationId id(std::size_t submitted, std::size_t reservation) {
    return {{number(reservation)}, time(submitted)};
  }
  bool is_sound() const { return is_sound_; }

private:
  const std::vector<std::string>& fields_;
  bool is_sound_ = true;
};

// Where fields stand behind time and kind (R13.4 to R13.7).
namespace new_ar {
enum { submitted, number, owner };
}
namespace attribute {
enum { at, submitted, number, name, account, start, end };
}
namespace log {
enum { at, submitted, number, state, event, message };
}
namespace account {
enum { at, submitted, number, queue, host, slots };
}

} // namespace

Outcome ReportedReservations::take_record(const std::string& kind, const Fields& fields) {
  Reader reader(fields);
  if (kind == "new_ar") {
    const auto id = reader.id(new_ar::submitted, new_ar::number);
    auto owner = reader.text(new_ar::owner);
    if (reader.is_sound()) facts_[id].owner = std::move(owner);
  } else if (kind == "ar_attribute") {
    const auto id = reader.id(attribute::submitted, attribute::number);
    const Window window{reader.time(attribute::start), reader.time(attribute::end)};
    if (reader.is_sound()) facts_[id].window = window;
  } else if (kind == "ar_log") {
    const auto id = reader.id(log::submitted, log::number);
    const bool is_deleted = reader.text(log::event) == "DELETED";
    const auto at = reader.time(log::at);
    auto& facts = facts_[id];
    if (reader.is_sound() && is_deleted && at < facts.window.end) facts.given_up = true;
  } else if (kind == "ar_acct") {
    const auto id = reader.id(account::submitted, account::number);
    const auto host = reader.text(account::host);
    const auto at = reader.time(account::at);
    const auto& window = facts_[id].window;
    const Window had{window.start, std::min(window.end, at)};
    if (reader.is_sound() && had.overlaps(window_))
      reserved_.push_back({{{reader.text(account::queue), host}, had, 1}, id});
  }
  return reader.is_sound() ? Outcome(Done{}) : Error{"it is no record of the kind " + kind};
}

Outcome ReportedReservations::take_job(const std::string& line) {
  const auto record = parse_accounting_line(line);
  if (!record) return record.error();
  const Window during{record->started, record->ended};
  // What never ran has start_time 0.
  const bool ran = during.start > Instant{} && during.start < during.end;
  if (record->reservation && ran && during.overlaps(window_))
    used_.push_back({{{record->queue, record->host}, during, record->slots},
                     {record->reservation, record->reservation_submitted}});
  return Done{};
}

Outcome ReportedReservations::take(std::string_view given) {
  const auto line = printable(given);
  const auto first = line.find(':');
  if (first == std::string::npos || !all_digits(std::string_view(line).substr(0, first)))
    return take_job(line);
  const auto second = line.find(':', first + 1);
  const auto kind =
      line.substr(first + 1, second == std::string::npos ? second : second - first - 1);
  const auto rest = second == std::string::npos ? std::string() : line.substr(second + 1);
  if (kind == "acct") return take_job(rest);
  if (is_of_others(kind)) return Done{};
  if (kind != "new_ar" && kind != "ar_attribute" && kind != "ar_attr" && kind != "ar_log" &&
      kind != "ar_acct")
    return Error{"it is no record of a reporting file"};
  return take_record(kind == "ar_attr" ? "ar_attribute" : kind, split(rest, ':'));
}

std::vector<ReportedReservation> ReportedReservations::found() const {
  std::vector<ReportedReservation> list;
  for (auto& [id, reserved] : node_usage_of(reserved_, used_, window_)) {
    const auto facts = facts_.find(id);
    if (facts == facts_.end() || reserved.reserved_for == 0) continue;
    list.push_back({id, facts->second.owner, facts->second.given_up, reserved});
  }
  return list;
}

} // namespace almanac
