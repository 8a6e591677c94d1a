// Plain files in a tar archive (POSIX ustar), which every tar can list and unpack.
#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace almanac {

struct TarEntry {
  std::string name; ///< at most 100 bytes
  unsigned mode = 0600;
  std::int64_t bytes = 0;
};

/// Writes to an open file, which stays the caller's.
class TarWriter {
public:
  explicit TarWriter(int into) : into_(into) {}

  Outcome add(const std::string& name, unsigned mode, std::string_view content);
  /// The first `entry.bytes` of an open file; an error if it has fewer.
  Outcome add(const TarEntry& entry, int from);
  /// What makes it whole; durable.
  Outcome finish();

private:
  Outcome write(std::string_view bytes);
  Outcome begin(const TarEntry& entry);
  Outcome pad(std::int64_t bytes);

  int into_;
};

/// Reads it from an open file. `open` says into which file descriptor an entry goes, which is closed
/// behind it. Entries that are no plain files, and an archive without its end, are errors.
Outcome read_tar(int from, const std::function<Result<int>(const TarEntry&)>& open);

} // namespace almanac
