// What the files of the site say (core/configuration/objects/site_file.hpp), as it is in force.
#pragma once

#include "core/configuration/objects/sort_keys.hpp"
#include "core/records/index.hpp"

namespace almanac {

class SiteSettings : public ComparedIndex<SiteSettings> {
public:
  using Index::changed;
  bool operator==(const SiteSettings&) const = default;
  void rebuild(const Records& records) override;
  void changed(const SiteFile* before, const SiteFile* after) override;

  /// Of sched_conf; the defaults where there is none.
  const SortKeys& sort_keys() const { return sort_keys_; }

private:
  SortKeys sort_keys_;
};

} // namespace almanac
