#include "master/log_tail.hpp"

#include "core/text/values.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

namespace almanac {

namespace {

// The format of a log: blocks of 32 KiB with records that do not cross them; a record has a
// checksum, two bytes of length and a type: 1 whole, 2 first, 3 middle, 4 last.
constexpr std::size_t block = 32768, head = 7;
constexpr unsigned char whole = 1, last = 4;

std::int64_t unfinished_bytes(const std::vector<unsigned char>& log) {
  std::size_t at = 0, good = 0;
  for (;;) {
    const auto left_in_block = block - at % block;
    if (left_in_block < head) {
      if (good == at) good += left_in_block;
      at += left_in_block;
      continue;
    }
    if (at + head > log.size()) break;
    const std::size_t length = log[at + 4] | static_cast<std::size_t>(log[at + 5]) << 8;
    const auto type = log[at + 6];
    if (type < whole || type > last || at + head + length > log.size()) break;
    at += head + length;
    if (type == whole || type == last) good = at;
  }
  const auto begin = log.begin() + static_cast<std::ptrdiff_t>(std::min(good, log.size()));
  const bool empty = std::all_of(begin, log.end(), [](unsigned char byte) { return byte == 0; });
  return empty ? 0 : static_cast<std::int64_t>(log.end() - begin);
}

} // namespace

LogTail log_tail(const std::string& store) {
  LogTail tail;
  std::int64_t highest = -1;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(store, error)) {
    if (entry.path().extension() != ".log") continue;
    const auto number = parse_number(entry.path().stem().string());
    if (number && *number > highest) highest = *number, tail.file = entry.path().string();
  }
  std::ifstream file(tail.file, std::ios::binary);
  const std::vector<unsigned char> log{std::istreambuf_iterator<char>(file), {}};
  tail.unfinished = unfinished_bytes(log);
  return tail;
}

} // namespace almanac
