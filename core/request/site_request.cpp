#include "core/request/site_request.hpp"

#include "core/host/operating_system.hpp"
#include "core/request/checks.hpp"
#include "core/request/reserve_checks.hpp"
#include "core/request/valid.hpp"
#include "core/reservation/grant.hpp"
#include "core/text/base64url.hpp"
#include "core/text/numbers.hpp"
#include "core/text/ranges.hpp"
#include "core/text/resource_list.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

constexpr std::size_t longest_transaction = 64;
constexpr std::size_t longest_name = 512, longest_system = 64;
// What a site calls it, by which jobs have hosts for themselves.
constexpr const char* exclusive_resource = "exclusive";

// What describes resources, read once and used for a job or for a reservation.
struct Wanted {
  TimeNeeded time;
  std::int64_t nodes = 0; ///< 0: not given
  std::int64_t slots = 1; ///< on each node, or all of them
  bool has_slots = false, exclusive = false;
  std::string pe, os, project, account;
  std::vector<Attribute> resources;
  std::vector<std::string> queues;

  std::int64_t all_slots() const { return std::max<std::int64_t>(1, nodes) * slots; }
  // M3.10; whoever has none of the slots yet has one.
  Duration length() const {
    if (!time.is_cpu) return time.time;
    return {(time.time.seconds + all_slots() - 1) / all_slots()};
  }
};

// Reads the values of a line, and keeps the name of the first token whose value makes no sense.
class Reader {
public:
  explicit Reader(const SiteLine& line) : line_(line) {}

  void note(std::string_view token) const {
    if (!refusal_) refusal_ = bad_value_for(token);
  }
  void note_missing(std::string_view token) const {
    if (!refusal_) refusal_ = missing_token(token);
  }
  const std::optional<SiteRefusal>& refusal() const { return refusal_; }

