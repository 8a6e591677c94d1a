#include "actors/master/accounting_frames.hpp"

#include "schema/codec.hpp"

namespace almanac {

namespace {

constexpr std::size_t most_in_a_frame = 200;

class AccountingFrames : public AnswerFrames {
public:
  explicit AccountingFrames(const Journal& journal) : journal_(journal) {
    const auto last = journal.last(store::Family::accounting);
    const auto record = last ? decode<AccountingRecord>(*last) : Result<AccountingRecord>(Error{});
    if (record) end_ = store::number_key(record->sequence + 1);
  }

  std::optional<door::ReplyBody> next() override {
    if (is_over_) return std::nullopt;
    door::Accounting frame;
    is_over_ = true;
    journal_.scan_from(store::Family::accounting, from_,
                       [&](std::string_view key, std::string_view value) {
                         if (key >= end_) return false;
                         if (frame.records.size() == most_in_a_frame) {
                           from_ = key, is_over_ = false;
                           return false;
                         }
                         if (auto record = decode<AccountingRecord>(value))
                           frame.records.push_back(std::move(*record));
                         return true;
                       });
    return frame;
  }

private:
  const Journal& journal_;
  std::string from_, end_; ///< keys of the store: the next one, the first that is none of it
  bool is_over_ = false;
};

} // namespace

std::shared_ptr<AnswerFrames> accounting_frames(const Journal& journal) {
  return std::make_shared<AccountingFrames>(journal);
}

} // namespace almanac
