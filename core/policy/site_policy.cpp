#include "core/policy/site_policy.hpp"

#include "core/configuration/objects/site_file.hpp"
#include "core/records/records.hpp"

#include <utility>

namespace almanac {

std::optional<std::string> site_file_fault(std::string_view name, std::string_view text) {
  auto fault = fault_of(name, text);
  if (fault || name != policy_file || text.empty()) return fault;
  const auto policy = Reservable::parse(text);
  if (policy) return std::nullopt;
  return std::string(name) + ", " + policy.what();
}

void SitePolicy::rebuild(const Records& records) {
  *this = {};
  for (const auto& file : Listing<SiteFile>(records.all<SiteFile>())) changed(nullptr, &file);
}

// A text that a later version has written may be none for this one.
void SitePolicy::changed(const SiteFile* before, const SiteFile* after) {
  if ((after ? after : before)->name != policy_file) return;
  if (before && after && before->text == after->text && before->error == after->error) return;
  *this = {};
  if (!after) return;
  text_ = after->text, read_at_ = after->read_at;
  if (text_.empty()) {
    fault_ = after->error;
    return;
  }
  auto policy = Reservable::parse(text_);
  if (policy) conditions_ = std::move(*policy);
  else fault_ = std::string(policy_file) + ", " + policy.what();
}

void SitePolicy::note_odd_result(const std::string& result) const {
  if (result.empty() || std::exchange(is_odd_noted_, true)) return;
  odd_result_ = result;
}

std::string SitePolicy::take_odd_result() const { return std::exchange(odd_result_, {}); }

} // namespace almanac
