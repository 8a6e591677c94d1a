// How a write-ahead log of RocksDB ends: what a power cut or a pair of scissors has left of it.
//
// RocksDB drops an unfinished record at the end of its last log without a word.
#pragma once

#include <cstdint>
#include <string>

namespace almanac {

struct LogTail {
  std::string file;            ///< the last log of the store; "" if there is none
  std::int64_t unfinished = 0; ///< bytes at its end that make no whole record
};

/// Reads only.
LogTail log_tail(const std::string& store);

} // namespace almanac
