// What is derived from records: it hears of each change, and can be made anew from all of them.
#pragma once

#include "core/configuration/changed_kinds.hpp"
#include "core/job/accounting_record.hpp"
#include "core/records/kinds.hpp"

namespace almanac {

class Records;

/// A follower of Records, told in the order in which it was added. It may look at the records: what
/// it hears of has changed there already. Those who override one of these say `using
/// Index::changed;`.
class Index {
public:
  virtual ~Index() = default;
  /// Of nothing but the records: equal to what all changes together have come to.
  virtual void rebuild(const Records& records) = 0;
  /// Whether it is what rebuild() would make. Costs as much; for tests and the simulator.
  virtual bool agrees(const Records& records) const = 0;
  /// The configuration is another one, in objects of these kinds.
  virtual void reconfigured(const Records&, ChangedKinds) {}
  virtual void appended(const AccountingRecord&) {}

  // nullptr: it was not, or is not there.
#define KIND(type, table, family)                                                                  \
  virtual void changed(const type* /*before*/, const type* /*after*/) {}
#include "core/records/kinds.def"
#undef KIND
};

/// One that is made of nothing but what it compares.
template <class Self> class ComparedIndex : public Index {
public:
  bool agrees(const Records& records) const override {
    Self rebuilt;
    rebuilt.rebuild(records);
    return static_cast<const Self&>(*this) == rebuilt;
  }
  bool operator==(const ComparedIndex&) const { return true; }
};

} // namespace almanac
