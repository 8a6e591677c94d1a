// Limits of quota sets as people and programs read them (spec/quotas.md section 6, Table and XML).
#pragma once

#include "schema/door/quota_view.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace almanac {

/// "slots=2/5", or "tmem=4G" where nothing is counted.
std::string limit_text(const door::QuotaView& row);
/// "users ann hosts h1,!h2", or "-".
std::string filter_text(const door::QuotaView& row);

/// Nothing at all where there is no row.
void print_quota_table(std::ostream& out, const std::vector<door::QuotaView>& rows);
/// One row of it.
std::string quota_line(const door::QuotaView& row);
void print_quota_xml(std::ostream& out, const std::vector<door::QuotaView>& rows);
void print_quota_json(std::ostream& out, const std::vector<door::QuotaView>& rows);
/// Rows that a job meets, a sentence each.
void print_quota_reasons(std::ostream& out, const std::vector<door::QuotaView>& rows,
                         JobNumber job);

} // namespace almanac
