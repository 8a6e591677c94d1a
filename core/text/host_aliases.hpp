// Which names are of one host: host_aliases and bootstrap of the cell's common folder
// (host_aliases(5), bootstrap(5), spec/objects.md O2.11, O12.3).
//
//     # the first name of a line is the one that counts; blanks, commas and semicolons separate
//     n1   n1-ib, n1.cluster.org; 10.0.0.7
//
// Of bootstrap two lines count here:
//
//     ignore_fqdn      true          # a host has a name without a domain: what is behind it is cut off
//     default_domain   cluster.org   # if not: a name without a domain is in this one
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace almanac {

class HostAliases {
public:
  /// What makes no sense is passed over. Of a name in two lines the first one counts.
  static HostAliases parse(std::string_view text, std::string_view bootstrap = {});

  bool is_empty() const { return official_.empty() && !ignores_domains_ && domain_.empty(); }
  /// Names are the same in any letter case; one that no line has is its own, but for its domain.
  std::string official(std::string_view name) const;
  /// The same by the lines alone, for what may also be the name of something else.
  std::string listed(std::string_view name) const;

private:
  std::string with_usual_domain(std::string_view name) const;

  std::map<std::string, std::string> official_; ///< by names in small letters
  bool ignores_domains_ = false;
  std::string domain_; ///< default_domain
};

} // namespace almanac
