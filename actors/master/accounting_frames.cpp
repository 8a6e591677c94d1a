#include "actors/master/accounting_frames.hpp"

#include "actors/master/last_record.hpp"
#include "core/text/numbers.hpp"
#include "core/text/pattern.hpp"
#include "schema/codec.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace almanac {

namespace {

using store::Family;

// Texts that a record has if it is wanted: they stand in its bytes as they are (schema/codec.hpp), so
// most of a million records need not be read at all.
std::vector<std::string> texts_in(const AccountingFilter& f) {
  std::vector<std::string> texts;
  const auto queue = f.queue.substr(0, f.queue.find('@'));
  for (const auto* text :
       {&f.owner, &f.name, &f.account, &f.group, &f.host, &queue, &f.project, &f.department, &f.pe})
    if (!text->empty() && *text != "NONE" && (text == &f.owner || !is_pattern(*text)))
      texts.push_back(*text);
  return texts;
}

class AccountingFrames : public AnswerFrames {
public:
  AccountingFrames(const Archive& archive, AccountingQuery query)
      : archive_(archive), query_(std::move(query)) {
    for (const auto& record : query_.also) replaced_.insert(record.task);
    const auto since = parse_number(archive.get(Family::meta, accounting_since_key).value_or("0"));
    if (since) known_since_ = {*since};
    if (const auto number = query_.filter.number) {
      from_ = store::accounting_key(number, 0);
      end_ = store::number_key(number.value) + std::string(9, '\xff');
    } else if (const auto newest = last_record<AccountingRecord>(archive, Family::accounting)) {
      end_ = store::number_key(newest->sequence + 1);
    }
  }

  std::optional<door::ReplyBody> next() override {
    if (is_over_) return std::nullopt;
    door::Accounting frame;
    frame.known_since = known_since_;
    if (!has_read_) has_read_ = read(frame.records);
    if (has_read_) take_also(frame.records), is_over_ = query_.also.empty();
    return frame;
  }

private:
  // Whether there is no more to be read.
  bool read(std::vector<AccountingRecord>& into) {
    const bool by_job = bool(query_.filter.number);
    std::size_t looked_at = 0;
    bool ends = true;
    archive_.scan_from(by_job ? Family::accounting_of_job : Family::accounting, from_,
                       [&](std::string_view key, std::string_view value) {
                         if (key >= end_) return false;
                         if (into.size() == most_records_in_a_frame ||
                             looked_at++ == most_records_looked_at) {
                           from_ = key, ends = false;
                           return false;
                         }
                         by_job ? take(indexed(key), into) : take(value, into);
                         return true;
                       });
    return ends;
  }

  std::string indexed(std::string_view key) const {
    return archive_.get(Family::accounting, std::string(key.substr(8))).value_or("");
  }

  void take(std::string_view value, std::vector<AccountingRecord>& into) const {
    for (const auto& text : texts_)
      if (value.find(text) == std::string_view::npos) return;
    if (is_choosy_)
      if (const auto seen = decode<AccountingGlance>(value); !seen || !wants(query_.filter, *seen))
        return;
    auto record = decode<AccountingRecord>(value);
    if (!record || !wants(query_.filter, *record)) return;
    if (query_.job && query_.job != record->job) return;
    if (replaced_.contains(record->task)) return;
    into.push_back(std::move(*record));
  }

  void take_also(std::vector<AccountingRecord>& into) {
    auto& also = query_.also;
    const auto room = most_records_in_a_frame - std::min(most_records_in_a_frame, into.size());
    const auto end = also.begin() + static_cast<std::ptrdiff_t>(std::min(room, also.size()));
    into.insert(into.end(), std::make_move_iterator(also.begin()), std::make_move_iterator(end));
    also.erase(also.begin(), end);
  }

  const Archive& archive_;
  AccountingQuery query_;
  /// Most of what is read is not wanted, perhaps.
  const bool is_choosy_ = !query_.filter.number && query_.filter != AccountingFilter();
  const std::vector<std::string> texts_ = texts_in(query_.filter);
  std::set<std::int64_t> replaced_; ///< tasks
  Instant known_since_;
  std::string from_, end_; ///< keys of the store: the next one, the first that is none of it
  bool has_read_ = false, is_over_ = false;
};

} // namespace

std::shared_ptr<AnswerFrames> accounting_frames(const Archive& archive, AccountingQuery query) {
  return std::make_shared<AccountingFrames>(archive, std::move(query));
}

} // namespace almanac
