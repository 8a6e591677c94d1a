// A secret in memory.
#pragma once

#include <cstring>
#include <string>
#include <utility>

namespace almanac {

/// Overwrites what it holds before it lets it go. Not to be copied.
class Wiped {
public:
  Wiped() = default;
  explicit Wiped(std::string bytes) : bytes_(std::move(bytes)) {}
  Wiped(const Wiped&) = delete;
  Wiped& operator=(const Wiped&) = delete;
  Wiped(Wiped&& other) noexcept : bytes_(std::move(other.bytes_)) { other.wipe(); }
  Wiped& operator=(Wiped&&) = delete;
  ~Wiped() { wipe(); }

  const std::string& bytes() const { return bytes_; }

private:
  void wipe() { ::explicit_bzero(bytes_.data(), bytes_.size()); }
  std::string bytes_;
};

} // namespace almanac
