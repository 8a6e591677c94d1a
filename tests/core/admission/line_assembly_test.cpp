// Lines of a connection, however their bytes are cut (spec/metascheduler.md M2.2).
#include "core/admission/line_assembly.hpp"

#include <gtest/gtest.h>

#include <vector>

using namespace almanac;

namespace {

std::vector<std::string> lines_of(LineAssembly& assembly) {
  std::vector<std::string> lines;
  while (const auto line = assembly.next())
    lines.push_back(line->text + (line->is_too_long ? "!" : ""));
  return lines;
}
using Lines = std::vector<std::string>;

} // namespace

TEST(GivenBytesOfAConnection, WhenLinesEndInEitherWayThenBothAreTaken) {
  LineAssembly assembly(10);
  assembly.add("one\ntwo\r\n\nthr");
  EXPECT_EQ(lines_of(assembly), (Lines{"one", "two", ""}));
  assembly.add("ee");
  EXPECT_TRUE(lines_of(assembly).empty());
  assembly.add("\r");
  EXPECT_TRUE(lines_of(assembly).empty());
  assembly.add("\nfour\n");
  EXPECT_EQ(lines_of(assembly), (Lines{"three", "four"}));
  EXPECT_EQ(assembly.kept(), 0u);
}

TEST(GivenBytesOfAConnection, WhenALineIsAsLongAsItMayBeThenOneByteMoreIsTooLong) {
  LineAssembly assembly(4);
  assembly.add("four\r\nfive5\nsix\n");
  EXPECT_EQ(lines_of(assembly), (Lines{"four", "five!", "six"}));
  for (const char c : std::string("four\r\nfive5\n")) assembly.add({&c, 1});
  EXPECT_EQ(lines_of(assembly), (Lines{"four", "five!"}));
}

TEST(GivenBytesOfAConnection, WhenALineNeverEndsThenLittleIsKept) {
  LineAssembly assembly(100);
  for (int i = 0; i < 1000; ++i) {
    assembly.add(std::string(64, ';'));
    EXPECT_TRUE(lines_of(assembly).empty());
    ASSERT_LE(assembly.kept(), 165u);
  }
  assembly.add("\nnext\n");
  EXPECT_EQ(lines_of(assembly), (Lines{std::string(100, ';') + "!", "next"}));
}

TEST(GivenBytesOfAConnection, WhenTheyAreCutAnywhereThenTheLinesAreTheSame) {
  const std::string bytes = "a\r\n\r\nbb\rb\nlonger than that\n\ncc\n";
  LineAssembly whole(8);
  whole.add(bytes);
  const auto lines = lines_of(whole);
  EXPECT_EQ(lines, (Lines{"a", "", "bb\rb", "longer t!", "", "cc"}));
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    LineAssembly assembly(8);
    assembly.add(bytes.substr(0, cut));
    auto found = lines_of(assembly);
    assembly.add(bytes.substr(cut));
    for (auto& line : lines_of(assembly)) found.push_back(line);
    EXPECT_EQ(found, lines) << cut;
  }
}
