#include "tests/bench/cell/made_cell.hpp"

#include <algorithm>
#include <tuple>

namespace almanac {

namespace {

constexpr std::int64_t first_uid = 20'000;
constexpr std::int64_t shortest_job = 600, hour = 3600; // seconds

std::string host_named(std::int64_t i) { return "h" + std::to_string(i); }
std::string user_named(std::int64_t i) { return "u" + std::to_string(i); }

// So many hours that about five of eight slots are reserved in each, and room is found soon.
std::int64_t hours_of_reservations(const CellSize& size) {
  if (size.reservations == 0) return 1;
  const auto mean_slots_doubled = 1 + size.slots;
  const auto all = size.reservations * mean_slots_doubled * 8 / (2 * 5);
  return std::max<std::int64_t>(1000, all / (size.hosts * size.slots) + 1);
}

// No agent is behind these hosts: a real master counts them as there for as long as this.
constexpr const char* patience_with_hosts = "24:0:0";

// Rules for single users, everywhere and on some hosts, and a last one for all others.
ConfigurationObject quota_set(std::int64_t number) {
  constexpr std::int64_t rules = 50;
  const char* const last[]{"users {*}", "users {*} hosts {*}", "hosts {*}", "queues all.q"};
  auto set = template_of(ObjectKind::quota_set, "set" + std::to_string(number));
  std::string text;
  for (std::int64_t i = 0; i + 1 < rules; ++i)
    text += "limit users " + user_named(i * 20 + number) + (i % 5 == 0 ? " hosts {h1*}" : "") +
            " to slots=100000\t";
  text += std::string("limit ") + last[number % 4] + " to slots=100000";
  set.set("limit", text), set.set("enabled", "TRUE");
  set.set("position", std::to_string(number));
  return set;
}

RecordSet cell_without_work(const CellSize& size, const std::string& admin,
                            const std::string& host) {
  auto records = Planner::initial_records(admin, host);
  std::string list;
  for (std::int64_t i = 0; i < size.hosts; ++i) {
    records.objects.push_back(template_of(ObjectKind::exec_host, host_named(i)));
    list += host_named(i) + " ";
  }
  for (std::int64_t i = 0; i < size.sets; ++i) records.objects.push_back(quota_set(i));
  for (auto& object : records.objects) {
    if (object.kind == ObjectKind::host_group && size.hosts > 0) object.set("hostlist", list);
    if (object.kind == ObjectKind::cluster_queue) object.set("slots", std::to_string(size.slots));
    if (object.kind == ObjectKind::scheduler_configuration) object.set("max_reservation", "10");
    if (object.kind == ObjectKind::global_configuration)
      object.set("max_unheard", patience_with_hosts);
  }
  return records;
}

HostFacts facts_of_host(const CellSize& size, std::int64_t i) {
  return {"lx-amd64", size.slots, 8LL << 30, "boot", "spool", "10.0.0.1:" + std::to_string(i)};
}

} // namespace

Outcome valid(const CellSize& size) {
  constexpr std::int64_t most_hosts = 100'000, most_tasks = 75'000;
  constexpr Instant latest{1LL << 40};
  const auto outside = [](const char* what, std::int64_t low, std::int64_t high) {
    return Error{std::string(what) + " must be between " + std::to_string(low) + " and " +
                 std::to_string(high)};
  };
  for (const auto& [what, value, low, high] :
       {std::tuple("hosts", size.hosts, std::int64_t(0), most_hosts),
        std::tuple("slots", size.slots, std::int64_t(1), std::int64_t(9'999)),
        std::tuple("users", size.users, std::int64_t(0), std::int64_t(10'000)),
        std::tuple("jobs", size.jobs, std::int64_t(0), highest_number),
        std::tuple("classes", size.classes, std::int64_t(1), std::int64_t(100'000)),
        std::tuple("tasks", size.tasks, std::int64_t(1), most_tasks),
        std::tuple("reservations", size.reservations, std::int64_t(0), highest_number),
        std::tuple("sets", size.sets, std::int64_t(0), std::int64_t(1'000))})
    if (value < low || value > high) return outside(what, low, high);
  if (size.reservations > 0 && size.hosts == 0) return Error{"reservations need at least one host"};
  if (size.now.seconds < 1 || size.now > latest) return outside("now", 1, latest.seconds);
  return Done{};
}

MadeCell::MadeCell(const CellSize& size, const std::string& admin, const std::string& host)
    : size_(size),
      admin_{admin, admin, 0, 0, host},
      engine_(size.seed),
      planner_(*Planner::restore(cell_without_work(size, admin, host))) {
  for (std::int64_t i = 0; i < size_.hosts; ++i)
    tell(HostRegistered{host_named(i), facts_of_host(size_, i)});
  submit(size_.jobs);
  reserve();
}

Answer MadeCell::command(const Caller& caller, CommandBody body) {
  auto found = validated(Command{caller, std::move(body)});
  if (const auto* refusal = std::get_if<Answer>(&found)) return *refusal;
  return *tell(std::get<0>(found)).answer;
}

// The distributions of the standard library differ from one to another.
std::int64_t MadeCell::draw(std::int64_t below) {
  return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(below));
}

Caller MadeCell::draw_owner() {
  if (size_.users == 0) return admin_;
  const auto i = draw(size_.users);
  return {user_named(i), "users", first_uid + i, 100, admin_.host};
}

void MadeCell::submit(std::int64_t jobs) {
  for (std::int64_t i = 0; i < jobs; ++i) {
    const auto owner = draw_owner();
    JobRequest request;
    request.name = "made", request.binary = true, request.command = "sleep";
    const auto length = std::to_string(shortest_job + submitted_++ % size_.classes);
    request.arguments = {length}, request.resources = {{"h_rt", length}};
    request.reserve = size_.holds;
    if (size_.tasks > 1) request.tasks = {1, size_.tasks, 1};
    check(command(owner, Submit{request, ""}).exit_code == 0, "a made job is taken");
  }
}

Instant MadeCell::first_hour() const { return now() + Duration{hour}; }

// Where an hour is full another one is drawn.
void MadeCell::reserve() {
  const auto hours = hours_of_reservations(size_);
  for (std::int64_t granted = 0; granted < size_.reservations;) {
    ReservationRequest request;
    request.name = "made";
    request.start = first_hour() + Duration{hour * draw(hours)};
    request.duration = {hour}, request.has_duration = true;
    const auto slots = 1 + draw(size_.slots);
    request.pe = "fill", request.slots = {{slots, slots}};
    if (command(Reserve{request}).exit_code == 0) ++granted;
  }
}

} // namespace almanac
