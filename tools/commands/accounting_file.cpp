#include "tools/commands/accounting_file.hpp"

#include "core/job/accounting_glance.hpp"
#include "core/job/accounting_line.hpp"
#include "core/text/names.hpp"
#include "tools/commands/record_lines.hpp"

#include <string_view>

namespace almanac {

Outcome read_accounting_file(const std::string& path, const AccountingFilter& filter,
                             const std::function<void(const AccountingRecord&)>& use,
                             const std::function<void(const std::string&)>& warn) {
  const bool is_choosy = filter != AccountingFilter();
  const auto take = [&](std::string_view line) -> Outcome {
    if (is_choosy) {
      const auto seen = accounting_glance(line);
      if (!seen) return seen.error();
      if (!wants(filter, *seen)) return Done{};
    }
    const auto record = parse_accounting_line(printable(line));
    if (!record) return record.error();
    if (wants(filter, *record)) use(*record);
    return Done{};
  };
  return each_record_line(path, take, warn);
}

} // namespace almanac
