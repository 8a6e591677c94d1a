#include "tools/output/plus_reservations.hpp"

#include "core/text/table.hpp"
#include "core/text/words.hpp"
#include "tools/output/local_time.hpp"
#include "tools/output/xml_writer.hpp"

#include <ostream>
#include <set>

namespace almanac {

namespace {

constexpr std::size_t id_width = 9, owner_width = 10, nodes_width = 5, time_width = 19;
constexpr const char* xml_head = "<?xml version='1.0'?>\n";

std::string id_of(const door::ReservationView& reservation) {
  return "R" + to_string(reservation.number);
}

std::string row(const std::string& id, const std::string& owner, const std::string& nodes,
                const std::string& start, const std::string& end, const std::string& state) {
  return line(left(id, id_width) + " " + left(owner, owner_width) + " " +
              right(nodes, nodes_width) + " " + left(start, time_width) + " " +
              left(end, time_width) + " " + state);
}

std::size_t count_of_nodes(const door::ReservationView& reservation) {
  const auto named = plus_nodes(reservation).size();
  return named > 0 ? named : static_cast<std::size_t>(reservation.request.nodes);
}

void put(XmlWriter& xml, const door::ReservationView& reservation) {
  xml.open("reservation", {{"id", id_of(reservation)}, {"state", plus_state(reservation)}});
  xml.put("owner", reservation.owner.user);
  xml.put("start", print_iso_time(reservation.shape.window.start));
  xml.put("end", print_iso_time(reservation.shape.window.end));
  if (!reservation.operation.empty() && !reservation.held_until.is_never())
    xml.put("held_until", print_iso_time(reservation.held_until));
  xml.open("nodes", {{"count", std::to_string(count_of_nodes(reservation))}});
  for (const auto& node : plus_nodes(reservation)) xml.put("node", node);
  xml.close();
  if (!reservation.shape.users.empty()) {
    xml.open("users");
    for (const auto& user : reservation.shape.users) xml.put("user", user);
    xml.close();
  }
  xml.close();
}

} // namespace

std::string plus_state(const door::ReservationView& reservation) {
  if (reservation.phase == ReservationPhase::proposed) return "Held";
  // Also of one that is over, which can be destroyed.
  if (reservation.operation == "modify") return "HeldModify";
  if (reservation.operation == "cancel") return "HeldCancel";
  if (reservation.operation == "destroy") return "HeldDestroy";
  switch (reservation.phase) {
  case ReservationPhase::closed:
  case ReservationPhase::expired: return "Expired";
  case ReservationPhase::canceled:
  case ReservationPhase::deleted: return "Canceled";
  case ReservationPhase::running: return "Running";
  default: return "Confirm";
  }
}

std::vector<std::string> plus_nodes(const door::ReservationView& reservation) {
  std::set<std::string> hosts;
  for (const auto& grant : reservation.shape.grants) hosts.insert(grant.instance.host);
  return {hosts.begin(), hosts.end()};
}

void print_plus_table(std::ostream& out, const std::vector<door::ReservationView>& list,
                      PlusNodes nodes) {
  if (list.empty()) return;
  out << row("id", "owner", "nodes", "start", "end", "state");
  for (const auto& one : list) {
    const auto& window = one.shape.window;
    out << row(id_of(one), one.owner.user, std::to_string(count_of_nodes(one)),
               print_iso_time(window.start), print_iso_time(window.end), plus_state(one));
    const auto names = join(plus_nodes(one), ",");
    if (nodes == PlusNodes::named && !names.empty())
      out << std::string(id_width + 1, ' ') << names << "\n";
  }
}

void print_plus_xml(std::ostream& out, const std::vector<door::ReservationView>& list) {
  out << xml_head;
  XmlWriter xml(out);
  xml.open("plus_status");
  for (const auto& one : list) put(xml, one);
  xml.close();
}

void print_plus_xml(std::ostream& out, const door::ReservationView& reservation) {
  out << xml_head;
  XmlWriter xml(out);
  put(xml, reservation);
}

void print_plus_nodes_xml(std::ostream& out, const std::vector<std::string>& nodes) {
  out << xml_head;
  XmlWriter xml(out);
  xml.open("plus_availnodes", {{"count", std::to_string(nodes.size())}});
  for (const auto& node : nodes) xml.put("node", node);
  xml.close();
}

} // namespace almanac
