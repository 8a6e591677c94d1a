// Hooks that would not be run are named before they are configured (spec/beyond.md B13.31).
#include "actors/master/hook_trust.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

ConfigurationChange setting(const std::string& hook, const std::string& value) {
  ConfigurationChange change{ChangeVerb::modify, {ObjectKind::global_configuration, "", {}}, {}};
  change.object.set(hook, value);
  return change;
}

std::string only_bin(const HookCommand& hook) {
  const auto& program = hook.words.front();
  return program.starts_with("/bin/") ? "" : program + " is no file";
}

} // namespace

TEST(GivenACommand, WhenAHookOfItWouldNotBeRunThenItIsNamed) {
  EXPECT_EQ(distrusted_hook(Configure{setting("ar_start", "/bin/true $ar_id")}, {}, only_bin), "");
  EXPECT_EQ(distrusted_hook(Configure{setting("ar_start", "/etc $ar_id")}, {}, only_bin),
            "ar_start: /etc is no file");
  EXPECT_EQ(distrusted_hook(ConfigureAll{{setting("ar_end", "NONE"), setting("ar_error", "/no")}},
                            {}, only_bin),
            "ar_error: /no is no file");
}

// qconf -mconf sends all attributes: a program that has vanished since must not hinder the others.
TEST(GivenACommand, WhenItLeavesAHookAloneThenItIsNotLookedAt) {
  ReservationHooks in_force;
  in_force.commands[static_cast<std::size_t>(HookEvent::start)] = "/gone $ar_id";
  EXPECT_EQ(distrusted_hook(Configure{setting("ar_start", "/gone $ar_id")}, in_force, only_bin),
            "");
  EXPECT_EQ(distrusted_hook(Configure{setting("ar_start", "/gone")}, in_force, only_bin),
            "ar_start: /gone is no file");
  EXPECT_EQ(distrusted_hook(Configure{setting("ar_end", "/gone $ar_id")}, in_force, only_bin),
            "ar_end: /gone is no file");
}

TEST(GivenACommand, WhenItSetsNoHookOfTheCellThenNothingIsLookedAt) {
  EXPECT_EQ(distrusted_hook(Configure{setting("ar_start", "/no")}, {}, {}), "");
  EXPECT_EQ(distrusted_hook(Configure{setting("ar_start", "what is no hook")}, {}, only_bin), "");
  auto queue = setting("ar_start", "/no");
  queue.object.kind = ObjectKind::cluster_queue;
  EXPECT_EQ(distrusted_hook(Configure{queue}, {}, only_bin), "");
  EXPECT_EQ(distrusted_hook(DeleteJobs{}, {}, only_bin), "");
}

TEST(GivenACommand, WhenItsJsvWouldNotBeStartedThenThatIsSaid) {
  const auto distrust = [](const std::string& url) {
    return url == "script:/bin/true" ? "" : url + " is not ours";
  };
  const auto found = [&](const std::string& url) {
    return distrusted_jsv(Configure{setting("jsv_url", url)}, "script:/gone", distrust);
  };
  EXPECT_EQ(found("script:/bin/true"), "");
  EXPECT_EQ(found("script:/gone"), "") << "as it was";
  EXPECT_EQ(found("none"), "");
  EXPECT_EQ(found("what is no url"), "") << "left to the core";
  EXPECT_EQ(found("/x"), "jsv_url: /x is not ours");
  EXPECT_EQ(distrusted_jsv(ConfigureAll{{setting("jsv_url", "/x")}}, "", {}),
            "jsv_url: no JSV can be started here");
}
