#include "tools/commands/named_reservation.hpp"

#include "core/answer/gridengine.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <map>

namespace almanac {

namespace {

using Found = Result<std::optional<ReservationNumber>>;

// Those that are called so.
Result<std::vector<ReservationNumber>> ask_for(const Context& context,
                                               door::GetReservations query) {
  const auto name = query.reservations.front();
  std::vector<ReservationNumber> numbers;
  std::string refusal;
  const auto asked = context.door.call(std::move(query), [&](door::ReplyBody& frame) {
    if (const auto* answer = std::get_if<Answer>(&frame))
      refusal = gridengine::first_line_of(*answer);
    if (const auto* found = std::get_if<door::Reservations>(&frame)) {
      for (const auto& one : found->reservations)
        if (one.request.name == name) numbers.push_back(one.number);
      for (const auto& one : found->series)
        if (one.name == name) numbers.push_back(one.number);
    }
  });
  if (!asked) return asked.error();
  if (!refusal.empty()) return Error{refusal};
  return numbers;
}

Found find(const Context& context, const std::string& name) {
  door::GetReservations query;
  query.reservations = {name};
  query.series = true;
  auto numbers = ask_for(context, query);
  if (!numbers) return numbers.error();
  query.series = false;
  if (numbers->empty()) numbers = ask_for(context, query);
  if (!numbers) return numbers.error();
  if (numbers->empty()) return std::optional<ReservationNumber>();
  if (numbers->size() == 1) return std::optional(numbers->front());
  std::vector<std::string> list;
  for (const auto& number : *numbers) list.push_back(to_string(number));
  return Error{"\"" + excerpt(name) + "\" is the name of " + std::to_string(list.size()) +
               " advance reservations: give the id of one (" + excerpt(join(list, ", ")) + ")"};
}

} // namespace

ReservationCalled find_reservation_by_name(const Context& context) {
  return [&context, known = std::map<std::string, std::optional<ReservationNumber>>()](
             const std::string& name) mutable -> Found {
    if (const auto it = known.find(name); it != known.end()) return it->second;
    auto found = find(context, name);
    if (found) known.emplace(name, *found);
    return found;
  };
}

} // namespace almanac
