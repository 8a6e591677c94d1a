// Whatever administrators change beside jobs and reservations: nothing ends the planner, what it
// keeps is what its records say, and what is granted stays usable.
#include "chance.hpp"
#include "core/matching/reservation_places.hpp"
#include "core/planning/texts.hpp"
#include "planner_fixture.hpp"

#include <rapidcheck/gtest.h>

#include <algorithm>

using namespace almanac;

namespace {

template <class T> T any_of_these(std::initializer_list<T> all) {
  return *rc::gen::elementOf(std::vector<T>(all));
}
std::string word(std::initializer_list<const char*> all) { return any_of_these(all); }

struct Cell {
  Planner planner{*Planner::restore(Planner::initial_records("root", "master"))};
  Instant now{100'000};
  int accepted = 0;

  const State& state() const { return planner.state(); }
  void tell(const ValidInput& input) { planner.handle(input, now); }
  void command(CommandBody body) {
    const Caller caller = one_in(4) ? Caller{"alice", "users", 1001, 1001, "master"}
                                    : Caller{"root", "root", 0, 0, "master"};
    const auto checked = validated(Command{caller, std::move(body)});
    if (!std::holds_alternative<Valid<Command>>(checked)) return;
    const auto decisions = planner.handle(std::get<0>(checked), now);
    RC_ASSERT(decisions.answer.has_value());
    accepted += decisions.answer->exit_code == 0;
  }
  void change(ChangeVerb verb, ObjectKind kind, const std::string& name,
              std::vector<Attribute> attributes = {}) {
    command(Configure{{verb, {kind, name, std::move(attributes)}, {}}});
  }
};

// ---- what administrators do ---------------------------------------------------------------------

void change_queue(Cell& cell) {
  const auto attribute =
      word({"slots", "pe_list", "ckpt_list", "calendar", "user_lists", "xuser_lists", "h_rt",
            "complex_values", "hostlist", "seq_no", "qtype", "load_thresholds"});
  const auto value = attribute == "slots"       ? word({"1", "3", "2,[h1=4]", "0"})
                     : attribute == "pe_list"   ? word({"NONE", "make fill", "fill,[h1=NONE]"})
                     : attribute == "ckpt_list" ? word({"NONE", "blcr", "NONE,[h1=blcr]"})
                     : attribute == "calendar"  ? word({"NONE", "c", "c d", "NONE,[h2=c]"})
                     : attribute == "h_rt"      ? word({"INFINITY", "100"})
                     : attribute == "hostlist"  ? word({"@allhosts", "h1", "NONE", "h2 h3"})
                     : attribute == "seq_no"    ? word({"0", "0,[h2=5]"})
                     : attribute == "qtype"     ? word({"BATCH", "BATCH INTERACTIVE", "NONE"})
                     : attribute.ends_with("s") && attribute != "complex_values"
                         ? word({"NONE", "staff"})
                         : word({"NONE", "lic=2", "mem=4G,dbl=1.5", "NONE,[h1=lic=1]", "slots=3"});
  cell.change(ChangeVerb::modify, ObjectKind::cluster_queue, word({"all.q", "x.q"}),
              {{attribute, value}});
}

void change_complexes(Cell& cell) {
  auto table = template_of(ObjectKind::complex, "");
  if (!one_in(4))
    table.set("lic",
              "l " + word({"INT", "DOUBLE"}) + " <= YES " + word({"YES", "JOB", "NO"}) + " 0 0");
  if (!one_in(4)) table.set("dbl", "d DOUBLE <= " + word({"YES", "FORCED"}) + " YES 0 0");
  if (!one_in(4)) table.set("mem", "me MEMORY <= YES YES " + word({"0", "1G"}) + " 0");
  if (!one_in(4)) table.set("excl", "ex BOOL EXCL YES YES 0 0");
  cell.change(ChangeVerb::modify, ObjectKind::complex, "", table.attributes);
}

void change_configuration(Cell& cell) {
  switch (*rc::gen::inRange(0, 15)) {
  case 0:
  case 1:
  case 2: return change_queue(cell);
  case 3: return change_complexes(cell);
  case 4:
    return cell.change(ChangeVerb::modify, ObjectKind::exec_host, word({"global", "h1"}),
                       {{"complex_values", word({"NONE", "lic=3", "slots=2", "mem=3G,excl=1"})}});
  case 5:
    return cell.change(any_of_these({ChangeVerb::add, ChangeVerb::modify}), ObjectKind::calendar,
                       word({"c", "d"}), {{"week", word({"NONE", "1-3", "sat-sun", "0-24"})}});
  case 6:
    return cell.change(ChangeVerb::add, ObjectKind::cluster_queue, "x.q",
                       {{"hostlist", word({"h1", "@allhosts"})},
                        {"slots", "2"},
                        {"pe_list", "fill"},
                        {"calendar", word({"NONE", "c"})}});
  case 7:
    return cell.change(ChangeVerb::modify, ObjectKind::parallel_environment, "fill",
                       {{word({"slots", "allocation_rule"}), word({"2", "9", "$fill_up"})}});
  case 8:
    return cell.change(ChangeVerb::modify, ObjectKind::host_group, "@allhosts",
                       {{"hostlist", word({"h1", "h1 h2 h3", "h2", "NONE"})}});
  case 9:
    return cell.change(
        ChangeVerb::modify, ObjectKind::scheduler_configuration, "",
        {{"max_reservation", word({"0", "1", "9"})},
         {"default_duration", word({"100", "INFINITY"})},
         {"params", word({"none", "DURATION_OFFSET=0", "BACKFILL=none", "HOLDS=fresh"})}});
  case 10:
    return cell.change(any_of_these({ChangeVerb::add, ChangeVerb::modify}), ObjectKind::userset,
                       "staff", {{"entries", word({"alice", "NONE", "@users"})}});
  case 11: return cell.command(AddHost{word({"h1", "h2", "h3", "H1"}), 2});
  case 12: return cell.change(ChangeVerb::add, ObjectKind::checkpoint, "blcr");
  default: break;
  }
  const std::vector<std::pair<ObjectKind, const char*>> all{
      {ObjectKind::cluster_queue, "all.q"}, {ObjectKind::cluster_queue, "x.q"},
      {ObjectKind::exec_host, "h1"},        {ObjectKind::calendar, "c"},
      {ObjectKind::calendar, "d"},          {ObjectKind::parallel_environment, "fill"},
      {ObjectKind::userset, "staff"},       {ObjectKind::host_group, "@allhosts"},
      {ObjectKind::checkpoint, "blcr"}};
  const auto [kind, name] = *rc::gen::elementOf(all);
  cell.change(ChangeVerb::erase, kind, name);
}

// ---- what users and hosts do --------------------------------------------------------------------

std::vector<Attribute> any_resources() {
  std::vector<Attribute> resources;
  if (one_in(2)) resources.push_back({"h_rt", word({"10", "100", "1000"})});
  if (one_in(4)) resources.push_back({"s_rt", word({"50", "200"})});
  if (one_in(4))
    resources.push_back({word({"lic", "dbl", "mem", "excl", "hostname"}), word({"1", "2", "h1"})});
  return resources;
}

std::int64_t any_reservation(const Cell& cell) {
  const auto& all = cell.state().records().all<Reservation>();
  return all.empty() ? 0 : (one_in(2) ? all.begin() : std::prev(all.end()))->second->number.value;
}

JobRequest any_job(const Cell& cell) {
  JobRequest job;
  job.name = "j";
  job.resources = any_resources();
  if (one_in(3)) job.pe = word({"fill", "f*"}), job.slots = {{1, *rc::gen::inRange(1, 6)}};
  if (one_in(3)) job.tasks = {1, 3, 1};
  if (one_in(3)) job.queues = {word({"x.q", "*@h1", "R1", "all.q"})};
  job.reserve = one_in(2), job.immediate = one_in(5);
  if (one_in(3)) job.reservation = {any_reservation(cell)};
  job.validation = any_of_these({Validation::unset, Validation::none, Validation::error});
  return job;
}

void use(Cell& cell) {
  std::vector<Attempt> running;
  for (const auto& task : cell.state().tasks())
    if (task.is_active()) running.push_back({task.job, task.number, task.attempt});
  switch (*rc::gen::inRange(0, 11)) {
  case 0:
  case 1:
  case 2: return cell.command(Submit{any_job(cell), "h"});
  case 3: {
    ReservationRequest ar;
    ar.start = cell.now + Duration{*rc::gen::inRange<std::int64_t>(0, 300)};
    ar.duration = {*rc::gen::inRange<std::int64_t>(1, 400)}, ar.has_duration = true;
    ar.resources = any_resources();
    if (!one_in(3)) ar.pe = "fill", ar.slots = {{1, *rc::gen::inRange(1, 6)}};
    if (one_in(4)) ar.users = {word({"alice", "@staff", "a*", "!alice"})};
    ar.repair = any_of_these({Repair::yes, Repair::no});
    if (one_in(3)) ar.checkpoint = "blcr";
    if (one_in(3))
      return cell.command(
          PrepareReservation{"t", any_reservation(cell), ReservationVerb::change, ar, {20}});
    return cell.command(Reserve{ar});
  }
  case 4: return cell.command(SettleReservation{"t", any_reservation(cell), !one_in(4)});
  case 5:
    return cell.command(DeleteReservations{{std::to_string(any_reservation(cell))}, {}, one_in(2)});
  case 6: return cell.command(DeleteJobs{{"j"}, {}, {}, one_in(2)});
  case 7:
    return cell.command(AlterJobs{{"j"}, {}, {word({"-l", "-pe", "-q", "-R"})}, any_job(cell)});
  case 8:
    return cell.command(ModifyQueues{any_of_these({QueueAction::disable, QueueAction::enable,
                                                   QueueAction::suspend, QueueAction::unsuspend}),
                                     {word({"*", "*@h1", "x.q"})}});
  case 9: {
    const auto host = word({"h1", "h2"});
    if (one_in(3)) return cell.tell(HostSilent{host, one_in(2)});
    return cell.tell(HostRegistered{host, {"lx", 4, 1, "b", "s", "a"}});
  }
  default: break;
  }
  if (running.empty()) return;
  const auto attempt = *rc::gen::elementOf(running);
  if (one_in(2)) return cell.tell(TaskStarted{attempt});
  ExitRecord record;
  record.exit_status = any_of_these({0, 0, 99, 100});
  cell.tell(TaskEnded{attempt, record});
}

void go_on(Cell& cell) {
  cell.now = cell.now + Duration{any_of_these<std::int64_t>({0, 1, 20, 200})};
  std::vector<ReservationKey> keys;
  for (const auto& reservation : cell.state().reservations()) keys.push_back(reservation.key);
  for (const auto key : keys) cell.tell(ReservationDue{key});
  cell.tell(Pass{});
}

// ---- what must hold -----------------------------------------------------------------------------

// What is derived from the records is what a master that starts with them makes of them.
void check_derived(const Cell& cell) {
  const auto& records = cell.state().records();
  RC_ASSERT(records.followers_agree());
  const auto restored = Planner::restore(records.copy());
  RC_ASSERT(restored.ok());
  RC_ASSERT(restored->digest() == cell.planner.digest());
}

bool is_to_be_suspended(const State& state, const Task& task) {
  return task.throttled ||
         std::any_of(task.grants.begin(), task.grants.end(), [&](const Grant& grant) {
           const auto& instance = state.instance(grant.instance);
           return instance.suspended || instance.opening == Opening::suspended;
         });
}

// What was granted lies on instances and hosts that are there, in amounts that its PE knows.
void check_promises(const Cell& cell) {
  const auto& configuration = cell.state().configuration();
  for (const auto& reservation : cell.state().reservations())
    for (const auto* shape : shapes_of(reservation))
      for (const auto& grant : shape->grants) {
        RC_ASSERT(bool(configuration.instance(grant.instance)));
        RC_ASSERT(configuration.hosts().contains(grant.instance.host));
        RC_ASSERT(shape->pe.empty() || configuration.parallel_environments().contains(shape->pe));
        const auto& checkpoint = reservation.request.checkpoint;
        if (checkpoint.empty()) continue;
        RC_ASSERT(configuration.checkpoints().contains(checkpoint));
        const auto& list = configuration.instance(grant.instance)->settings.ckpt_list;
        RC_ASSERT(reservation.is_over() || std::count(list.begin(), list.end(), checkpoint) == 1);
      }
  // What is looked at only where something happens is right everywhere.
  for (const auto& reservation : cell.state().reservations())
    if (reservation.is_granted())
      RC_ASSERT(texts_of(health(cell.state(), reservation)) == reservation.bad);
  for (const auto& task : cell.state().tasks())
    if (task.is_active()) RC_ASSERT(task.suspended == is_to_be_suspended(cell.state(), task));
}

} // namespace

RC_GTEST_PROP(GivenJobsAndReservations, WhenAnythingIsChangedThenTheBooksAgreeWithTheRecords, ()) {
  Cell cell;
  for (const char* host : {"h1", "h2"}) {
    cell.command(AddHost{host, 3});
    cell.tell(HostRegistered{host, {"lx", 4, 1, "b", "s", "a"}});
  }
  change_complexes(cell);
  const auto steps = *rc::gen::inRange(1, 40);
  for (int i = 0; i < steps; ++i) {
    one_in(3) ? change_configuration(cell) : use(cell);
    go_on(cell);
    check_promises(cell);
  }
  check_derived(cell);
}
