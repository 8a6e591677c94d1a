#include "tools/output/reservations.hpp"

#include "core/text/resource_list.hpp"
#include "core/text/table.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "core/text/xml.hpp"
#include "tools/output/local_time.hpp"

#include <algorithm>
#include <ostream>
#include <set>

namespace almanac {

namespace {

using View = door::ReservationView;
using Words = std::vector<std::string>;

constexpr const char* schema =
    "https://github.com/gridengine/gridengine/raw/master/source/dist/util/resources/schemas/qrstat/"
    "qrstat.xsd";

// What is said of a reservation, as a line of text and as an element: so both have the same order.
struct Field {
  std::string label, text;
  std::string element;
  Words children{}; ///< elements; the text is the content where there are none
};

class Fields {
public:
  explicit Fields(const View& reservation) : r_(reservation), request_(r_.request) {}

  std::vector<Field> line() {
    put("id", to_string(r_.number));
    put("name", request_.name);
    put("owner", r_.owner.user);
    put("state", std::string(1, r_.letter()));
    put_times();
    return std::move(fields_);
  }
  std::vector<Field> line_with_reasons() {
    fields_ = line();
    put_reasons();
    return std::move(fields_);
  }
  std::vector<Field> all() {
    fields_ = line_with_reasons();
    put("submission_time", print_time(r_.submitted));
    put("group", r_.owner.group);
    put("account", request_.account);
    put_resources();
    if (request_.hard) put("error_handling", "true");
    put_grants();
    put_environment();
    put_people();
    put_own();
    return std::move(fields_);
  }

private:
  void put(const std::string& name, const std::string& text) {
    fields_.push_back({name, text, name});
  }
  void put_if_set(const std::string& name, const std::string& text) {
    if (!text.empty()) put(name, text);
  }
  void put_list(const std::string& name, const std::string& text, Words children) {
    if (!children.empty()) fields_.push_back({name, text, name, std::move(children)});
  }

  void put_times() {
    put("start_time", print_time(r_.shape.window.start));
    put("end_time", print_time(r_.shape.window.end));
    put("duration", print_duration(r_.shape.window.length()));
  }
  void put_reasons() {
    for (const auto& bad : r_.bad) put("message", bad);
    put_if_set("message", r_.note);
  }

  // The attribute "type" has the value, as in Grid Engine (R8.29).
  void put_resources() {
    Words elements;
    for (const auto& [name, value] : request_.resources)
      elements.push_back(xml_element("resource", {{"name", name}, {"type", value}}));
    put_list("resource_list", print_resource_requests(request_.resources, ", "),
             std::move(elements));
  }

  void put_grants() {
    Words elements, texts;
    for (const auto& [instance, slots] : r_.shape.grants) {
      const auto count = std::to_string(slots);
      texts.push_back(instance.text() + "=" + count);
      elements.push_back(
          xml_element("granted_slots", {{"queue_instance", instance.text()}, {"slots", count}}));
    }
    put_list("granted_slots_list", join(texts, ","), std::move(elements));
    put_amounts();
  }

  // "host=scratch=4G"
  void put_amounts() {
    Words elements, texts;
    for (const auto& booking : r_.shape.bookings) {
      if (booking.resource == "slots" || booking.resource.beside) continue;
      const auto& container = booking.container;
      const auto where = container.name.empty() ? container.text() : container.name;
      const auto amount = booking.printed_amount();
      texts.push_back(where + "=" + booking.resource.name + "=" + amount);
      elements.push_back(
          xml_element("complex_value",
                      {{"container", where}, {"name", booking.resource.name}, {"value", amount}}));
    }
    put_list("complex_values", join(texts, ","), std::move(elements));
  }

  void put_environment() {
    const auto slots = print_slot_ranges(request_.slots);
    if (!r_.shape.pe.empty())
      put_list("granted_parallel_environment", r_.shape.pe + " slots " + slots,
               {xml_element("parallel_environment", r_.shape.pe), xml_element("slots", slots)});
    // With blanks it is no name of an element (V3.13).
    if (!request_.master_queues.empty())
      fields_.push_back(
          {"master hard queue_list", join(request_.master_queues, ","), "master_hard_queue_list"});
    put_if_set("checkpoint_name", request_.checkpoint);
  }

  void put_people() {
    std::string occasions = request_.mail_at;
    std::sort(occasions.begin(), occasions.end());
    put_if_set("mail_options", occasions);
    put_addresses();
    Words users, excluded;
    for (const auto& user : r_.shape.users)
      (user.starts_with('!') ? excluded : users)
          .push_back(user.starts_with('!') ? user.substr(1) : user);
    put_users("acl_list", users), put_users("xacl_list", excluded);
  }
  void put_addresses() {
    Words texts, elements;
    for (const auto& address : request_.mail_to) {
      const auto at = address.find('@');
      const auto user = address.substr(0, at);
      const auto host = at == std::string::npos ? "NONE" : address.substr(at + 1);
      texts.push_back(user + "@" + host);
      elements.push_back(xml_element("mail", {{"user", user}, {"host", host}}));
    }
    put_list("mail_list", join(texts, ","), std::move(elements));
  }
  void put_users(const std::string& name, const Words& users) {
    Words elements;
    for (const auto& user : users) elements.push_back(xml_element("acl", {{"user", user}}));
    put_list(name, join(users, ","), std::move(elements));
  }

