// A cell's store and files as a whole, as almanac-admin looks after them: whether they are sound, in
// a file and back, and taken away.
#pragma once

#include <cstdint>
#include <string>

namespace almanac {

/// Each prints what it did, or why not, and returns the exit code. `directory` is the cell's.
int check_cell(const std::string& directory);
int back_up_cell(const std::string& directory, const std::string& file, bool with_keys);
/// `user` as for init: whose the cell shall be; "": the caller's.
int restore_cell(const std::string& directory, const std::string& file, const std::string& user,
                 std::int64_t gap);

} // namespace almanac