  std::string word(std::string_view name) const {
    const auto* value = line_.find(name);
    if (!value) return "";
    if (value->empty() || !valid_texts({*value})) note(name);
    return *value;
  }
  // Of a user, a project, a tag: patterns may be longer.
  std::string name(std::string_view token, std::size_t longest = longest_name) const {
    auto text = word(token);
    if (text.size() > longest) note(token);
    return text;
  }
  std::int64_t number(std::string_view name, std::int64_t without, std::int64_t least,
                      std::int64_t most) const {
    const auto* value = line_.find(name);
    if (!value) return without;
    const auto found = parse_number(*value);
    if (found && *found >= least && *found <= most) return *found;
    note(name);
    return without;
  }
  bool flag(std::string_view name) const { return number(name, 0, 0, 1) == 1; }
  std::vector<std::string> list(std::string_view name) const {
    if (!line_.find(name)) return {};
    auto found = split(word(name), ',');
    if (found.size() > longest_wish) note(name);
    for (auto& one : found) {
      one = std::string(trim(one));
      if (one.empty()) note(name);
    }
    return found;
  }
  ReservationNumber reservation(std::string_view name) const { return id(word(name), name); }
  std::vector<ReservationNumber> reservations(std::string_view name) const {
    std::vector<ReservationNumber> found;
    for (const auto& one : list(name)) found.push_back(id(one, name));
    return found;
  }
  // Seconds since the epoch; nothing for NOW.
  std::optional<Instant> start() const {
    const auto text = word("STARTTIME");
    if (equal_ignoring_case(text, "NOW")) return std::nullopt;
    return Instant{number("STARTTIME", 0, 1, last_second)};
  }
  Duration hold() const { return {number("HOLD", 0, 0, longest_time)}; }
  std::string transaction(const std::string& without) const {
    if (!line_.find("TXID")) return without;
    auto name = word("TXID");
    if (name.size() > longest_transaction) note("TXID");
    return name;
  }
  std::string public_key() const {
    auto key = word("PUBKEY");
    if (key.empty()) return key;
    const auto bytes = parse_base64url(key);
    if (!bytes || bytes->size() != key_bytes) note("PUBKEY");
    return key;
  }
  StartSearch search() const {
    const auto* value = line_.find("TIMESPEC");
    if (!value) return {};
    const auto found = parse_time_spec(*value);
    if (!found) note("TIMESPEC");
    return found.value_or(StartSearch());
  }
  Wanted wanted() const {
    Wanted wanted;
    const auto time = parse_time_needed(word("TIMENEEDED"));
    if (!time) note("TIMENEEDED");
    wanted.time = time.value_or(TimeNeeded{{1}, false});
    wanted.nodes = number("NODES", 0, 1, most_slots);
    wanted.slots = number("SLOTS", 1, 1, most_slots);
    wanted.has_slots = line_.find("SLOTS") != nullptr;
    if (wanted.all_slots() > most_slots) note("SLOTS");
    wanted.exclusive = flag("EXCLUSIVE");
    wanted.pe = word("PE"), wanted.os = system();
    wanted.project = name("PROJECT"), wanted.account = name("ACCOUNT");
    if (!wanted.account.empty() && !valid_object_name(wanted.account)) note("ACCOUNT");
    add_resources(wanted.resources);
    wanted.queues = queues();
    // Which hosts have so many slots together, is not looked for: whole nodes are counted.
    if (wanted.exclusive && wanted.pe.empty() && wanted.nodes == 0 && wanted.slots > 1)
      note_missing("NODES");
    return wanted;
  }

private:
  ReservationNumber id(const std::string& text, std::string_view name) const {
    const auto found = parse_reservation_id(text);
    if (found && found->value >= 1 && found->value <= most_slots) return *found;
    note(name);
    return {};
  }
  // M3.14, M3.18, M3.19, M3.22
  void add_resources(std::vector<Attribute>& into) const {
    for (const auto& [name, value] : line_.tokens)
      if (name == "RES") add(into, name, value);
    for (const auto& one : list("L")) {
      const auto colon = one.find(':');
      if (colon == std::string::npos || colon == 0) note("L");
      else add(into, "L", one.substr(0, colon) + "=" + one.substr(colon + 1));
    }
    add_memory(into, "MEM", "mem_total"), add_memory(into, "SWAP", "swap_total");
    add_memory(into, "DISK", "disk");
    if (const auto arch = word("ARCH"); !arch.empty()) add(into, "ARCH", "arch=" + arch);
    if (into.size() > longest_wish) note("RES");
  }
  // Of the values only that of h_rt is looked at: in a QUERY, TIMENEEDED takes its place. The
  // others the master judges, by the types that the cell's complexes have.
  void add(std::vector<Attribute>& into, std::string_view token, const std::string& text) const {
    const auto before = static_cast<std::ptrdiff_t>(into.size());
    if (text.empty() || !valid_texts({text}) || !add_resource_requests(into, text)) note(token);
    for (auto it = into.begin() + before; it < into.end(); ++it)
      if (it->name == "h_rt" && !parse_duration(it->value)) note(token);
  }
  // It may become a pattern, and is none itself.
  std::string system() const {
    auto system = name("OS", longest_system);
    if (system.find_first_of("*?[]\\&|!()") != std::string::npos) note("OS");
    return system;
  }
  void add_memory(std::vector<Attribute>& into, std::string_view token,
                  const std::string& resource) const {
    const auto text = word(token);
    if (text.empty()) return;
    if (!parse_memory(text)) note(token);
    into.push_back({resource, text});
  }
  // M3.20, M3.21: each queue on each host.
  std::vector<std::string> queues() const {
    const auto hosts = list("HOSTS");
    auto queues = list("QUEUE");
    if (hosts.empty()) return queues;
    if (queues.empty()) queues = {"*"};
    std::vector<std::string> found;
    if (hosts.size() * queues.size() > longest_wish) {
      note("HOSTS");
      return found;
    }
    for (const auto& queue : queues) {
      if (queue.find('@') != std::string::npos) note("QUEUE");
      for (const auto& host : hosts) found.push_back(queue + "@" + host);
    }
    return found;
  }

