#include "core/policy/quota_plans.hpp"

#include "core/base/lookup.hpp"
#include "core/records/records.hpp"

namespace almanac {

namespace {

class Planned {
public:
  Planned(const Records& records, const QuotaCounters& counters, const std::vector<QuotaRow>& rows,
          std::size_t most)
      : records_(records),
        counters_(counters),
        rows_(rows),
        most_(most),
        plans_(rows.size()),
        places_(counters.rules().sets().size()) {
    for (std::size_t row = 0; row < rows.size(); ++row)
      if (rows[row].is_counted) places_[rows[row].set].emplace(rows[row].key, row);
  }

  void add_steps(Instant now) {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const auto* used = counters_.used(rows_[row].set, rows_[row].key);
      if (!rows_[row].is_counted || !used) continue;
      auto last = used->at(now);
      plans_[row].steps.push_back({now, printed(row, last)});
      for (const auto point : used->points()) {
        if (point <= now) continue;
        const auto amount = used->at(point);
        if (amount == last) continue;
        last = amount;
        if (plans_[row].steps.size() < most_)
          plans_[row].steps.push_back({point, printed(row, amount)});
        else ++plans_[row].more_steps;
      }
    }
  }
  void add_holders() {
    records_.each_job([&](const Job& job, const Listing<Task>& tasks) {
      for (const auto& task : tasks)
        if (!task.grants.empty() && counters_.counts(task))
          add(job, task.number, task.pe, task.grants, task.booked);
    });
    for (const auto& [key, job] : records_.all<Job>())
      for (const auto& hold : job->holds) add(*job, 0, hold.pe, hold.grants, hold.window);
  }
  std::vector<QuotaPlan> take() { return std::move(plans_); }

private:
  std::string printed(std::size_t row, std::int64_t amount) const {
    const auto* complex = records_.configuration().complexes().find(rows_[row].resource);
    return complex ? complex->print_amount(amount) : std::to_string(amount);
  }
  void add(const Job& job, std::int64_t task, const std::string& pe,
           const std::vector<Grant>& grants, Window window) {
    for (const auto& use : counters_.uses_of(job, pe, grants)) {
      const auto* row = places_[use.set].find(use.key);
      if (!row) continue;
      auto& plan = plans_[*row];
      if (plan.holders.size() < most_)
        plan.holders.push_back({job.number, task, printed(*row, use.amount), window});
      else ++plan.more_holders;
    }
  }

  const Records& records_;
  const QuotaCounters& counters_;
  const std::vector<QuotaRow>& rows_;
  std::size_t most_;
  std::vector<QuotaPlan> plans_;
  std::vector<Lookup<std::size_t, QuotaKey>> places_; ///< of each set: the row of a counter
};

} // namespace

std::vector<QuotaPlan> quota_plans(const Records& records, const QuotaCounters& counters,
                                   const std::vector<QuotaRow>& rows, Instant now,
                                   std::size_t most) {
  Planned planned(records, counters, rows, most);
  planned.add_steps(now), planned.add_holders();
  return planned.take();
}

} // namespace almanac
