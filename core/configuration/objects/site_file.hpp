// A file of DIR/root/CELL/common that a site writes by hand and the planner goes by: sched_conf
// (sort_keys.hpp), and reservable.ad.
//
// The text is the last one that could be read. A newer one that cannot changes nothing but the
// error, which says why (spec/plus.md P6.2, P7.4). An empty text means that there is no file. One
// that is there and cannot be used at all is a text that cannot be read, too: unusable_site_file().
#pragma once

#include "core/base/time.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace almanac {

inline constexpr std::array<const char*, 2> site_file_names{"reservable.ad", "sched_conf"};
/// In bytes.
inline constexpr std::size_t largest_site_file = 256 << 10;

struct SiteFile {
  std::string name; ///< one of site_file_names
  std::string text;
  Instant read_at;   ///< when this text came
  std::string error; ///< what is wrong with a newer one; "": there is none
};
template <class V> void describe(V& visit, SiteFile& f) {
  visit("name", f.name);
  visit("text", f.text);
  visit("read_at", f.read_at);
  visit("error", f.error);
}
inline const std::string& key_of(const SiteFile& file) { return file.name; }

bool is_site_file(std::string_view name);

/// "sched_conf: 57 bytes, fingerprint 123": by this a text is known again that was read.
std::string line_of_site_file(const std::string& name, const std::string& text);

/// Stands for the text of a file that is there and cannot be used: nobody takes this for one that
/// can. fault_of() finds `why` in it.
std::string unusable_site_file(const std::string& why);
/// "": it is no such text.
std::string_view why_unusable(std::string_view text);

/// Why the planner cannot go by this text, if it cannot: "sched_conf, line 3: …".
std::optional<std::string> fault_of(std::string_view name, std::string_view text);

} // namespace almanac
