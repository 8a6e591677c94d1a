#include "actors/master/inquiries.hpp"

#include "actors/master/kept_answers.hpp"
#include "actors/master/suspects.hpp"
#include "actors/support.hpp"

#include <utility>

namespace almanac {

std::optional<Answer> Inquiries::begin(const Ask& ask, Instant now,
                                       const std::function<Reply()>& wait) {
  const auto key = answer_key(ask.caller, "question " + std::to_string((*ask.question).index()));
  if (auto refusal = crashed_over(notebook_, ask.caller, key)) return refusal;
  Asked asked{Inquiry(ask.question), key, {}};
  if (auto answer = slice_of(asked, now)) return answer;
  asked.reply = wait();
  waiting_.push_back(std::move(asked));
  return std::nullopt;
}

std::optional<Answer> Inquiries::slice_of(Asked& asked, Instant now) const {
  notebook_.note(asked.key);
  crash_point("question");
  auto answer = planner_.go_on(asked.inquiry, now);
  notebook_.note({});
  return answer;
}

void Inquiries::go_on(Instant now) {
  auto answer = slice_of(waiting_.front(), now);
  if (!answer) return;
  const auto reply = std::move(waiting_.front().reply);
  waiting_.pop_front();
  reply(std::move(*answer));
}

} // namespace almanac