  const SiteLine& line_;
  mutable std::optional<SiteRefusal> refusal_; ///< the first one
};

// ---- a job or a reservation ---------------------------------------------------------------------

template <class Request> void describe_common(const Wanted& wanted, Request& request) {
  request.resources = wanted.resources;
  request.queues = wanted.queues;
  request.project = wanted.project;
  if (!wanted.account.empty()) request.account = wanted.account;
}

// Slots of a PE, or without one by a rule: so many on each node, or wherever they are.
template <class Request> void spread_slots(const Wanted& wanted, Request& request) {
  const auto slots = wanted.all_slots();
  const auto each = std::to_string(wanted.slots);
  const bool by_node = wanted.nodes > 0;
  if (!wanted.pe.empty()) {
    request.pe = wanted.pe;
    if (by_node) request.pe_rule = each;
  } else if (slots > 1) request.allocation_rule = by_node ? each : "$fill_up";
  else return;
  request.slots = {{slots, slots}};
}

// What is not asked for by nodes has its system by its architecture, which every cell knows. Of two
// requests of the same resource the last one counts, so it has to be both.
void ask_for_system(const std::string& system, std::vector<Attribute>& resources) {
  if (system.empty()) return;
  auto wanted = architectures_of(system);
  for (auto it = resources.rbegin(); it != resources.rend(); ++it)
    if (it->name == "arch" || it->name == "a") {
      wanted = "(" + it->value + ")&(" + wanted + ")";
      break;
    }
  resources.push_back({"arch", std::move(wanted)});
}

ReservationRequest reservation_of(const Reader& read) {
  const auto wanted = read.wanted();
  ReservationRequest request;
  describe_common(wanted, request);
  request.duration = wanted.length(), request.has_duration = true;
  if (wanted.exclusive && !wanted.pe.empty()) read.note("EXCLUSIVE");
  const bool by_node = wanted.nodes > 0 || wanted.exclusive;
  if (!by_node || !wanted.pe.empty()) {
    ask_for_system(wanted.os, request.resources);
    spread_slots(wanted, request);
    return request;
  }
  request.os = wanted.os;
  request.whole_nodes = wanted.exclusive;
  request.nodes = std::max<std::int64_t>(1, wanted.nodes);
  const bool has_all = wanted.exclusive && !wanted.has_slots;
  request.node_slots = has_all ? 0 : wanted.slots;
  return request;
}

JobRequest job_of(const Reader& read) {
  const auto wanted = read.wanted();
  JobRequest request;
  request.name = "query", request.binary = true, request.command = "true";
  request.directory = "/";
  describe_common(wanted, request);
  request.resources.push_back({"h_rt", std::to_string(wanted.length().seconds)});
  ask_for_system(wanted.os, request.resources);
  if (wanted.exclusive) request.resources.push_back({exclusive_resource, "true"});
  spread_slots(wanted, request);
  return request;
}

ReservationRequest named_reservation_of(const Reader& read) {
  auto request = reservation_of(read);
  request.name = read.word("NAME");
  if (!request.name.empty() && !valid_reservation_name(request.name)) read.note("NAME");
  request.users = read.list("ACL");
  for (const auto& user : request.users)
    if (user.size() > longest_name) read.note("ACL");
  request.public_key = read.public_key();
  request.room_of = read.reservations("RESACCESS");
  return request;
}

// ---- verbs --------------------------------------------------------------------------------------

StartsQuery starts_query(const Reader& read) {
  StartsQuery query;
  query.request = reservation_of(read);
  query.request.room_of = read.reservations("RESACCESS");
  query.search = read.search();
  query.max_ranges = read.number("MAXRANGES", 32, 1, most_start_ranges);
  query.min_length = {read.number("MINLEN", 0, 0, longest_time)};
  query.grain = {read.number("GRAIN", 1, 1, longest_time)};
  return query;
}

