// qconf -srqsl -srqs -arqs -Arqs -mrqs -Mrqs -drqs: resource quota sets (spec/quotas.md, section 5).
#pragma once

#include "tools/commands/context.hpp"
#include "tools/commands/qconf_verb.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

const std::vector<QconfVerb>& quota_verbs();

/// The exit status; nothing if the option is another one.
std::optional<int> run_quota_verb(Context& context, const std::string& option,
                                  const std::vector<std::string>& values);

} // namespace almanac
