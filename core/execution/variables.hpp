// Environment variables on their way to a process of a job.
#pragma once

#include "core/base/attribute.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace almanac {

/// A name appears once.
struct Variables {
  std::vector<Attribute> list;

  Attribute* find(std::string_view name) {
    const auto it = std::find_if(list.begin(), list.end(),
                                 [&](const auto& variable) { return variable.name == name; });
    return it == list.end() ? nullptr : &*it;
  }
  void set(const std::string& name, std::string value) {
    if (auto* found = find(name)) found->value = std::move(value);
    else list.push_back({name, std::move(value)});
  }
};

/// The PATH of commands of the site.
inline constexpr const char* usual_path = "/usr/local/bin:/bin:/usr/bin";

/// PATH of a process of a job. Parts of a parallel job are started with qrsh: it is found, and before
/// another system's. `exported`: the user's own, or null.
inline std::string path_of_job(const std::string& tmpdir, const std::string* exported,
                               const std::string& binaries) {
  return tmpdir + ":" + (exported ? *exported + ":" + binaries : binaries + ":" + usual_path);
}

} // namespace almanac
