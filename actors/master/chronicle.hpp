// What happened, for whoever reads the log afterwards: a line for each step of a job, a task, a
// reservation, a queue instance or a host, with its cause. `grep 'job=7 ' DIR/log/master.log` tells
// the life of job 7.
//
//     job=7 task=2 to=running from=sent host=n1 queue=all.q@n1 attempt=1 input=93 cause="..."
//
// `to` is where it has come; `input` is the number in the journal (almanac-console journal).
// It follows the records of the views: what it tells is durable.
#pragma once

#include "actors/messages.hpp"
#include "core/records/index.hpp"
#include "core/records/records.hpp"

#include <string>
#include <vector>

namespace almanac {

class Chronicle : public Index {
public:
  explicit Chronicle(const Records& records) : records_(records) {}

  /// Whether there is anybody to tell: else nothing is put in words.
  void listen(bool listens) { listens_ = listens; }
  /// The lines of what has changed since the last call, for which this was the cause.
  std::vector<std::string> take(const Cause& cause);

  using Index::changed;
  void rebuild(const Records&) override { steps_.clear(); }
  bool agrees(const Records&) const override { return true; }
  void appended(const AccountingRecord& record) override;
  void changed(const HostState* before, const HostState* after) override;
  void changed(const InstanceState* before, const InstanceState* after) override;
  void changed(const Reservation* before, const Reservation* after) override;
  void changed(const Job* before, const Job* after) override;
  void changed(const Task* before, const Task* after) override;

private:
  const Records& records_;
  bool listens_ = false;
  std::vector<std::string> steps_; ///< without their cause
};

} // namespace almanac
