// Answers in the words of metaschedulers: a status code and tokens, or the positional form of the
// Grid Forum (spec/metascheduler.md sections 3 and 8).
//
// MSG is a sentence of the table below and nothing else: no detail of an answer gets into it, so
// nothing of other users' jobs does (M8.25).
#pragma once

#include "core/answer/answer.hpp"
#include "core/base/attribute.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace almanac::ggf {

/// Section 8: 0 is good. `message` is "" then.
struct Status {
  std::int64_t code = 0;
  std::string message{};
  bool operator==(const Status&) const = default;
};

/// What the master's answer comes to. The last refusal that the table has counts, and of one that
/// has its reason in it, the reason; one that the table lacks is -61.
Status status_of(const Answer& answer);
/// The resource, as it was asked for, that is the reason of this status; "": it is about none.
std::string refused_resource(const Answer& answer);
/// With the sentence of the code; `token` is named where the code has one.
Status status(std::int64_t code, std::string_view token = {});

/// "SC=-13;SETRES=0;MSG=..." without a line break.
std::string answer_line(std::int64_t code, const std::vector<Attribute>& tokens);

/// The info of a positional answer: in double quotes, and on one line.
std::string quoted(std::string_view info);

} // namespace almanac::ggf
