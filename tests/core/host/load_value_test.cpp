// Values of load sensors in steps (docs/spec/objects.md O7.4).
#include "core/host/load_value.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenALoadValue, WhenItIsANumberThenFourDigitsOfItAreKept) {
  for (const auto& [value, kept] :
       {std::pair("123456", "123400"), std::pair("1234", "1234"),
        std::pair("0.00123456", "0.001234"), std::pair("12.3456G", "12.34G"),
        std::pair("-98765", "-98760"), std::pair("12345.6", "12340"), std::pair("0", "0"),
        std::pair("5G", "5G")})
    EXPECT_EQ(quantised_value(value), kept) << value;
}

TEST(GivenALoadValue, WhenItIsNoNumberThenItStays) {
  for (const char* value :
       {"", "linux-12345678", "1:23:45", "1.2.3.4", "12345678 of 9", "G", "12345GB"})
    EXPECT_EQ(quantised_value(value), value);
}
