// The folder common/ of a cell, at the master and at an agent (core/execution/common_files.hpp).
//
// Threads: each is used by one thread at a time. Calls take as long as a disk takes.
#pragma once

#include "core/base/result.hpp"
#include "core/execution/common_files.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

/// The master's own files.
class CommonFileSource {
public:
  virtual ~CommonFileSource() = default;
  /// All files that agents may have, if they are others than at the last call; at first all. Nothing
  /// also while they can't be looked at: that says nothing about them. Cheap while nothing changes.
  virtual std::optional<std::vector<CommonFileContent>> look() = 0;
};

/// The copies of an agent. They outlive it.
class CommonFileCopies {
public:
  virtual ~CommonFileCopies() = default;
  virtual std::vector<CommonFileVersion> all() const = 0;
  /// Whoever reads it meanwhile sees the old copy, or the new one.
  virtual Outcome write(const std::string& name, const std::string& content) = 0;
  virtual Outcome remove(const std::string& name) = 0;
};

} // namespace almanac
