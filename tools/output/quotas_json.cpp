#include "tools/output/json.hpp"
#include "tools/output/quotas.hpp"

#include <array>

namespace almanac {

namespace {
constexpr std::array<const char*, quota_filters> names{"users", "projects", "pes", "queues",
                                                       "hosts"};
} // namespace

void print_quota_json(std::ostream& out, const std::vector<door::QuotaView>& rows) {
  print_json(out,
             {{"limits", json_list(rows, [](const door::QuotaView& row) {
                 Json made{{"rule", row.rule}, {"resource", row.resource}, {"limit", row.limit}};
                 if (row.is_counted) made["used"] = row.used;
                 auto filters = Json::object();
                 for (const auto& filter : row.filters) {
                   const std::string name = names.at(static_cast<std::size_t>(filter.filter));
                   put_if_set(filters, name.c_str(), filter.included);
                   put_if_set(filters, ("not_" + name).c_str(), filter.excluded);
                 }
                 made["filters"] = std::move(filters);
                 return made;
               })}});
}

} // namespace almanac
