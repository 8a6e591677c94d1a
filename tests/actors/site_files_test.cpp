// Who looks at the files that the planner goes by, and what the calendar hears of them.
#include "actors/master/site_files.hpp"
#include "core/configuration/objects/site_file.hpp"
#include "tests/actors/memory_store.hpp"

#include <utility>

using namespace almanac;
using std::chrono::seconds;

namespace {

// A file of a folder, changed by hand.
class HandFile : public CommonFileSource {
public:
  std::optional<std::vector<CommonFileContent>> look() override {
    ++looks;
    return std::exchange(news, std::nullopt);
  }
  void put(const std::string& content) {
    news.emplace();
    news->push_back({{"x", ""}, content});
  }
  std::optional<std::vector<CommonFileContent>> news;
  int looks = 0;
};

class GivenFilesOfTheSite : public ActorFixture {
public:
  HandFile sched_conf, policy;
  Partner calendar = partner();

  SiteFilesActor begin(std::map<std::string, std::optional<std::string>> known,
                       std::set<std::string> in_force = {}) {
    auto actor = keep(spawn_site_files(system,
                                       {{{"sched_conf", &sched_conf}, {"reservable.ad", &policy}},
                                        std::move(known),
                                        std::move(in_force),
                                        directory,
                                        calendar.as<CalendarActor>()},
                                       Thread::shared));
    settle();
    return actor;
  }
  std::string shown(const SiteFilesActor& actor) {
    return ask<ActorState>(*this, actor, Inspect{})->value().text;
  }
  // "NAME=TEXT NAME=TEXT"
  std::string told() const {
    std::string text;
    for (const auto& tell : calendar.all<Tell>())
      if (const auto* file = std::get_if<SiteFileRead>(&*tell.input))
        text += (text.empty() ? "" : " ") + file->name + "=" + file->text;
    return text;
  }
};

} // namespace

TEST_F(GivenFilesOfTheSite, WhenAFileChangesThenTheCalendarHearsOfItOnce) {
  sched_conf.put("a"), policy.news.emplace();
  begin({{"sched_conf", ""}, {"reservable.ad", ""}});
  EXPECT_EQ(told(), "sched_conf=a") << "there is no policy, as before";
  pass(seconds(60));
  EXPECT_GE(sched_conf.looks, 10) << "it looks every few seconds";
  EXPECT_EQ(told(), "sched_conf=a");
  policy.put("[]"), sched_conf.news.emplace();
  pass(seconds(6));
  EXPECT_EQ(told(), "sched_conf=a reservable.ad=[] sched_conf=") << "the file is gone";
}

// plus.md P7.121: an empty file is not a missing one.
TEST_F(GivenFilesOfTheSite, WhenAFileIsEmptyThenItIsNotAsIfThereWereNone) {
  policy.put("");
  begin({{"sched_conf", ""}, {"reservable.ad", "[]"}});
  EXPECT_EQ(told(), "reservable.ad=\n");
}

TEST_F(GivenFilesOfTheSite, WhenTheRecordsHaveTheTextThenNothingIsTold) {
  sched_conf.put("a");
  begin({{"sched_conf", "a"}, {"reservable.ad", ""}});
  EXPECT_EQ(told(), "");
}

TEST_F(GivenFilesOfTheSite, WhenTheLastTextCouldNotBeReadThenWhateverIsThereIsTold) {
  sched_conf.news.emplace(), policy.put("[]");
  begin({{"reservable.ad", "[]"}});
  EXPECT_EQ(told(), "sched_conf=");
}

// plus.md P7.4: the planner hears of a file that cannot be used as of one with an error, once.
TEST_F(GivenFilesOfTheSite, WhenAFileCannotBeUsedThenThatIsToldAndShown) {
  const auto unusable = unusable_site_file("it is not a plain file");
  sched_conf.news.emplace(), policy.put(unusable);
  auto actor = begin({{"sched_conf", ""}, {"reservable.ad", ""}});
  EXPECT_EQ(told(), "reservable.ad=" + unusable);
  policy.put(unusable);
  pass(seconds(6));
  EXPECT_EQ(told(), "reservable.ad=" + unusable);
  EXPECT_EQ(shown(actor), "reservable.ad is not in force: reservable.ad, it is not a plain file\n"
                          "sched_conf: there is none\n");
}

TEST_F(GivenFilesOfTheSite, WhenALaterFileCannotBeUsedThenItIsShownThatTheOneBeforeIsInForce) {
  const std::string stays = "reservable.ad: what was read before is in force\n";
  policy.put(unusable_site_file("it is not a plain file"));
  auto actor = begin({{"sched_conf", ""}}, {"reservable.ad"});
  EXPECT_NE(shown(actor).find(stays), std::string::npos) << shown(actor);
  policy.news.emplace();
  pass(seconds(6));
  policy.put("[");
  pass(seconds(6));
  EXPECT_EQ(shown(actor).find(stays), std::string::npos) << shown(actor);
  policy.put("PLUS_NODE_RESERVABLE = true");
  pass(seconds(6));
  policy.put(unusable_site_file("it is not a plain file"));
  pass(seconds(6));
  EXPECT_NE(shown(actor).find(stays), std::string::npos) << shown(actor);
}
