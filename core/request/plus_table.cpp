#include "core/request/plus_table.hpp"

#include "core/base/time.hpp"
#include "core/text/resource_list.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

using Reading = PlusReading;
constexpr std::int64_t most_nodes = 1'000'000, most_slots_of_node = 1'000'000;
constexpr std::int64_t most_kept = 100'000, most_days = hundred_years.seconds / 86'400;

// ---- readers ------------------------------------------------------------------------------------

template <auto member> Outcome read_flag(const Reading& reading) {
  reading.into.*member = true;
  return Done{};
}

template <auto member> Outcome read_time(const Reading& reading) {
  const auto at = parse_plus_time(reading.value(), reading.clock);
  if (!at) return reading.wrong(at.what());
  reading.into.*member = *at;
  return Done{};
}

template <auto member, std::int64_t least, std::int64_t most>
Outcome read_count(const Reading& reading) {
  const auto count = parse_plus_count(reading.value(), least, most);
  if (!count) return reading.wrong(count.what());
  reading.into.*member = *count;
  return Done{};
}

template <auto member, std::int64_t most> Outcome read_requested(const Reading& reading) {
  const auto count = parse_plus_count(reading.value(), 1, most);
  if (!count) return reading.wrong(count.what());
  reading.into.request.*member = *count;
  return Done{};
}

template <auto member> Outcome read_text(const Reading& reading) {
  if (reading.value().empty()) return reading.wrong("nothing is given");
  reading.into.*member = reading.value();
  return Done{};
}

Outcome read_length(const Reading& reading) {
  const auto length = parse_plus_duration(reading.value());
  if (!length) return reading.wrong(length.what());
  if (*length <= Duration{}) return reading.wrong("a reservation is longer than that");
  reading.into.length = *length;
  return Done{};
}

Outcome read_id(const Reading& reading) {
  const auto number = parse_plus_id(reading.value());
  if (!number) return reading.wrong(number.what());
  reading.into.number = *number;
  return Done{};
}

// One user, by name.
Outcome read_owner(const Reading& reading) {
  const auto users = parse_plus_users(reading.value());
  if (!users) return reading.wrong(users.what());
  if (users->size() > 1 || users->front().starts_with('@'))
    return reading.wrong("this is not the name of one user");
  reading.into.owner = users->front();
  return Done{};
}

Outcome read_users(const Reading& reading) {
  auto users = parse_plus_users(reading.value());
  if (!users) return reading.wrong(users.what());
  reading.into.users = std::move(*users);
  return Done{};
}

// Of a resource a later value replaces an earlier one.
void set(std::vector<Attribute>& list, const std::string& name, const std::string& value) {
  std::erase_if(list, [&](const Attribute& one) { return one.name == name; });
  list.push_back({name, value});
}

Outcome read_memory(const Reading& reading) {
  const auto memory = parse_plus_memory(reading.value());
  if (!memory) return reading.wrong(memory.what());
  set(reading.into.request.least, "mem_total", *memory);
  return Done{};
}

Outcome read_processors(const Reading& reading) {
  const auto count = parse_plus_count(reading.value(), 1, most_slots_of_node);
  if (!count) return reading.wrong(count.what());
  set(reading.into.request.least, "num_proc", std::to_string(*count));
  return Done{};
}

// An architecture or a system, as nodes report it.
Result<std::string> word_of(const Reading& reading) {
  const auto names = parse_plus_names(reading.value());
  if (!names) return reading.wrong(names.what());
  if (names->size() > 1) return reading.wrong("one is given at a time");
  // Expressions are for -l (P3.18).
  if (names->front().find_first_of("*?[]!&|()\\") != std::string::npos)
    return reading.wrong("a name is given, no pattern: a node has to have just this one");
  return names->front();
}

Outcome read_architecture(const Reading& reading) {
  const auto word = word_of(reading);
  if (!word) return word.error();
  set(reading.into.request.resources, "arch", *word);
  return Done{};
}

