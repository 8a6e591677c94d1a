#include "core/mail/letter.hpp"

#include "core/text/mail_address.hpp"
#include "core/text/names.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

bool is_about_a_job(Occasion occasion) {
  return occasion < Occasion::reservation_started || occasion == Occasion::job_changed ||
         occasion == Occasion::job_in_error;
}

const char* word_of(Occasion occasion) {
  switch (occasion) {
  case Occasion::job_started:
  case Occasion::reservation_started: return "Started";
  case Occasion::job_ended: return "Complete";
  case Occasion::job_aborted: return "Aborted";
  case Occasion::job_suspended: return "Suspended";
  case Occasion::reservation_finished: return "Finished";
  case Occasion::reservation_deleted: return "Deleted";
  case Occasion::reservation_in_error:
  case Occasion::job_in_error:
  case Occasion::queue_in_error: return "Error";
  case Occasion::hook_failed: return "Hook failed";
  case Occasion::reservation_repaired: return "Repaired";
  case Occasion::reservation_changed:
  case Occasion::job_changed: return "Changed";
  default: return "Error resolved";
  }
}

// What the time of the letter is called in it.
std::string name_of_time(Occasion occasion) {
  switch (occasion) {
  case Occasion::job_ended:
  case Occasion::job_aborted:
  case Occasion::reservation_finished: return "End Time";
  case Occasion::job_suspended: return "Suspend Time";
  case Occasion::reservation_deleted: return "Delete Time";
  case Occasion::reservation_in_error:
  case Occasion::job_in_error:
  case Occasion::queue_in_error: return "Error Time";
  case Occasion::hook_failed: return "Failure Time";
  case Occasion::reservation_valid_again: return "Error resolved Time";
  case Occasion::reservation_repaired: return "Repair Time";
  case Occasion::reservation_changed:
  case Occasion::job_changed: return "Change Time";
  default: return "Start Time";
  }
}

class Lines {
public:
  void add(const std::string& name, const std::string& value) {
    if (!value.empty()) rows_.emplace_back(name, printable(value)); // each is one line
  }
  std::string text() const {
    std::size_t width = 0;
    for (const auto& [name, value] : rows_) width = std::max(width, name.size());
    std::string text;
    for (const auto& [name, value] : rows_)
      text += " " + name + std::string(width - name.size(), ' ') + " = " + value + "\n";
    return text;
  }

private:
  std::vector<std::pair<std::string, std::string>> rows_;
};

std::string seconds(std::int64_t microseconds) {
  return print_duration(Duration{microseconds / 1'000'000});
}

void add_end(Lines& lines, const ExitRecord& record) {
  lines.add("User Time", seconds(record.user_microseconds));
  lines.add("System Time", seconds(record.system_microseconds));
  lines.add("Wallclock Time", print_duration(Duration{record.wallclock}));
  lines.add("Exit Status", std::to_string(record.exit_status));
  lines.add("Reason", record.reason);
}

} // namespace

Result<std::string> parse_mail_occasions(const std::string& text, const std::string& known) {
  if (text == "n") return std::string();
  std::string occasions;
  for (const char letter : text) {
    if (letter == ',') continue;
    if (known.find(letter) == std::string::npos)
      return Error{"expected letters of " + known + ", or only n"};
    if (occasions.find(letter) == std::string::npos) occasions += letter;
  }
  if (occasions.empty()) return Error{"expected letters of " + known + ", or only n"};
  return occasions;
}

Result<std::vector<std::string>> parse_mail_list(const std::string& text) {
  std::vector<std::string> list;
  if (text.empty()) return Error{"a user or user@host is expected"};
  for (auto& entry : split(text, ',')) {
    if (!valid_mail_address(entry))
      return Error{"\"" + excerpt(entry) + "\" is not a mail address"};
    if (std::find(list.begin(), list.end(), entry) == list.end()) list.push_back(std::move(entry));
  }
  return list;
}

std::string subject_of(const Letter& letter) {
  if (letter.occasion == Occasion::queue_in_error)
    return "Queue instance " + letter.queue + " " + word_of(letter.occasion);
  const auto name = letter.name.empty() ? std::string("none") : letter.name;
  const auto number = std::to_string(letter.number);
  const auto what = !is_about_a_job(letter.occasion) ? "Advance Reservation " + number
                    : letter.task > 0
                        ? "Job-array task " + number + "." + std::to_string(letter.task)
                        : "Job " + number;
  return what + " (" + name + ") " + word_of(letter.occasion);
}

std::string text_of(const Letter& letter, const std::string& store,
                    const std::function<std::string(Instant)>& print) {
  Lines lines;
  lines.add("User", letter.owner);
  lines.add("Queue", letter.queue);
  lines.add("Host", letter.host);
  const bool has_ended =
      letter.occasion == Occasion::job_ended || letter.occasion == Occasion::job_aborted;
  if (letter.started.seconds > 0 && letter.occasion != Occasion::job_started)
    lines.add("Start Time", print(letter.started));
  lines.add(name_of_time(letter.occasion), print(letter.at));
  if (has_ended) add_end(lines, letter.record);
  lines.add("Note", letter.note);
  lines.add("Message-ID", "<almanac." + std::to_string(letter.sequence) + "@" + store + ">");
  return subject_of(letter) + "\n" + lines.text();
}

} // namespace almanac
