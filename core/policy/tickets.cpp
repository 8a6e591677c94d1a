#include "core/policy/tickets.hpp"

#include "core/base/wide.hpp"
#include "core/configuration/configuration.hpp"

#include <algorithm>

namespace almanac {

namespace {

struct Entitlement {
  std::int64_t functional_share = 0, override_tickets = 0;
};

// Users without an object have what auto_user_* say.
struct UsersOf {
  const Configuration* configuration;
};
Entitlement entitlement(const UsersOf& known, const std::string& name) {
  const auto& user = known.configuration->user_called(name);
  return {user.functional_share, user.override_tickets};
}

template <class Map> Entitlement entitlement(const Map& known, const std::string& name) {
  const auto it = known.find(name);
  if (it == known.end()) return {};
  return {it->second.functional_share, it->second.override_tickets};
}

} // namespace

Party Party::of(const Job& job) {
  return {job.owner.user, primary_group(job.owner), job.request->project, job.request->job_share,
          job.request->override_tickets};
}

bool TicketPolicy::is_used(const Configuration& configuration) {
  const auto gives = [](const auto& known) {
    return std::any_of(known.begin(), known.end(),
                       [](auto& entry) { return entry.second.override_tickets > 0; });
  };
  return configuration.scheduler().functional_tickets > 0 || gives(configuration.users()) ||
         configuration.global().usual_user.override_tickets > 0 ||
         gives(configuration.projects()) || gives(configuration.usersets());
}

const std::string& TicketPolicy::department(const Party& party) const {
  const auto [it, is_new] = department_of_.try_emplace({party.user, party.group});
  if (is_new) it->second = configuration_->department_of(party.user, party.group);
  return it->second;
}

void TicketPolicy::count(const Party& party, std::int64_t jobs) {
  if (jobs <= 0) return;
  const auto add = [&](Kind& kind, const std::string& name, const auto& known) {
    auto& present = kind.jobs[name];
    if (present == 0) kind.all_shares += entitlement(known, name).functional_share;
    present += jobs;
  };
  add(users_, party.user, UsersOf{configuration_});
  if (!party.project.empty()) add(projects_, party.project, configuration_->projects());
  add(departments_, department(party), configuration_->usersets());
  job_shares_ += party.job_share * jobs;
  parties_.push_back(party);
}

void TicketPolicy::settle() {
  bool first = true;
  for (const auto& party : parties_) {
    const auto tickets = of(party).sum();
    lowest_ = first ? tickets : std::min(lowest_, tickets);
    highest_ = first ? tickets : std::max(highest_, tickets);
    first = false;
  }
  parties_.clear();
}

std::int64_t TicketPolicy::functional(const Party& party) const {
  const auto& scheduler = configuration_->scheduler();
  const Wide weights = Wide(scheduler.weight_user) + scheduler.weight_project +
                       scheduler.weight_department + scheduler.weight_job;
  if (scheduler.functional_tickets == 0 || weights == 0) return 0;
  std::int64_t sum = 0;
  const auto add = [&](std::int64_t weight, std::int64_t share, std::int64_t all,
                       std::int64_t jobs) {
    if (all == 0) return;
    const Wide of_entity = Wide(scheduler.functional_tickets) * weight / weights * share / all;
    sum += static_cast<std::int64_t>(
        of_entity / (scheduler.shares_functional_shares ? std::max<std::int64_t>(jobs, 1) : 1));
  };
  const auto add_kind = [&](std::int64_t weight, const Kind& kind, const std::string& name,
                            const auto& known) {
    const auto it = kind.jobs.find(name);
    if (it != kind.jobs.end())
      add(weight, entitlement(known, name).functional_share, kind.all_shares, it->second);
  };
  add_kind(scheduler.weight_user, users_, party.user, UsersOf{configuration_});
  add_kind(scheduler.weight_project, projects_, party.project, configuration_->projects());
  add_kind(scheduler.weight_department, departments_, department(party),
           configuration_->usersets());
  add(scheduler.weight_job, party.job_share, job_shares_, 1);
  return sum;
}

Tickets TicketPolicy::of(const Party& party) const {
  Tickets tickets{party.override_tickets, functional(party)};
  const auto add = [&](const Kind& kind, const std::string& name, const auto& known) {
    const auto it = kind.jobs.find(name);
    if (it == kind.jobs.end()) return;
    const auto all = entitlement(known, name).override_tickets;
    const bool shared = configuration_->scheduler().shares_override_tickets;
    tickets.override_part += shared ? all / it->second : all;
  };
  add(users_, party.user, UsersOf{configuration_});
  add(projects_, party.project, configuration_->projects());
  add(departments_, department(party), configuration_->usersets());
  return tickets;
}

std::int64_t TicketPolicy::normal(std::int64_t tickets) const {
  if (lowest_ == highest_) return fixed_point::unit / 2;
  const auto inside = std::clamp(tickets, lowest_, highest_);
  return static_cast<std::int64_t>((Wide(inside) - lowest_) * fixed_point::unit /
                                   (Wide(highest_) - lowest_));
}

} // namespace almanac
