#include "core/job/accounting_glance.hpp"

#include <array>
#include <charconv>
#include <string>

namespace almanac {

namespace {

constexpr std::size_t fewest_fields = 43, all_fields = 45, slave_task = 41;

// The fields of a line, as far as there are any.
class LineFields {
public:
  explicit LineFields(std::string_view line) {
    for (std::size_t from = 0; count_ < all_fields; ++count_) {
      const auto end = line.find(':', from);
      fields_[count_] = line.substr(from, end - from);
      if (end == std::string_view::npos) {
        ++count_;
        return;
      }
      from = end + 1;
    }
  }
  std::size_t count() const { return count_; }
  std::string text(std::size_t at) const { return std::string(fields_[at]); }
  std::string_view view(std::size_t at) const { return fields_[at]; }
  std::int64_t number(std::size_t at) const {
    std::int64_t value = 0;
    std::from_chars(fields_[at].data(), fields_[at].data() + fields_[at].size(), value);
    return value;
  }

private:
  std::array<std::string_view, all_fields> fields_;
  std::size_t count_ = 0;
};

} // namespace

Result<AccountingGlance> accounting_glance(std::string_view line) {
  const LineFields f(line);
  if (f.count() < fewest_fields)
    return Error{"an accounting line has 45 fields, this one " + std::to_string(f.count())};
  AccountingGlance r;
  r.queue = f.text(0), r.host = f.text(1), r.group = f.text(2), r.owner = f.text(3);
  r.job_name = f.text(4), r.job_number = {f.number(5)}, r.account = f.text(6);
  r.started = {f.number(9)}, r.ended = {f.number(10)};
  r.project = f.view(31) == "NONE" ? "" : f.text(31), r.department = f.text(32);
  r.pe = f.text(33), r.slots = f.number(34), r.task = f.number(35);
  if (f.view(slave_task) != "NONE") r.pe_task = f.text(slave_task);
  if (f.count() == all_fields) r.reservation = {f.number(43)};
  return r;
}

} // namespace almanac
