// The file of a plan, in TOML: what is wanted (core/coallocation/coallocation_plan.hpp), and how
// each site is reached. almanac-coallocate(1) describes its settings.
#pragma once

#include "core/base/attribute.hpp"
#include "core/base/result.hpp"
#include "core/coallocation/coallocation_plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

constexpr std::size_t longest_plan_file = 256 << 10; ///< bytes

/// A program that speaks the lines of docs/spec/metascheduler.md on its standard input and output,
/// or a port with TLS.
struct SitePlace {
  std::string name;
  std::vector<std::string> command;   ///< empty: a port
  std::vector<Attribute> environment; ///< besides that of this process
  std::string host;
  std::uint16_t port = 0;
  std::string authority;        ///< PEM files, absolute
  std::string certificate, key; ///< of who calls; empty: a secret instead
  std::string key_id, secret_file;
};

struct PlanFile {
  CoallocationPlan plan;
  std::vector<SitePlace> places; ///< as plan.sites
};

/// `folder`: to which the names of files in it are relative. `user`: who reserves where it says
/// nobody. The error has the line.
Result<PlanFile> parse_plan_file(const std::string& text, const std::string& folder,
                                 const std::string& user);

} // namespace almanac
