#include "core/configuration/objects/quota_set_name.hpp"

#include "core/text/words.hpp"

namespace almanac {

Outcome check_quota_set_name(std::string_view name) {
  if (name.empty()) return Error{"resource quota set has no name"};
  if (name == "template") return Error{"Keyword (\"template\") not allowed as objectname"};
  return valid_object_name(name);
}

} // namespace almanac
