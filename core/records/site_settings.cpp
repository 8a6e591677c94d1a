#include "core/records/site_settings.hpp"

#include "core/records/records.hpp"

#include <string>
#include <utility>

namespace almanac {

void SiteSettings::rebuild(const Records& records) {
  sort_keys_ = {};
  for (const auto& file : Listing<SiteFile>(records.all<SiteFile>())) changed(nullptr, &file);
}

// A text that a later version has written may be none for this one: then the defaults count.
void SiteSettings::changed(const SiteFile* before, const SiteFile* after) {
  if ((after ? after : before)->name != "sched_conf") return;
  auto keys = parse_sort_keys(after ? after->text : std::string());
  sort_keys_ = keys ? std::move(*keys) : SortKeys{};
}

} // namespace almanac
