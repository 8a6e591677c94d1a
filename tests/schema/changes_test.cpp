// What people hear of each input, as rows of the store.
#include "schema/store/changes.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

using Of = EventKind::Of;

std::vector<Event> an_event_of_each_kind(EventVerb verb) {
  std::vector<Event> events;
  for (const auto& kind : event_kinds()) {
    Event event{kind, verb, 0, 0, "a/name with 1 ~ and +"};
    if (kind.of == Of::job || kind.of == Of::reservation || kind.of == Of::series) {
      event.key = 77, event.number = 12;
      if (verb != EventVerb::removed) event.number = 0, event.name.clear();
    }
    events.push_back(event);
  }
  return events;
}

} // namespace

TEST(GivenAnEventOfAnyKind, WhenItsRowIsWrittenThenItReadsBack) {
  for (const auto verb : {EventVerb::modified, EventVerb::added, EventVerb::removed})
    for (const auto& row : store::rows_of({42}, an_event_of_each_kind(verb))) {
      const auto write = store::write_of(row);
      EXPECT_EQ(write.family, store::Family::changes);
      const auto read = store::change_row(write.key, write.value.value());
      ASSERT_TRUE(read) << *write.value;
      EXPECT_EQ(read->sequence, row.sequence);
      EXPECT_EQ(read->position, row.position);
      EXPECT_EQ(read->event, row.event) << *write.value;
    }
}

TEST(GivenAnEvent, WhenItsRowIsWrittenThenItIsShort) {
  const auto value = [](const Event& event) {
    return *store::write_of(store::ChangeRow{{42}, 0, event}).value;
  };
  EXPECT_EQ(value({{Of::job, {}}, EventVerb::modified, 77, 0, {}}), "j~77");
  EXPECT_EQ(value({{Of::job, {}}, EventVerb::removed, 77, 12, "sleep"}), "j-77/12/sleep");
  EXPECT_EQ(value({{Of::object, ObjectKind::cluster_queue}, EventVerb::added, 0, 0, "all.q"}),
            "oa+all.q");
  EXPECT_EQ(store::change_key({42}, 0).size(), 16u);
}

TEST(GivenBytesThatAreNoRow, WhenTheyAreReadThenThereIsNone) {
  const auto key = store::change_key({1}, 0);
  for (const auto* value : {"", "j", "j~", "j~x", "j~0", "j-77", "j-77/12", "j-77/x/n", "?~h1", "o",
                            "oa", "o~+x", "oz+name", "h?n1"})
    EXPECT_FALSE(store::change_row(key, value)) << value;
  EXPECT_FALSE(store::change_row("short", "h~n1"));
  EXPECT_TRUE(store::change_row(key, "h~n1"));
}

TEST(GivenRows, WhenACursorHasHeardSomeThenItsKeyLiesBehindThem) {
  const auto first = store::change_key({1}, 0), second = store::change_key({1}, 1),
             next = store::change_key({2}, 0);
  const auto whole = store::key_behind({{9}, {1}}), within = store::key_behind({{9}, {1}, 0});
  EXPECT_LT(first, within);
  EXPECT_LT(within, second);
  EXPECT_LT(second, whole);
  EXPECT_LT(whole, next);
}

TEST(GivenRowsOfOneObject, WhenTheyAreMergedThenTheLastRowStandsForAll) {
  const Event added{{Of::job, {}}, EventVerb::added, 7, 0, {}};
  const Event changed{{Of::job, {}}, EventVerb::modified, 7, 0, {}};
  const auto rows = store::merged({{{1}, 0, added}, {{3}, 5, changed}});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows.front().sequence.value, 3);
  EXPECT_EQ(rows.front().position, 5);
  EXPECT_EQ(rows.front().event.verb, EventVerb::added);
}
