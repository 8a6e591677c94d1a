// Whatever can be asked to be done is told in words of its own, and is not done for hosts that do not
// belong to the cell.
#include "core/planning/in_words.hpp"
#include "core/policy/standing.hpp"
#include "planner_fixture.hpp"

#include <set>
#include <utility>
#include <variant>
#include <vector>

using namespace almanac;

namespace {

// One of each kind, in the order of the variant.
std::vector<CommandBody> one_of_each() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return std::vector<CommandBody>{CommandBody(std::in_place_index<I>)...};
  }
  (std::make_index_sequence<std::variant_size_v<CommandBody>>());
}

} // namespace

TEST(GivenEachKindOfCommand, WhenItIsToldThenItsWordsAreItsOwn) {
  std::set<std::string> told;
  for (const auto& body : one_of_each()) {
    const auto words = in_words(body);
    EXPECT_FALSE(words.empty()) << body.index();
    EXPECT_TRUE(told.insert(words).second) << body.index() << ": " << words;
    EXPECT_NE(in_words(Input(Command{Caller{"ann"}, body})).find("ann"), std::string::npos)
        << body.index();
  }
}

TEST(GivenEachKindOfCommand, WhenItsHostIsNotOfTheCellThenItIsRefused) {
  const auto planner = *Planner::restore(Planner::initial_records("root", "master"));
  const auto& configuration = planner.state().configuration();
  Caller stranger{"ann", "users", 1001, 1001, "elsewhere"};
  for (const auto& body : one_of_each())
    EXPECT_TRUE(host_obstacle(configuration, stranger, body).has_value()) << body.index();
}
