// The files of a cell that commands read their default options from: each agent keeps copies of the
// master's in its own folder, so that a site's defaults count on hosts that do not see the
// master's disk.
//
// 1. Which files these are is one closed list. Nothing else of the folder common/ is shown, asked
//    for, written or removed, whoever names it.
// 2. A side may know more names than the other one: those that it does not know mean nothing to it.
//
// Source: spec/objects.md O12.10 to O12.12, section 12.
#pragma once

#include "core/base/describe.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// spec/cli.md C3.2 and C6.17, spec/reservations.md R6.31 and section 8, spec/quotas.md Q6.13, and
/// spec/objects.md O2.11, O12.3 and O12.4. In order.
inline constexpr std::array<const char*, 9> common_file_names{
    "bootstrap",  "host_aliases", "sge_aliases", "sge_ar_request", "sge_qquota",
    "sge_qrstat", "sge_qselect",  "sge_qstat",   "sge_request"};

/// In bytes. A larger one is not shown to any agent.
inline constexpr std::size_t largest_common_file = 64 << 10;

bool is_common_file(std::string_view name);

/// What somebody has of a file: the hash tells whether that is what somebody else has.
struct CommonFileVersion {
  std::string name;
  std::string sha256; ///< of the content, in hexadecimal digits
  bool operator==(const CommonFileVersion&) const = default;
};
template <class V> void describe(V& visit, CommonFileVersion& f) {
  visit("name", f.name);
  visit("sha256", f.sha256);
}

/// The file itself.
struct CommonFileContent {
  CommonFileVersion version;
  std::string content;
  bool operator==(const CommonFileContent&) const = default;
};

std::vector<CommonFileVersion> versions_of(const std::vector<CommonFileContent>& files);

struct CommonFileSteps {
  std::vector<std::string> to_ask;    ///< in the order of the master's list, each once
  std::vector<std::string> to_remove; ///< in the order of the copies
};

/// What an agent with these copies has to do to have what the master has, and nothing else of it.
CommonFileSteps common_file_steps(const std::vector<CommonFileVersion>& masters,
                                  const std::vector<CommonFileVersion>& copies);

/// Whether this is what the master has now, so that a copy of it may be kept.
bool is_current(const std::vector<CommonFileVersion>& masters, const CommonFileVersion& file);

} // namespace almanac
