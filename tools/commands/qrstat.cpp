#include "tools/commands/commands.hpp"

#include "core/text/resource_list.hpp"
#include "core/text/words.hpp"
#include "core/text/table.hpp"

#include <algorithm>
#include <iostream>

namespace almanac {

namespace {

constexpr const char* usage = R"(usage: qrstat [options]
   -ar ar_list               these reservations, in detail
   -explain                  the reasons of the states W and E
   -help                     print this help
   -u user_list              only reservations made by these users
)";

// "host=scratch=4G"
std::string text_of(const door::BookingView& booking) {
  const auto& container = booking.container;
  return (container.name.empty() ? container.text() : container.name) + "=" +
         booking.resource.name + "=" + booking.printed_amount();
}

void print_detail(std::ostream& out, const door::ReservationView& r) {
  const auto put = [&](const char* name, const std::string& value) {
    out << line(left(name, 30) + " " + value);
  };
  const auto& request = r.request;
  out << std::string(80, '-') << "\n";
  put("id", to_string(r.number));
  put("name", request.name);
  put("owner", r.owner.user);
  put("state", std::string(1, r.letter()));
  put("start_time", print_time(r.shape.window.start));
  put("end_time", print_time(r.shape.window.end));
  put("duration", print_duration(r.shape.window.length()));
  for (const auto& bad : r.bad) put("message", bad);
  if (!r.note.empty()) put("message", r.note);
  put("submission_time", print_time(r.submitted));
  put("group", r.owner.group);
  put("account", request.account);
  if (!request.resources.empty())
    put("resource_list", print_resource_requests(request.resources, ", "));
  if (request.hard) put("error_handling", "true");
  if (request.repair != Repair::as_site)
    put("repair", request.repair == Repair::yes ? "true" : "false");
  std::vector<std::string> slots, values, users, excluded;
  for (const auto& grant : r.shape.grants)
    slots.push_back(grant.instance.text() + "=" + std::to_string(grant.slots));
  for (const auto& booking : r.shape.bookings)
    if (booking.resource != "slots" && !booking.resource.beside) values.push_back(text_of(booking));
  for (const auto& user : r.shape.users)
    (user.starts_with('!') ? excluded : users)
        .push_back(user.starts_with('!') ? user.substr(1) : user);
  put("granted_slots_list", join(slots, ","));
  if (!values.empty()) put("complex_values", join(values, ","));
  if (!r.shape.pe.empty())
    put("granted_parallel_environment", r.shape.pe + " slots " + print_slot_ranges(request.slots));
  if (!request.master_queues.empty())
    put("master hard queue_list", join(request.master_queues, ","));
  if (!request.mail_at.empty()) put("mail_options", request.mail_at);
  if (!request.mail_to.empty()) put("mail_list", join(request.mail_to, ","));
  if (!users.empty()) put("acl_list", join(users, ","));
  if (!excluded.empty()) put("xacl_list", join(excluded, ","));
  if (!request.project.empty()) put("project", request.project);
}

void print_table(std::ostream& out, const std::vector<door::ReservationView>& list, bool explain) {
  if (list.empty()) return;
  const auto row = [&](const std::string& id, const std::string& name, const std::string& owner,
                       const std::string& state, const std::string& start, const std::string& end,
                       const std::string& duration) {
    out << line(id + " " + left_cut(name, 10) + " " + left_cut(owner, 12) + " " +
                left_cut(state, 5) + " " + left_cut(start, 20) + " " + left_cut(end, 20) + " " +
                right(duration, 8));
  };
  row(left("ar-id", 7), "name", "owner", "state", "start at", "end at", "duration");
  out << std::string(90, '-') << "\n";
  for (const auto& r : list) {
    row(right(to_string(r.number), 7), r.request.name, r.owner.user, std::string(1, r.letter()),
        print_time(r.shape.window.start), print_time(r.shape.window.end),
        print_duration(r.shape.window.length()));
    if (!explain) continue;
    for (const auto& bad : r.bad) out << "       " << bad << "\n";
    if (!r.note.empty()) out << "       " << r.note << "\n";
  }
}

// All lists of a repeated -ar.
std::vector<std::string> wanted_reservations(const GivenOptions& given) {
  std::vector<std::string> wanted;
  for (const auto& [name, values] : given.options)
    if (name == "-ar")
      for (auto& one : words(values.front(), ", ")) wanted.push_back(std::move(one));
  return wanted;
}

} // namespace

int qrstat(Context& context) {
  static const std::vector<OptionRule> rules{{"-ar", 1}, {"-explain", 0},    {"-help", 0},
                                             {"-u", 1},  {"-xml", 0, false}, {"-fmt", 1, false}};
  int code = 0;
  const auto given = read_options(context, rules, usage, code);
  if (!given) return code;
  if (const auto* users = given->last("-u"); users && words(*users, ", ").empty())
    return complain(context, "option -u: no user is named");
  if (given->has("-ar") && wanted_reservations(*given).empty())
    return complain(context, "option -ar: no advance reservation is named");
  door::GetReservations query;
  if (const auto* users = given->last("-u")) query.users = split(*users, ',');
  query.reservations = wanted_reservations(*given);
  std::vector<door::ReservationView> list;
  std::vector<std::string> unknown;
  const int asked = ask<door::Reservations>(context, query, [&](door::Reservations& frame) {
    for (auto& view : frame.reservations) list.push_back(std::move(view));
    unknown.insert(unknown.end(), frame.unknown.begin(), frame.unknown.end());
  });
  if (asked != 0) return asked;
  std::sort(list.begin(), list.end(), [](auto& a, auto& b) { return a.number < b.number; });
  if (!given->has("-ar")) {
    print_table(context.out, list, given->has("-explain"));
    return 0;
  }
  for (const auto& r : list) print_detail(context.out, r);
  if (unknown.empty()) return 0;
  context.err << "Following advance reservations do not exist:\n";
  for (const auto& id : unknown) context.err << id << "\n";
  return 1;
}

} // namespace almanac
