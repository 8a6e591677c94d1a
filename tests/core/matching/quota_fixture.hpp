// A cluster with resource quota sets, and what is used of their limits, as text.
#pragma once

#include "core/policy/quota_amount.hpp"
#include "matching_fixture.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace almanac {

class QuotaFixture : public MatchingFixture {
public:
  /// So many hosts, whose first instance is the first that is tried, whatever their load is.
  void steady_hosts(int count, std::int64_t slots) {
    hosts(count, slots);
    queue("all.q", {{"load_thresholds", "NONE"}});
    scheduler(
        {{"params", "DURATION_OFFSET=0"}, {"load_formula", "0"}, {"job_load_adjustments", "NONE"}});
  }
  /// Adds the set with these rules ("users * to slots=1"), or gives a known one others.
  void quotas(const std::string& set, const std::vector<std::string>& rules) {
    std::string all;
    for (const auto& rule : rules) all += (all.empty() ? "limit " : "\tlimit ") + rule;
    put({ObjectKind::quota_set, set, {{"limit", all.empty() ? "NONE" : all}}});
  }
  void switch_set(const std::string& set, const std::string& enabled) {
    change({ObjectKind::quota_set, set, {{"enabled", enabled}}});
  }
  void userset(const std::string& name, const std::string& entries) {
    put({ObjectKind::userset, name, {{"entries", entries}}});
  }
  void host_group(const std::string& name, const std::string& hosts) {
    put({ObjectKind::host_group, name, {{"hostlist", hosts}}});
  }
  void project(const std::string& name) { put({ObjectKind::project, name, {}}); }
  /// An object is added, or modified where it is known.
  void put(ConfigurationObject object) {
    const bool is_new = !configuration().find(object.kind, object.name);
    change(std::move(object), is_new ? ChangeVerb::add : ChangeVerb::modify);
  }
  const Configuration& configuration() const { return state().configuration(); }

  static Caller user(const std::string& name, const std::string& group = "users") {
    const std::map<std::string, std::int64_t> uids{{"ann", 2001}, {"bob", 2002}, {"ben", 2003},
                                                   {"cyd", 2004}, {"dan", 2005}, {"eve", 2006}};
    const auto uid = uids.at(name);
    return {name, group, uid, 100, "master"};
  }
  /// A job of one slot; with a PE, of so many.
  static JobRequest wants(std::vector<Attribute> resources = {}, const std::string& pe = "",
                          std::int64_t low = 1, std::int64_t high = 0) {
    auto request = pe.empty() ? job("j") : parallel(pe, low, high);
    request.resources = std::move(resources);
    return request;
  }
  static JobRequest of_project(const std::string& name, JobRequest request = wants()) {
    request.project = name;
    return request;
  }
  static JobRequest in_queue(const std::string& queue, JobRequest request = wants()) {
    request.queues = {queue};
    return request;
  }
  /// Submits it and lets a pass go by; whether all or some of it runs.
  bool starts(const Caller& caller, const JobRequest& request) {
    last = submit(caller, request);
    pass();
    return is_active(last);
  }
  void finish(std::int64_t number) {
    start(number);
    end(number);
  }

  /// Of each counter of which something is used at the time: "A/1 slots ann/////=2", ascending.
  std::vector<std::string> used_at(Instant time) const {
    std::vector<std::string> all;
    const auto& counters = state().quotas();
    for (std::size_t set = 0; set < counters.rules().sets().size(); ++set) {
      const auto& quotas = *counters.rules().sets()[set].quotas;
      for (const auto& [key, booked] : counters.table(set).counters())
        if (booked.at(time) != 0)
          all.push_back(rule_label(quotas, key.rule) + " " +
                        quotas.rules[key.rule].limits[key.limit].complex +
                        (key.beside ? " beside " : " ") + counters.text_of(key) + "=" +
                        std::to_string(booked.at(time)));
    }
    std::sort(all.begin(), all.end());
    return all;
  }
  using Lines = std::vector<std::string>;
  Lines used() const { return used_at(now); }
  /// What the first limit of the set's first rule comes to on a host, as it is printed.
  std::string limit_on(const std::string& host, std::size_t set = 0) const {
    const auto& limit = configuration().quota_sets().at(set).rules.front().limits.front();
    const auto amount = amount_of(configuration(), limit, host, state().host(host));
    return configuration().complexes().find(limit.complex)->print_amount(amount);
  }

  std::int64_t last = 0; ///< the number of the job that was submitted last
};

} // namespace almanac
