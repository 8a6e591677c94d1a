#include "core/text/natural_order.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace almanac;

TEST(GivenNamesWithNumbers, WhenTheyAreComparedThenNumbersCountAsNumbers) {
  const std::vector<std::string> ascending{"",
                                           "1",
                                           "2",
                                           "10",
                                           "a",
                                           "n",
                                           "n1",
                                           "n01a",
                                           "n1b",
                                           "n2",
                                           "n2.x1",
                                           "n2.x10",
                                           "n010",
                                           "n10",
                                           "n10a",
                                           "nn",
                                           "x99999999999999999999999",
                                           "x100000000000000000000000"};
  for (std::size_t i = 0; i < ascending.size(); ++i)
    for (std::size_t j = 0; j < ascending.size(); ++j)
      EXPECT_EQ(natural_order(ascending[i], ascending[j]), i <=> j)
          << ascending[i] << " " << ascending[j];
}
