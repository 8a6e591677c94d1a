// host_aliases of the cell's common folder: which names are of one host (host_aliases(5),
// spec/objects.md O12.3).
//
//     # the first name of a line is the one that counts; blanks, commas and semicolons separate
//     n1   n1-ib, n1.cluster.org; 10.0.0.7
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace almanac {

class HostAliases {
public:
  /// What makes no sense is passed over. Of a name in two lines the first one counts.
  static HostAliases parse(std::string_view text);

  bool is_empty() const { return official_.empty(); }
  /// Names are the same in any letter case; one that no line has is its own.
  std::string official(std::string_view name) const;

private:
  std::map<std::string, std::string> official_; ///< by names in small letters
};

} // namespace almanac