  // What Grid Engine does not have comes last (B0.6).
  void put_own() {
    if (request_.repair != Repair::as_site) put("repair", policy());
    if (request_.spare > 0) put("spare", spares());
    put_if_set("left_behind", join(r_.left_behind, ", "));
    put_if_set("lent", join(r_.lent, ", "));
    put_if_set("room_of", lenders());
    if (r_.offer_until != Instant{}) put("offer_until", print_time(r_.offer_until));
    if (r_.series) put("series", to_string(r_.series)), put("occurrence", r_.occurrence);
    if (request_.maintenance) {
      put("maintenance", "true");
      put("hosts", join(request_.hosts, ","));
      put("running", request_.requeue_running ? "requeue" : "leave");
    }
    if (request_.attract) put("attract", "true");
    if (request_.ends_when_idle) put("idle", std::to_string(request_.idle_for.seconds / 60));
    put_if_set("project", request_.project);
    if (!request_.allocation_rule.empty())
      put("allocation_rule",
          request_.allocation_rule + " slots " + print_slot_ranges(request_.slots));
    put_if_set("pe_rule", request_.pe_rule);
  }

  std::string policy() const {
    if (request_.repair == Repair::fail) return "fail";
    return request_.repair == Repair::yes ? "true" : "false";
  }

  // Those whose room it may use.
  std::string lenders() const {
    Words ids;
    for (const auto number : request_.room_of) ids.push_back(to_string(number));
    return join(ids, ",");
  }

  // "1 of 2: all.q@n3=4"
  std::string spares() const {
    std::set<std::string> hosts;
    Words texts;
    for (const auto& [instance, slots] : r_.spares) {
      hosts.insert(instance.host);
      texts.push_back(instance.text() + "=" + std::to_string(slots));
    }
    const auto count = std::to_string(hosts.size()) + " of " + std::to_string(request_.spare);
    return texts.empty() ? count : count + ": " + join(texts, ",");
  }

  const View& r_;
  const ReservationRequest& request_;
  std::vector<Field> fields_;
};

std::vector<Field> fields_of(const View& reservation, XmlDetail detail) {
  Fields fields(reservation);
  switch (detail) {
  case XmlDetail::line: return fields.line();
  case XmlDetail::line_with_reasons: return fields.line_with_reasons();
  case XmlDetail::all: return fields.all();
  }
  return {};
}

Words reasons_of(const View& reservation) {
  auto reasons = reservation.bad;
  if (!reservation.note.empty()) reasons.push_back(reservation.note);
  return reasons;
}

// Times are those of XML there.
std::string xml_content(const View& r, const Field& field) {
  if (field.element == "start_time") return print_iso_time(r.shape.window.start);
  if (field.element == "end_time") return print_iso_time(r.shape.window.end);
  if (field.element == "offer_until") return print_iso_time(r.offer_until);
  if (field.element == "submission_time") return print_iso_time(r.submitted);
  return field.text;
}

void print_summary(std::ostream& out, const View& reservation, XmlDetail detail) {
  out << "   <ar_summary>\n";
  for (const auto& field : fields_of(reservation, detail)) {
    if (field.children.empty()) {
      out << "      " << xml_element(field.element, xml_content(reservation, field)) << "\n";
      continue;
    }
    out << "      <" << field.element << ">\n";
    for (const auto& child : field.children) out << "         " << child << "\n";
    out << "      </" << field.element << ">\n";
  }
  out << "   </ar_summary>\n";
}

} // namespace

void print_reservation_table(std::ostream& out, const std::vector<View>& list, Reasons reasons) {
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
    if (reasons == Reasons::left_out) continue;
    for (const auto& reason : reasons_of(r)) out << "       " << reason << "\n";
  }
}

void print_reservation(std::ostream& out, const View& reservation) {
  out << std::string(80, '-') << "\n";
  for (const auto& field : Fields(reservation).all())
    out << line(left(field.label, 30) + " " + field.text);
}

void print_reservations_xml(std::ostream& out, const std::vector<View>& list, XmlDetail detail,
                            const std::vector<std::string>& unknown) {
  out << "<?xml version='1.0'?>\n<qrstat xmlns:xsd=\"" << schema << "\">\n";
  for (const auto& reservation : list) print_summary(out, reservation, detail);
  for (const auto& id : unknown)
    out << "   <ar_unknown>\n      " << xml_element("id", id) << "\n   </ar_unknown>\n";
  out << "</qrstat>\n";
}

namespace {

std::string seconds_or_never(Instant instant) {
  return instant.is_never() ? "INFINITY" : std::to_string(instant.seconds);
}

} // namespace

void print_reservation_columns(std::ostream& out, const std::vector<View>& list, Reasons reasons) {
  for (const auto& r : list) {
    Words grants;
    std::int64_t slots = 0;
    for (const auto& grant : r.shape.grants) {
      grants.push_back(grant.instance.text() + "=" + std::to_string(grant.slots));
      slots += grant.slots;
    }
    Words columns{to_string(r.number),
                  r.request.name,
                  r.owner.user,
                  std::string(1, r.letter()),
                  std::to_string(r.shape.window.start.seconds),
                  seconds_or_never(r.shape.window.end),
                  std::to_string(slots),
                  join(grants, ","),
                  r.shape.pe};
    if (reasons == Reasons::shown) columns.push_back(join(reasons_of(r), "; "));
    out << join(columns, "\t") << "\n";
  }
}

} // namespace almanac
