#include "core/text/words.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenWordsOfWhichTheFirstAreEmpty, WhenTheyAreJoinedThenEachOneIsStillThere) {
  EXPECT_EQ(join({"", "a", "", "b"}, ","), ",a,,b");
  EXPECT_EQ(split(join({"", "", "a"}, ","), ','), (std::vector<std::string>{"", "", "a"}));
  EXPECT_EQ(join({}, ","), "");
}

// C3.42: what Grid Engine's users rely on, an argument in double quotes.
TEST(GivenAnArgumentOfAShellsCommand, WhenTheShellExpandsItThenItStaysOneWord) {
  for (const auto& [word, quoted] : {std::pair("", R"("")"),
                                     {"$HOME", R"("$HOME")"},
                                     {"it's *", R"("it's *")"},
                                     {R"(say "a")", R"("say \"a\"")"},
                                     {R"(\$HOME \"a\" \n)", R"("\$HOME \"a\" \n")"},
                                     {R"(a\)", R"("a\\")"},
                                     {R"(`echo "a"`)", R"("`echo \"a\"`")"},
                                     {R"x($(echo "(a)") "b")x", R"x("$(echo "(a)") \"b\"")x"},
                                     {R"x("(" $((1+2)))x", R"x("\"(\" $((1+2))")x"}})
    EXPECT_EQ(shell_expanded(word, false), quoted);
  EXPECT_EQ(shell_expanded(R"($A "b" \)", true), R"("$A "'"'"b"'"'" \")");
}