Outcome read_system(const Reading& reading) {
  const auto word = word_of(reading);
  if (!word) return word.error();
  reading.into.request.os = *word;
  return Done{};
}

Outcome read_resources(const Reading& reading) {
  if (auto added = add_resource_requests(reading.into.request.resources, reading.value()); !added)
    return reading.wrong(added.what());
  return Done{};
}

Outcome read_queues(const Reading& reading) {
  auto queues = parse_plus_names(reading.value());
  if (!queues) return reading.wrong(queues.what());
  reading.into.request.queues = std::move(*queues);
  return Done{};
}

Outcome read_partial(const Reading& reading) {
  reading.into.request.whole_nodes = false;
  return Done{};
}

// As params of the scheduler can hold them: blanks, commas and bars separate there.
Outcome read_only_queues(const Reading& reading) {
  const auto queues = parse_plus_names(reading.value());
  if (!queues) return reading.wrong(queues.what());
  for (const auto& queue : *queues)
    if (queue.find_first_of("|=") != std::string::npos)
      return reading.wrong("a queue has no such name");
  reading.into.only_queues = join(*queues, "|");
  return Done{};
}

Outcome read_target(const Reading& reading) {
  for (const char* known : {"SGE", "SGEQ", "native"})
    if (equal_ignoring_case(reading.value(), known)) return Done{};
  if (!equal_ignoring_case(reading.value(), "TORQUE"))
    return reading.wrong("this is none of SGE, SGEQ and native");
  reading.into.refusal = "-t TORQUE: this cell has a scheduler of its own, and drives no TORQUE";
  return Done{};
}

Outcome read_algorithm(const Reading& reading) {
  const bool sorts = equal_ignoring_case(reading.value(), "Sort");
  if (!sorts && !equal_ignoring_case(reading.value(), "Fifo"))
    return reading.wrong("this is none of Fifo and Sort");
  reading.into.sorts = sorts;
  return Done{};
}

Outcome read_owner_or_all(const Reading& reading) {
  reading.into.by_owner = true;
  return reading.has_value() ? read_owner(reading) : Outcome(Done{});
}

Outcome read_nodes_or_all(const Reading& reading) {
  reading.into.by_node = true;
  if (!reading.has_value()) return Done{};
  auto nodes = parse_plus_names(reading.value());
  if (!nodes) return reading.wrong(nodes.what());
  reading.into.nodes = std::move(*nodes);
  return Done{};
}

// ---- the table ----------------------------------------------------------------------------------

using O = PlusOptions;
using R = ReservationRequest;

constexpr std::string_view commands[] = {"scheduler", "schedkill", "reserve", "status",
                                         "cancel",    "destroy",   "modify",  "availnodes",
                                         "commit",    "abort",     "account"};

