#include "core/text/ranges.hpp"
#include "tools/output/job_json.hpp"
#include "tools/output/reservations.hpp"
#include "tools/output/series.hpp"

#include <algorithm>

namespace almanac {

namespace {

using View = door::ReservationView;

Json line_of(const View& r) {
  Json made{{"id", r.number.value},
            {"name", r.request.name},
            {"owner", r.owner.user},
            {"state", std::string(1, r.letter())}};
  put_if_set(made, "start", r.shape.window.start), put_if_set(made, "end", r.shape.window.end);
  made["duration_seconds"] = r.shape.window.length().seconds;
  auto reasons = r.bad;
  if (!r.note.empty()) reasons.push_back(r.note);
  put_if_set(made, "messages", reasons);
  return made;
}

// Slots are what was granted; other resources stand with what holds them.
void put_grants(Json& made, const View& r) {
  made["granted"] = json_list(r.shape.grants, [](const Grant& grant) { return json_of(grant); });
  auto amounts = Json::array();
  for (const auto& booking : r.shape.bookings) {
    if (booking.resource == "slots" || booking.resource.beside) continue;
    const auto& container = booking.container;
    amounts.push_back({{"container", container.name.empty() ? container.text() : container.name},
                       {"name", booking.resource.name},
                       {"value", booking.printed_amount()}});
  }
  if (!amounts.empty()) made["complex_values"] = std::move(amounts);
  put_if_set(made, "pe", r.shape.pe);
  put_if_set(made, "users", r.shape.users);
}

void put_requests(Json& made, const ReservationRequest& request) {
  put_if_set(made, "account", request.account);
  put_if_set(made, "project", request.project);
  put_if_set(made, "resources", request.resources);
  put_if_set(made, "master_queues", request.master_queues);
  put_if_set(made, "checkpoint", request.checkpoint);
  put_if_set(made, "allocation_rule", request.allocation_rule);
  put_if_set(made, "pe_rule", request.pe_rule);
  put_if_set(made, "slots", request.slots.empty() ? "" : print_slot_ranges(request.slots));
  put_if_set(made, "mail_options", request.mail_at), put_if_set(made, "mail_list", request.mail_to);
  made["hard_errors"] = request.hard;
}

// What Grid Engine does not have.
void put_own(Json& made, const View& r) {
  const auto& request = r.request;
  if (request.repair != Repair::as_site)
    made["repair"] = request.repair == Repair::fail  ? "fail"
                     : request.repair == Repair::yes ? "repair"
                                                     : "wait";
  if (request.spare > 0) {
    made["spare_hosts"] = request.spare;
    made["spares"] = json_list(r.spares, [](const Grant& grant) { return json_of(grant); });
  }
  put_if_set(made, "left_behind", r.left_behind);
  put_if_set(made, "lent", r.lent);
  if (!request.room_of.empty())
    made["room_of"] = json_list(request.room_of, [](ReservationNumber one) { return one.value; });
  put_if_set(made, "offer_until", r.offer_until);
  if (r.series) made["series"] = r.series.value, made["occurrence"] = r.occurrence;
  if (request.maintenance) {
    made["maintenance"] = true;
    put_if_set(made, "hosts", request.hosts);
    made["running"] = request.requeue_running ? "requeue" : "leave";
  }
  if (request.attract) made["attract"] = true;
  if (request.ends_when_idle) made["idle_minutes"] = request.idle_for.seconds / 60;
}

Json json_of(const View& r, XmlDetail detail) {
  auto made = line_of(r);
  if (detail == XmlDetail::line) made.erase("messages");
  if (detail != XmlDetail::all) return made;
  put_if_set(made, "submitted", r.submitted);
  put_if_set(made, "group", r.owner.group);
  put_requests(made, r.request), put_grants(made, r), put_own(made, r);
  return made;
}

} // namespace

void print_reservations_json(std::ostream& out, const std::vector<View>& list, XmlDetail detail,
                             const std::vector<std::string>& unknown) {
  print_json(out,
             {{"reservations", json_list(list, [&](const View& r) { return json_of(r, detail); })},
              {"unknown", unknown}});
}

void print_series_json(std::ostream& out, const std::vector<door::SeriesView>& list,
                       const std::vector<std::string>& unknown) {
  const auto one = [](const door::SeriesView& series) {
    Json made{{"id", series.number.value}, {"name", series.name}, {"owner", series.owner},
              {"rule", series.rule},       {"zone", series.zone}, {"granted", series.granted}};
    put_if_set(made, "next", series.next);
    made["conflicts"] = json_list(series.conflicts, [](const door::ConflictView& conflict) {
      Json what{{"occurrence", conflict.occurrence}, {"message", conflict.why}};
      put_if_set(what, "start", conflict.window.start),
          put_if_set(what, "end", conflict.window.end);
      return what;
    });
    return made;
  };
  print_json(out, {{"series", json_list(list, one)}, {"unknown", unknown}});
}

} // namespace almanac
