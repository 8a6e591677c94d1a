#include "core/reservation/reporting_line.hpp"

#include "core/text/file_field.hpp"
#include "core/text/words.hpp"

#include <array>
#include <utility>
#include <vector>

namespace almanac {

namespace {

struct EventText {
  const char* word;
  const char* message;
};

// By ReportEvent: the words and texts of Grid Engine.
constexpr std::array<EventText, static_cast<std::size_t>(last_of<ReportEvent>) + 1> event_texts{
    {{"CREATED", "AR created"},
     {"START TIME REACHED", "start time of AR reached"},
     {"END TIME REACHED", "end time of AR reached"},
     {"RESOURCES UNSATISFIED", "AR resources unsatisfied"},
     {"RESOURCES SATISFIED", "AR resources satisfied"},
     {"TERMINATED", "end time of AR reached"},
     {"DELETED", "AR deleted"},
     {"UNKNOWN", "unknown"},
     {"DELETED", "could not be repaired"},
     {"TERMINATED", "idle"},
     {"TERMINATED", "last job has left"}}};

constexpr const char* host_state = "X"; // of every host, as in Grid Engine

std::string print(Instant time) { return std::to_string(time.seconds); }
std::string or_none(const std::string& text) { return text.empty() ? "NONE" : text; }

using Fields = std::vector<std::string>;

std::pair<const char*, Fields> fields_of(const ReportingRecord& r) {
  const auto number = to_string(r.number), submitted = print(r.submitted), at = print(r.at);
  switch (r.kind) {
  case ReportKind::new_ar: return {"new_ar", {submitted, number, r.owner}};
  case ReportKind::ar_attribute:
    return {"ar_attribute",
            {at, submitted, number, r.name, r.account, print(r.window.start), print(r.window.end),
             or_none(r.pe), or_none(r.resources)}};
  case ReportKind::ar_log: {
    const auto& text = event_texts.at(static_cast<std::size_t>(r.event));
    std::string message = text.message;
    if (r.idle_minutes > 0) message += " for " + std::to_string(r.idle_minutes) + " minutes";
    return {"ar_log", {at, submitted, number, r.state, text.word, std::move(message)}};
  }
  case ReportKind::ar_acct:
    return {"ar_acct", {at, submitted, number, r.queue, r.host, std::to_string(r.slots)}};
  case ReportKind::new_job: return {"new_job", {submitted}};
  case ReportKind::job_log: return {"job_log", {at}};
  case ReportKind::acct: return {"acct", {}};
  case ReportKind::queue: return {"queue", {r.queue, r.host, at, r.state}};
  case ReportKind::queue_consumable:
    return {"queue_consumable", {r.queue, r.host, at, r.state, r.resources}};
  case ReportKind::host: return {"host", {r.host, at, host_state, r.resources}};
  case ReportKind::host_consumable:
    return {"host_consumable", {r.host, at, host_state, r.resources}};
  }
  return {};
}

} // namespace

std::string reporting_line(const ReportingRecord& record) {
  const auto [kind, fields] = fields_of(record);
  std::string line = print(record.at) + ":" + kind;
  for (const auto& field : fields) line += ":" + file_field(field);
  if (!record.text.empty()) line += ":" + record.text;
  return line;
}

} // namespace almanac
