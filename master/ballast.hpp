// A file that takes up space beside the store, to be given back when the disk gets full.
//
// While it is held there is room for new work. It is dropped before the disk is full, so that ends
// and deletions can still be written, and taken again when there is plenty.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

namespace almanac {

class Ballast {
public:
  static constexpr std::uint64_t size = 64u << 20;

  explicit Ballast(std::string path);
  /// Looks at the disk, at most ten times a second, and drops or takes the file. Any thread.
  bool is_held();

private:
  void look();
  bool take();
  void warn() const;

  std::string path_;
  std::mutex mutex_;
  std::int64_t looked_at_ = 0; ///< milliseconds of the monotonic clock
  bool held_ = false;
};

} // namespace almanac