const PlusOption rows[] = {
    {.name = "-T",
     .values = "",
     .of = "reserve cancel destroy modify",
     .needed = "",
     .help = "hold it: plus_commit makes it final, and plus_abort undoes it",
     .read = read_flag<&O::holds>},
    {.name = "-s",
     .values = "startTime",
     .of = "reserve availnodes",
     .needed = "reserve availnodes",
     .help = "when it starts: [[CC]YY]MMDDhhmm[.SS], YYYY-MM-DDThh:mm:ss[+hh:mm], now, +DURATION "
             "or @SECONDS",
     .read = read_time<&O::start>},
    {.name = "-s",
     .values = "startTime",
     .of = "modify",
     .needed = "",
     .help = "the new start, as of plus_reserve",
     .read = read_time<&O::start>},
    {.name = "-s",
     .values = "startTime",
     .of = "status",
     .needed = "",
     .help = "only reservations that end after this time",
     .read = read_time<&O::start>},
    {.name = "-s",
     .values = "startTime",
     .of = "account",
     .needed = "",
     .help = "count from then on",
     .read = read_time<&O::start>},
    {.name = "-e",
     .values = "endTime",
     .of = "reserve availnodes",
     .needed = "availnodes",
     .help = "when it ends",
     .read = read_time<&O::end>},
    {.name = "-e",
     .values = "endTime",
     .of = "modify",
     .needed = "",
     .help = "the new end",
     .read = read_time<&O::end>},
    {.name = "-e",
     .values = "endTime",
     .of = "status",
     .needed = "",
     .help = "only reservations that start before this time",
     .read = read_time<&O::end>},
    {.name = "-e",
     .values = "endTime",
     .of = "account",
     .needed = "",
     .help = "count until then; now, if it is not given",
     .read = read_time<&O::end>},
    {.name = "-D",
     .values = "duration",
     .of = "reserve modify",
     .needed = "",
     .help = "how long it is, instead of -e: seconds, [h:]m:s, or a sum such as 1d12h",
     .read = read_length},
    {.name = "-n",
     .values = "numNodes",
     .of = "reserve",
     .needed = "reserve",
     .help = "how many nodes are reserved",
     .read = read_requested<&R::nodes, most_nodes>},
    {.name = "-n",
     .values = "numNodes",
     .of = "modify",
     .needed = "",
     .help = "the new number of nodes",
     .read = read_requested<&R::nodes, most_nodes>},
    {.name = "-n",
     .values = "",
     .of = "status",
     .needed = "",
     .help = "with the names of the nodes",
     .read = read_flag<&O::with_nodes>},
    {.name = "-n",
     .values = "[nodes]",
     .of = "account",
     .needed = "",
     .help = "sums by node, or of these nodes only",
     .read = read_nodes_or_all},
    {.name = "-U",
     .values = "users",
     .of = "reserve",
     .needed = "",
     .help = "users and @lists that may use it beside the owner; only the owner may, if it is not "
             "given",
     .read = read_users},
    {.name = "-U",
     .values = "users",
     .of = "modify",
     .needed = "",
     .help = "users and @lists that may use it beside the owner, instead of those before",
     .read = read_users},
    {.name = "-mem",
     .values = "memSize",
     .of = "reserve",
     .needed = "",
     .help = "only nodes with at least so much memory: 2G",
     .read = read_memory},
    {.name = "-ncpu",
     .values = "cpuNum",
     .of = "reserve",
     .needed = "",
     .help = "only nodes with at least so many processors",
     .read = read_processors},
    {.name = "-arch",
     .values = "arch",
     .of = "reserve",
     .needed = "",
     .help = "only nodes of this architecture",
     .read = read_architecture},
    {.name = "-os",
     .values = "os",
     .of = "reserve",
     .needed = "",
     .help = "only nodes with this operating system",
     .read = read_system},
    {.name = "-l",
     .values = "attr=value,...",
     .of = "reserve",
     .needed = "",
     .help = "resources that each node has to have",
     .read = read_resources},
    {.name = "-p",
     .values = "",
     .of = "reserve",
     .needed = "",
     .help = "parts of nodes: others may use the slots that are not reserved",
     .read = read_partial},
    {.name = "-sn",
     .values = "slotNum",
     .of = "reserve",
     .needed = "",
     .help = "how many slots on each node; all that it has, if it is not given",
     .read = read_requested<&R::node_slots, most_slots_of_node>},
    {.name = "-sgeq",
     .values = "qNames",
     .of = "reserve",
     .needed = "",
     .help = "only nodes of these queues; those of plus_scheduler -sgeq, if it is not given",
     .read = read_queues},
    {.name = "-sgeq",
     .values = "qNames",
     .of = "scheduler",
     .needed = "",
     .help = "only nodes of these queues can be reserved (params PLUS_QUEUES); all: of every one",
     .read = read_only_queues},
    {.name = "-r",
     .values = "rsvID",
     .of = "status",
     .needed = "",
     .help = "only this reservation, also an expired one: R123 or 123",
     .read = read_id},
    {.name = "-r",
     .values = "rsvID",
     .of = "modify commit abort",
     .needed = "modify commit abort",
     .help = "which reservation: R123 or 123",
     .read = read_id},
    {.name = "-r",
     .values = "rsvID",
     .of = "cancel destroy",
     .needed = "",
     .help = "which reservation: R123 or 123; either -r or -o is given",
     .read = read_id},
    {.name = "-r",
     .values = "rsvFilePath",
     .of = "scheduler",
     .needed = "",
     .help = "where reservations are stored: refused, since the master has its store open",
     .read = read_text<&O::store>},
    {.name = "-o",
     .values = "owner",
     .of = "status",
     .needed = "",
     .help = "only reservations of this user",
     .read = read_owner},
    {.name = "-o",
     .values = "owner",
     .of = "cancel destroy",
     .needed = "",
     .help = "all reservations of this user; not with -T",
     .read = read_owner},
    {.name = "-o",
     .values = "[owner]",
     .of = "account",
     .needed = "",
     .help = "sums by owner, or of this owner only",
     .read = read_owner_or_all},
    {.name = "-reskey",
     .values = "file",
     .of = "modify cancel destroy",
     .needed = "",
     .help = "the key of the reservation stands in this file (RESKEY of gmeta, qrstat -reskey)",
     .read = read_text<&O::key_file>},
    {.name = "-ne",
     .values = "numShowExpired",
     .of = "status",
     .needed = "",
     .help = "with so many of those that expired last",
     .read = read_count<&O::expired, 0, most_kept>},
    {.name = "-ne",
     .values = "maxExpired",
     .of = "scheduler",
     .needed = "",
     .help = "how many expired reservations are kept (params EXPIRED_AR)",
     .read = read_count<&O::kept, 0, most_kept>},
    {.name = "-t",
     .values = "target",
     .of = "scheduler",
     .needed = "",
     .help = "SGE, SGEQ or native, which are alike; TORQUE is refused",
     .read = read_target},
    {.name = "-a",
     .values = "algorithm",
     .of = "scheduler",
     .needed = "",
     .help = "Fifo: the policies of the cell; Sort: the keys of sched_conf (params SORT_MODE)",
     .read = read_algorithm},
    {.name = "-c",
     .values = "conffile",
     .of = "scheduler",
     .needed = "",
     .help = "its text becomes the sched_conf of the cell",
     .read = read_text<&O::sort_file>},
    {.name = "-d",
     .values = "days",
     .of = "account",
     .needed = "",
     .help = "count the last so many days up to -e, instead of -s; 30, if neither is given",
     .read = read_count<&O::days, 1, most_days>},
    {.name = "-f",
     .values = "logfile",
     .of = "account",
     .needed = "",
     .help = "read this reporting file, instead of asking the master",
     .read = read_text<&O::file>},
    {.name = "-l",
     .values = "",
     .of = "account",
     .needed = "",
     .help = "a line for each reservation",
     .read = read_flag<&O::each>},
    {.name = "-S",
     .values = "",
     .of = "account",
     .needed = "",
     .help = "only the sums of all",
     .read = read_flag<&O::only_total>},
    {.name = "-x",
     .values = "",
     .of = "reserve status availnodes",
     .needed = "",
     .help = "as XML (share/schemas/plus.xsd)",
     .read = read_flag<&O::as_xml>},
    {.name = "-help",
     .values = "",
     .of = "scheduler schedkill reserve status cancel destroy modify availnodes commit abort "
           "account",
     .needed = "",
     .help = "print this help",
     .read = read_flag<&O::help>},
};

} // namespace

std::span<const std::string_view> plus_commands() { return commands; }

std::span<const PlusOption> plus_table() { return rows; }

std::vector<const PlusOption*> plus_options_of(std::string_view command) {
  std::vector<const PlusOption*> found;
  for (const auto& row : rows) {
    const auto of = words(*row.of, " ");
    if (std::find(of.begin(), of.end(), command) != of.end()) found.push_back(&row);
  }
  return found;
}

} // namespace almanac