ReserveEarliest set_command(const Reader& read, const std::string& transaction, bool is_fixed) {
  ReserveEarliest command;
  command.prepare.request = named_reservation_of(read);
  command.prepare.hold_for = read.hold();
  command.prepare.transaction = read.transaction(transaction);
  if (!is_fixed) command.search = read.search();
  else if (const auto start = read.start()) command.prepare.request.start = *start;
  else command.at_once = true;
  return command;
}

PrepareReservation change_command(const Reader& read, const SiteLine& line,
                                  const std::string& transaction) {
  PrepareReservation command;
  command.number = read.reservation("RESID");
  command.hold_for = read.hold();
  command.transaction = read.transaction(transaction);
  command.within_horizon = true;
  if (!line.find("STARTTIME")) return command;
  if (const auto start = read.start()) command.request.start = *start;
  else command.at_once = true;
  return command;
}

SiteMeaning meaning_of(const SiteLine& line, const Reader& read, const std::string& transaction) {
  switch (*line.verb) {
  case SiteVerb::query: return WhenQuery{job_of(read), {}};
  case SiteVerb::resquery: return starts_query(read);
  case SiteVerb::resqandset: return set_command(read, transaction, false);
  case SiteVerb::setres: return set_command(read, transaction, true);
  case SiteVerb::commit:
  case SiteVerb::abort:
    return SettleReservation{read.transaction(""), read.reservation("RESID"),
                             line.verb == SiteVerb::commit};
  case SiteVerb::release: {
    DeleteReservations command;
    command.targets = {to_string(read.reservation("RESID"))};
    return command;
  }
  case SiteVerb::modify: return change_command(read, line, transaction);
  case SiteVerb::status: return SiteStatusOf{read.reservation("RESID")};
  case SiteVerb::challenge: return SiteChallenge{read.reservation("RESID")};
  case SiteVerb::hello: break;
  }
  return SiteHello{};
}

// What the rows above cannot see: the request as a whole, as any door would look at it.
bool is_valid(const SiteMeaning& meaning) {
  return std::visit(
      [](const auto& one) -> bool {
        using T = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<T, WhenQuery> || std::is_same_v<T, StartsQuery>)
          return valid(one).ok();
        else if constexpr (std::is_same_v<T, ReserveEarliest>)
          return valid(one.prepare.request).ok();
        else return true;
      },
      meaning);
}

} // namespace

std::string_view token_of_resource(const SiteLine& line, std::string_view resource) {
  constexpr std::pair<std::string_view, std::string_view> known[]{
      {"mem_total", "MEM"},
      {"swap_total", "SWAP"},
      {"disk", "DISK"},
      {"arch", "ARCH"},
      {exclusive_resource, "EXCLUSIVE"}};
  for (const auto& [name, token] : known)
    if (name == resource && line.find(token)) return token;
  const auto* list = line.find("L");
  if (!list) return "RES";
  for (const auto& one : split(*list, ','))
    if (trim(std::string_view(one).substr(0, one.find(':'))) == resource) return "L";
  return "RES";
}

Result<SiteRequest, SiteRefusal> site_request(const SiteLine& line,
                                              const std::string& transaction) {
  const Reader read(line);
  SiteRequest request{meaning_of(line, read, transaction), read.name("USER")};
  (void)read.name("ID"), (void)read.flag("ECHO"); // what is wrong with them is noted
  if (read.refusal()) return *read.refusal();
  auto* query = std::get_if<WhenQuery>(&request.meaning);
  auto* starts = std::get_if<StartsQuery>(&request.meaning);
  auto* whom = query ? &query->whom : starts ? &starts->whom : nullptr;
  if (whom) whom->user.user = request.user;
  if (!is_valid(request.meaning)) return bad_value_for("RES");
  return request;
}

} // namespace almanac
