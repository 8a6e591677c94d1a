#include "actors/master/input_frames.hpp"

#include "actors/master/last_record.hpp"
#include "core/planning/input.hpp"
#include "core/planning/input_summary.hpp"
#include "schema/codec.hpp"

#include <algorithm>
#include <limits>

namespace almanac {

namespace {

using store::Family;

class InputFrames : public AnswerFrames {
public:
  InputFrames(const Archive& archive, door::GetInputs query)
      : archive_(archive), filter_(std::move(query.filter)), read_to_(query.after) {
    const auto newest = last_record<JournaledInput>(archive, Family::inputs);
    if (newest) last_ = newest->sequence.value;
    if (query.after < 0) read_to_ = newest ? std::max<std::int64_t>(0, last_ + query.after) : 0;
  }

  std::optional<door::ReplyBody> next() override {
    if (is_over_) return std::nullopt;
    door::InputSummaries frame;
    is_over_ = read(frame.inputs);
    frame.read_to = {read_to_};
    return frame;
  }

private:
  // Whether there is no more to be read.
  bool read(std::vector<InputSummary>& into) {
    std::size_t looked_at = 0, bytes = 0;
    bool ends = true;
    archive_.scan_from(Family::inputs, store::number_key(read_to_ + 1),
                       [&](std::string_view key, std::string_view value) {
                         if (store::key_number(key) > last_) return false;
                         ends = into.size() < most_inputs_in_a_frame &&
                                looked_at < most_inputs_looked_at && bytes < most_bytes_of_inputs;
                         if (!ends) return false;
                         read_to_ = store::key_number(key);
                         ++looked_at, bytes += value.size();
                         take(value, into);
                         return true;
                       });
    return ends;
  }

  void take(std::string_view value, std::vector<InputSummary>& into) const {
    const auto input = decode<JournaledInput>(value);
    if (!input) return;
    auto summary = summary_of(*input);
    if (wants(filter_, summary)) into.push_back(std::move(summary));
  }

  const Archive& archive_;
  InputFilter filter_;
  std::int64_t last_ = std::numeric_limits<std::int64_t>::max(); ///< the newest, if it can be read
  std::int64_t read_to_;                                         ///< what was looked at
  bool is_over_ = false;
};

} // namespace

std::shared_ptr<AnswerFrames> input_frames(const Archive& archive, door::GetInputs query) {
  return std::make_shared<InputFrames>(archive, std::move(query));
}

} // namespace almanac
