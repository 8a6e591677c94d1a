// What a coordinator has written down, in a small store of its own: co-allocations that are not
// over, each with the plan that it follows (docs/spec/metascheduler.md, M5.9).
//
// 1. What was put is durable.
// 2. One process has the log at a time.
// 3. Only its owner may read it: it holds keys of reservations. Of what is over nothing stays in
//    its files.
#pragma once

#include "core/base/result.hpp"
#include "core/coallocation/coallocation_record.hpp"

#include <memory>
#include <string>
#include <vector>

namespace rocksdb {
class DB;
}

namespace almanac {

/// The text of a plan's file, and what it needs to be read again.
struct PlanSource {
  std::string text, folder, user;
};

class DecisionLog {
public:
  /// Makes the folder if it is not there. The error says when another process has it.
  static Result<std::unique_ptr<DecisionLog>> open(const std::string& folder);
  ~DecisionLog();

  struct Entry {
    CoallocationRecord record;
    PlanSource plan;
  };
  /// In the order of their ids. An error where something cannot be read: nothing is left out in
  /// silence.
  Result<std::vector<Entry>> entries() const;

  Outcome put(const CoallocationRecord& record, const PlanSource& plan);
  /// It is over, and its end was told.
  Outcome drop(const std::string& id);

private:
  explicit DecisionLog(std::unique_ptr<rocksdb::DB> store);
  Outcome clear_files();
  std::unique_ptr<rocksdb::DB> store_;
};

} // namespace almanac
