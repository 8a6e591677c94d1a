// Rows of the specification as tests: a label, an expression and its value.
#pragma once

#include "classad_fixture.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace almanac {

struct ExpressionRow {
  const char* label;
  const char* expression;
  const char* result;
};

inline void expect_rows(const std::vector<ExpressionRow>& rows) {
  for (const auto& row : rows)
    EXPECT_EQ(value_of(row.expression), row.result) << row.label << ": " << row.expression;
}

} // namespace almanac
