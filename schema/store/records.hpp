// The records of a store as far as they can be worked with.
//
// A job or reservation that can't be read, or is not valid, is set aside: one bad record must not
// keep the master from starting. It stays in the store, and almanac-admin takes it out. Whatever
// else can't be read is an error: without its configuration a cell has no meaning.
#pragma once

#include "schema/store.hpp"

#include <string>
#include <vector>

namespace almanac::store {

struct SetAside {
  Family family = Family::jobs; ///< jobs or reservations
  std::int64_t key = 0;
  std::int64_t number = 0; ///< as users see it; 0: not known
  std::string why;
};

struct StoredRecords {
  RecordSet records;
  std::vector<SetAside> set_aside;
};
Result<StoredRecords> read_stored(const Scan& scan);

} // namespace almanac::store
