// What qacct prints: a record in full, and sums in columns (spec/cli.md section 7).
#pragma once

#include "core/job/accounting_record.hpp"

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace almanac {

/// A label of qacct -j, and its value.
struct AccountingField {
  std::string name, value;
};
std::vector<AccountingField> fields_of(const AccountingRecord& record);

/// As qacct -j shows it; the same as an element of share/schemas/qacct.xsd.
void print_record(std::ostream& out, const AccountingRecord& record);
void print_record_xml(std::ostream& out, const AccountingRecord& record);
/// As an element of share/schemas/qacct.schema.json.
std::string record_json(const AccountingRecord& record);

/// By what qacct sums up; a column stands where its option does.
enum class SumBy : std::uint8_t {
  host,
  queue,
  group,
  owner,
  project,
  department,
  pe,
  slots,
  reservation
};
inline constexpr std::size_t sums_by = 9;

/// What a sum is of: a text for each column that there is.
using SumKey = std::vector<std::string>;

class AccountingSums {
public:
  /// In the order of SumBy.
  explicit AccountingSums(std::vector<SumBy> columns);

  void add(const AccountingRecord& record);
  /// More figures, under names of their own, behind those of the row; it is made if it is not there.
  void add_figures(const std::string& row, std::vector<std::string> figures);
  void name_figures(std::vector<std::string> names) { more_names_ = std::move(names); }
  void print(std::ostream& out) const;
  void print_xml(std::ostream& out) const;
  void print_json(std::ostream& out) const;

private:
  struct Sum {
    double wallclock = 0, user = 0, system = 0, cpu = 0, memory = 0, io = 0, io_wait = 0;
    std::vector<std::string> more = {};
  };
  std::vector<std::size_t> widths() const;
  std::vector<std::string> figure_names() const;
  std::vector<std::string> figures_of(const Sum& sum) const;

  std::vector<SumBy> columns_;
  std::map<SumKey, Sum> sums_;
  std::vector<std::string> more_names_;
};

} // namespace almanac
