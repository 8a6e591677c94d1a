#include "tools/commands/commands.hpp"
#include "tools/commands/plus_call.hpp"

#include "tools/output/plus_reservations.hpp"

#include <algorithm>
#include <iterator>

namespace almanac {

namespace {

using Views = std::vector<door::ReservationView>;

bool is_past(const door::ReservationView& one) { return plus_state(one) == "Expired"; }

// Only those that overlap the window, whichever of its ends is given.
bool overlaps(const door::ReservationView& one, const PlusOptions& options) {
  const auto& window = one.shape.window;
  return (!options.start || window.end > *options.start) &&
         (!options.end || window.start < *options.end);
}

// Of those that are over, the last ones; who names a reservation sees it in any state.
void drop_older(Views& list, const PlusOptions& options) {
  if (options.number) return;
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    return a.shape.window.end > b.shape.window.end;
  });
  std::int64_t shown = 0;
  std::erase_if(list, [&](const auto& one) { return is_past(one) && shown++ >= options.expired; });
}

int fetch(Context& context, const PlusOptions& options, Views& list) {
  if (options.number) {
    std::optional<door::ReservationView> found;
    const int code = find_for_plus(context, options.number, found);
    if (found) list.push_back(std::move(*found));
    return code;
  }
  door::GetReservations query;
  query.past = true;
  return ask_plus<door::Reservations>(context, std::move(query), [&](door::Reservations& frame) {
    std::move(frame.reservations.begin(), frame.reservations.end(), std::back_inserter(list));
  });
}

} // namespace

int plus_status(Context& context) {
  int code = 0;
  const auto options = read_plus(context, "status", code);
  if (!options) return code;
  Views list;
  if (code = fetch(context, *options, list); code != plus_exit::done) return code;
  std::erase_if(list, [&](const auto& one) {
    const bool is_others = !options->owner.empty() && one.owner.user != options->owner;
    return is_others || !overlaps(one, *options);
  });
  drop_older(list, *options);
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    const auto& one = a.shape.window.start;
    const auto& other = b.shape.window.start;
    return one != other ? one < other : a.number < b.number;
  });
  if (options->as_xml) print_plus_xml(context.out, list);
  else
    print_plus_table(context.out, list,
                     options->with_nodes ? PlusNodes::named : PlusNodes::counted);
  return plus_exit::done;
}

} // namespace almanac
