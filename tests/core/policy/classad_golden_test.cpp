// The values of 10,000 random expressions are the same with every compiler, to the last bit of each
// real (docs/spec/plus.md section 7, P7.41, P7.50, P7.53 and P7.54). build/bin/classad_golden --rewrite
// writes the file.
#include "classad_expressions.hpp"

#include <gtest/gtest.h>

#include <fstream>

using namespace almanac;

TEST(GivenTenThousandRandomExpressions, WhenEvaluatedThenTheBitsAreThoseOfTheGoldenFile) {
  std::ifstream file(ALMANAC_GOLDEN "classad.txt");
  ExpressionMaker maker;
  int wrong = 0, count = 0;
  for (std::string line; std::getline(file, line) && wrong < 5; ++count) {
    const auto expression = maker.next();
    const auto now = expression + "\t" + golden_result(expression);
    if (now == line) continue;
    ++wrong;
    ADD_FAILURE() << "line " << count + 1 << ": " << now << "\nand in the file: " << line;
  }
  EXPECT_EQ(count, golden_expressions);
}
