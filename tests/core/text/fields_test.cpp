#include "core/text/fields.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

enum class FieldKind : std::uint8_t { one, two };

struct FieldPart {
  std::string name;
  std::vector<std::string> words;
};
template <class V> void describe(V& visit, FieldPart& part) {
  visit("name", part.name);
  visit("words", part.words);
}

struct FieldRecord {
  FieldKind kind = FieldKind::one;
  bool flag = false;
  std::int64_t number = 0;
  Bytes bytes;
  std::vector<FieldPart> parts;
  Duration time;
};
template <class V> void describe(V& visit, FieldRecord& record) {
  visit("kind", record.kind);
  visit("flag", record.flag);
  visit("number", record.number);
  visit("bytes", record.bytes);
  visit("parts", record.parts);
  visit("time", record.time);
}

constexpr std::string_view format = "fields 1\n";

FieldRecord example_fields() {
  return {FieldKind::two,
          true,
          -INT64_MAX,
          {std::string("\0\n9 9\n", 6)},
          {{"a\nname 1\nb\n", {"", "x 1\ny\n"}}, {"", {}}},
          {60}};
}

Result<FieldRecord> parse_example(const std::string& text) {
  return parse_fields<FieldRecord>(text, format, "the record");
}

std::string with(std::string text, const std::string& old, const std::string& by) {
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), by);
}

} // namespace

namespace almanac {
template <> inline constexpr FieldKind last_of<FieldKind> = FieldKind::two;
} // namespace almanac

TEST(GivenARecordAsFields, WhenPrintedThenItReadsBackWhateverIsInIt) {
  const auto text = print_fields(example_fields(), format);
  const auto read = parse_example(text);
  ASSERT_TRUE(read.ok()) << read.what();
  EXPECT_EQ(print_fields(*read, format), text);
  EXPECT_EQ(read->number, -INT64_MAX);
  EXPECT_EQ(read->parts.front().words.back(), "x 1\ny\n");
}

TEST(GivenARecordAsFields, WhenItIsCutAnywhereOrAnythingFollowsThenItIsRefused) {
  const auto text = print_fields(example_fields(), format);
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(parse_example(text.substr(0, size)).ok()) << size;
  EXPECT_FALSE(parse_example(text + "\n").ok());
  EXPECT_FALSE(parse_example(text + text).ok());
}

TEST(GivenARecordAsFields, WhenALengthIsNotTrueThenItIsRefused) {
  const auto text = print_fields(example_fields(), format);
  for (const char* length :
       {"5", "7", "2147483647", "2147483648", "4294967295", "4294967302", "9223372036854775807",
        "18446744073709551622", "-1", "+6", " 6", "06x", "", "0x6"})
    EXPECT_FALSE(parse_example(with(text, "bytes 6\n", "bytes " + std::string(length) + "\n")).ok())
        << length;
}

TEST(GivenARecordAsFields, WhenAListSaysThatItIsLongerThenItIsRefusedAtOnce) {
  const auto text = print_fields(example_fields(), format);
  for (const char* count : {"3", "1", "-1", "9223372036854775807", "2147483648", ""}) {
    const auto field = "parts " + std::to_string(std::string(count).size()) + "\n" + count + "\n";
    EXPECT_FALSE(parse_example(with(text, "parts 1\n2\n", field)).ok()) << count;
  }
}

TEST(GivenARecordAsFields, WhenATextHasAZeroByteThenItIsRefused) {
  auto record = example_fields();
  record.parts.front().name = std::string("a\0b", 3);
  EXPECT_FALSE(parse_example(print_fields(record, format)).ok());
}

TEST(GivenARecordAsFields, WhenAValueIsOutOfItsRangeThenItIsRefused) {
  const auto text = print_fields(example_fields(), format);
  for (const char* kind : {"2", "-", "x", "9", " ", "\n"})
    EXPECT_FALSE(
        parse_example(with(text, "kind 1\n1\n", "kind 1\n" + std::string(kind) + "\n")).ok())
        << kind;
  EXPECT_FALSE(parse_example(with(text, "flag 1\n1\n", "flag 1\n2\n")).ok());
  EXPECT_FALSE(parse_example(with(text, "flag 1\n1\n", "flag 1\n1\nflag 1\n1\n")).ok());
  EXPECT_FALSE(parse_example(with(text, "fields 1\n", "fields 2\n")).ok());
}
