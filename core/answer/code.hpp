// What can be said, each as a code: programs tell them apart, and a table for each dialect has the
// sentence.
#pragma once

#include "core/base/describe.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace almanac {

enum class AnswerCode : std::uint16_t {
#define CODE(name) name,
#include "core/answer/codes.def"
#undef CODE
};

inline constexpr std::size_t known_answer_codes = 0
#define CODE(name) +1
#include "core/answer/codes.def"
#undef CODE
    ;

/// A newer master may say what this program does not know: that is read, too.
template <> inline constexpr AnswerCode last_of<AnswerCode> = AnswerCode{0xffff};

/// "no_such_job"; "unknown" for the code of a newer master.
std::string_view name_of(AnswerCode code);

} // namespace almanac
