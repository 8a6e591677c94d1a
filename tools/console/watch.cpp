// What changes, as the feed of the master tells it.
#include "tools/console/views.hpp"

#include <iostream>
#include <nlohmann/json.hpp>

namespace almanac::console {

namespace {

using Json = nlohmann::ordered_json;

std::string state_of(const door::ShownJob& job) {
  std::string text = job.waiting_tasks() > 0 ? job.is_held() ? " hqw" : " qw" : "";
  for (const auto& task : job.tasks)
    if (task.is_active())
      text += " " + (task.number > 0 ? std::to_string(task.number) + ":" : std::string()) +
              task.letters(job.is_held());
  return text.substr(text.empty() ? 0 : 1);
}

// A few letters; of an object none, since it has attributes only.
std::string state_of(const door::Change& change) {
  if (change.verb == EventVerb::removed) return "gone";
  for (const auto& view : change.job) return state_of(view.job);
  for (const auto& view : change.reservation) return std::string(1, view.letter());
  for (const auto& view : change.host) return phase_name(view.state.phase);
  for (const auto& view : change.instance) return view.letters;
  return {};
}

std::string owner_of(const door::Change& change) {
  for (const auto& view : change.job) return view.job.owner.user;
  for (const auto& view : change.reservation) return view.owner.user;
  return {};
}

// Behind which somebody may go on: within a frame each change has a place of its own.
std::string cursor_of(const door::Changes& frame, const door::Change& change) {
  if (change.sequence == 0) return "-";
  return frame.cursor.substr(0, frame.cursor.find('-')) + "-" + std::to_string(change.sequence) +
         "." + std::to_string(change.position);
}

Json as_json(const door::Changes& frame, const door::Change& change) {
  Json line{{"cursor", cursor_of(frame, change)}, {"event", change.event}, {"id", change.id}};
  if (!change.name.empty()) line["name"] = change.name;
  if (const auto owner = owner_of(change); !owner.empty()) line["owner"] = owner;
  if (const auto state = state_of(change); !state.empty()) line["state"] = state;
  for (const auto& object : change.object)
    for (const auto& attribute : object.attributes)
      line["attributes"][attribute.name] = attribute.value;
  return line;
}

std::string as_text(const door::Changes& frame, const door::Change& change) {
  std::string text = cursor_of(frame, change) + " " + change.event;
  if (!change.id.empty()) text += " " + change.id;
  if (!change.name.empty()) text += " (" + change.name + ")";
  const auto state = state_of(change);
  return state.empty() ? text : text + " " + state;
}

} // namespace

int watch(Context& context, door::Subscribe wanted, bool json) {
  const bool shows_end = wanted.once || json;
  int code = 0;
  const auto print = [&](const door::Changes& frame) {
    for (const auto& change : frame.changes)
      context.out << (json ? as_json(frame, change).dump() : as_text(frame, change)) << "\n";
    if (frame.changes.empty() && !frame.cursor.empty() && shows_end)
      context.out << (json ? Json{{"cursor", frame.cursor}}.dump() : frame.cursor) << "\n";
    if (frame.gone)
      code = complain(context, "watch: what came next is no longer kept: begin anew, with --list");
    context.out.flush();
  };
  const auto followed = context.door.follow(std::move(wanted), [&](door::ReplyBody& body) {
    if (const auto* frame = std::get_if<door::Changes>(&body)) print(*frame);
    else if (const auto* answer = std::get_if<Answer>(&body)) code = print_answer(context, *answer);
  });
  if (followed) return code;
  return complain(context, "error: " + followed.what());
}

} // namespace almanac::console
