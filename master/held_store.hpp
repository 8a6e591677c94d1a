// The files of a store, open and of one moment, while its engine may write on.
#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

/// An open file; of what is appended to later only the first bytes count.
class HeldFile {
public:
  HeldFile(std::string name, int handle, std::int64_t bytes)
      : name_(std::move(name)), handle_(handle), bytes_(bytes) {}
  ~HeldFile();
  HeldFile(HeldFile&& other) noexcept;
  HeldFile& operator=(HeldFile&&) = delete;

  const std::string& name() const { return name_; } ///< without folder
  int handle() const { return handle_; }
  std::int64_t bytes() const { return bytes_; }

private:
  std::string name_;
  int handle_;
  std::int64_t bytes_;
};

struct HeldStore {
  std::vector<HeldFile> files; ///< logs in their order, and all others
  std::string current;         ///< the content of CURRENT
};

/// Tries again while the engine changes which files belong together; an error if that does not end.
Result<HeldStore> hold_store(const std::string& path);

/// Whether a file of this name belongs to a store.
bool is_store_file(const std::string& name);

} // namespace almanac
