// A row of the table of sentences in gridengine.cpp, which has parts in files of their own.
#pragma once

#include "core/answer/statement.hpp"

#include <string_view>

namespace almanac::gridengine {

struct Row {
  AnswerCode code;
  std::string_view sentence;
};

} // namespace almanac::gridengine
