// How the common files of a cell reach its agents (spec/objects.md O12.10 to O12.12): who looks at
// them, what a host offers to its agent, and what an agent does to have them.
#include "actors/agent/agent_parts.hpp"
#include "actors/master/common_file_offer.hpp"
#include "actors/master/common_files.hpp"
#include "actors/trust/keyring.hpp"
#include "tests/actors/actor_fixture.hpp"

#include <map>

using namespace almanac;
using std::chrono::seconds;

namespace {

using Names = std::vector<std::string>;

CommonFileContent file(const std::string& name, const std::string& content) {
  return {{name, sha256(content)}, content};
}
SharedCommonFiles shared(std::vector<CommonFileContent> files) {
  return std::make_shared<const std::vector<CommonFileContent>>(std::move(files));
}

template <class T> std::vector<T> said(const Partner& session) {
  std::vector<T> result;
  for (const auto& say : session.all<Say>())
    if (const auto* one = std::get_if<T>(&say.message)) result.push_back(*one);
  return result;
}

// The folder of a master, changed by hand.
class HandSource : public CommonFileSource {
public:
  std::optional<std::vector<CommonFileContent>> look() override {
    ++looks;
    return std::exchange(news, std::nullopt);
  }
  std::optional<std::vector<CommonFileContent>> news;
  int looks = 0;
};

class GivenTheCommonFilesOfACell : public ActorFixture {
public:
  HandSource source;
  CommonFilesActor begin() {
    auto actor = keep(spawn_common_files(system, directory, source, Thread::shared));
    settle();
    return actor;
  }
};

// The copies of an agent, in memory.
class HandCopies : public CommonFileCopies {
public:
  std::vector<CommonFileVersion> all() const override {
    std::vector<CommonFileVersion> versions;
    for (const auto& [name, content] : files) versions.push_back({name, sha256(content)});
    return versions;
  }
  Outcome write(const std::string& name, const std::string& content) override {
    if (is_full) return Error{"no space"};
    files[name] = content;
    return Done{};
  }
  Outcome remove(const std::string& name) override {
    files.erase(name);
    return Done{};
  }
  std::map<std::string, std::string> files;
  bool is_full = false;
};

class GivenCopiesOfCommonFiles : public ActorFixture {
public:
  HandCopies copies;
  Partner agent = partner();
  AgentContext context;

  GivenCopiesOfCommonFiles() {
    context.setup.directory = directory, context.setup.common_copies = &copies;
    context.agent = agent.as<AgentActor>();
  }
  CommonCopiesActor begin() {
    return keep(spawn_common_copies(system, std::make_shared<AgentContext>(context)));
  }
  Names asked() const {
    Names names;
    for (const auto& want : agent.all<WantCommonFile>()) names.push_back(want.name);
    return names;
  }
  static CommonFilesListed list(const std::vector<CommonFileContent>& files) {
    return {{versions_of(files)}};
  }
  static CommonFileCame came(const std::string& name, const std::string& content) {
    return {{name, {content}}};
  }
};

class GivenAnOfferOfCommonFiles : public ActorFixture {
public:
  Partner session = partner();
  CommonFileOffer offer;
  session::Register list;

  GivenAnOfferOfCommonFiles() { list.takes_common_files = true; }
  void change(std::vector<CommonFileContent> files) {
    offer.change({shared(std::move(files))});
    settle();
  }
  void open() {
    offer.open(session.as<SessionActor>(), list);
    settle();
  }
  void ask(const std::string& name) {
    offer.take(session::GetCommonFile{name});
    settle();
  }
};

} // namespace

TEST_F(GivenTheCommonFilesOfACell, WhenAHostFollowsThemThenItHearsNowAndWithEachChange) {
  source.news = {file("sge_request", "-j y\n")};
  const auto actor = begin();
  auto host = partner();
  tell_as(host, actor, FollowCommonFiles{});
  ASSERT_EQ(host.all<CommonFilesChanged>().size(), 1u);
  EXPECT_EQ(host.all<CommonFilesChanged>().back().files->front(), file("sge_request", "-j y\n"));
  pass(seconds(60));
  EXPECT_EQ(host.all<CommonFilesChanged>().size(), 1u) << "nothing has changed";
  EXPECT_GE(source.looks, 10) << "it looks every few seconds";
  source.news.emplace();
  pass(seconds(6));
  ASSERT_EQ(host.all<CommonFilesChanged>().size(), 2u);
  EXPECT_TRUE(host.all<CommonFilesChanged>().back().files->empty()) << "the file is gone";
}

TEST_F(GivenTheCommonFilesOfACell, WhenTheyCannotBeLookedAtThenNothingIsSaidOfThem) {
  const auto actor = begin();
  auto host = partner();
  tell_as(host, actor, FollowCommonFiles{});
  pass(seconds(20));
  EXPECT_TRUE(host.all<CommonFilesChanged>().empty()) << "agents would remove what they have";
}

TEST_F(GivenTheCommonFilesOfACell, WhenAHostFollowsTwiceOrEndsThenOthersHearAsBefore) {
  const auto actor = begin();
  auto host = partner(), gone = partner();
  for (int i = 0; i < 2; ++i) tell_as(host, actor, FollowCommonFiles{});
  tell_as(gone, actor, FollowCommonFiles{});
  caf::anon_send_exit(gone.actor, caf::exit_reason::kill);
  settle();
  source.news.emplace();
  pass(seconds(6));
  EXPECT_EQ(host.all<CommonFilesChanged>().size(), 1u);
  EXPECT_TRUE(gone.all<CommonFilesChanged>().empty());
}

TEST_F(GivenAnOfferOfCommonFiles, WhenASessionBeginsThenNamesAndHashesAreTold) {
  change({file("sge_qstat", "-u *\n"), file("sge_request", "-j y\n")});
  EXPECT_TRUE(session.all<Say>().empty()) << "nobody is there";
  open();
  ASSERT_EQ(said<session::CommonFiles>(session).size(), 1u);
  const auto told = said<session::CommonFiles>(session).front().files;
  EXPECT_EQ(told, (std::vector<CommonFileVersion>{{"sge_qstat", sha256("-u *\n")},
                                                  {"sge_request", sha256("-j y\n")}}));
  EXPECT_TRUE(said<session::CommonFile>(session).empty()) << "it may have them";
  change({});
  EXPECT_EQ(said<session::CommonFiles>(session).size(), 2u);
}

// An agent of an earlier version would end the session.
TEST_F(GivenAnOfferOfCommonFiles, WhenTheAgentDoesNotSayThatItKnowsThemThenItHearsNothing) {
  list.takes_common_files = false;
  change({file("sge_request", "-j y\n")});
  open();
  ask("sge_request");
  change({});
  EXPECT_TRUE(session.all<Say>().empty());
}

TEST_F(GivenAnOfferOfCommonFiles, WhenNothingIsKnownOfTheFilesThenTheAgentHearsNothing) {
  open();
  ask("sge_request");
  EXPECT_TRUE(session.all<Say>().empty());
}

TEST_F(GivenAnOfferOfCommonFiles, WhenAnAgentAsksInALoopThenItGetsEachFileOnceForEachList) {
  change({file("sge_request", "-j y\n")});
  open();
  for (int i = 0; i < 1000; ++i) ask("sge_request");
  ASSERT_EQ(said<session::CommonFile>(session).size(), 1u);
  EXPECT_EQ(said<session::CommonFile>(session).front().content.content, "-j y\n");
  for (const char* name : {"sge_qstat", "accounting", ""}) ask(name);
  EXPECT_EQ(said<session::CommonFile>(session).size(), 1u) << "the master has no such file";
  change({file("sge_request", "-j n\n")});
  for (int i = 0; i < 1000; ++i) ask("sge_request");
  ASSERT_EQ(said<session::CommonFile>(session).size(), 2u);
  EXPECT_EQ(said<session::CommonFile>(session).back().content.content, "-j n\n");
}

TEST_F(GivenAnOfferOfCommonFiles, WhenTheSessionHasEndedThenNothingMoreIsSaidInIt) {
  change({file("sge_request", "-j y\n")});
  open();
  offer.close();
  ask("sge_request");
  change({});
  EXPECT_EQ(session.all<Say>().size(), 1u);
}

// O12.11
TEST_F(GivenCopiesOfCommonFiles, WhenTheMasterHasOthersThenTheyComeOneAfterTheOther) {
  const std::vector<CommonFileContent> masters{file("sge_qstat", "-u *\n"),
                                               file("sge_request", "-j y\n")};
  copies.files = {{"sge_request", "old"}};
  const auto actor = begin();
  tell(actor, list(masters));
  EXPECT_EQ(asked(), Names({"sge_qstat"}));
  EXPECT_EQ(copies.files.at("sge_request"), "old") << "it counts until the new one is there";
  tell(actor, came("sge_qstat", "-u *\n"));
  EXPECT_EQ(asked(), Names({"sge_qstat", "sge_request"}));
  tell(actor, came("sge_request", "-j y\n"));
  EXPECT_EQ(copies.files, (std::map<std::string, std::string>{{"sge_qstat", "-u *\n"},
                                                              {"sge_request", "-j y\n"}}));
  tell(actor, list(masters));
  EXPECT_EQ(asked().size(), 2u) << "nothing differs";
}

// O12.12
TEST_F(GivenCopiesOfCommonFiles, WhenTheMasterHasOneNoLongerThenItIsRemoved) {
  copies.files = {{"sge_qstat", "-u *\n"}, {"sge_request", "-j y\n"}};
  tell(begin(), list({file("sge_request", "-j y\n")}));
  EXPECT_EQ(copies.files.size(), 1u);
  EXPECT_TRUE(copies.files.contains("sge_request"));
  EXPECT_TRUE(asked().empty());
}

TEST_F(GivenCopiesOfCommonFiles, WhenWhatComesIsNotWhatWasListedThenItIsNotKept) {
  copies.files = {{"sge_request", "old"}};
  const auto actor = begin();
  tell(actor, list({file("sge_request", "new")}));
  tell(actor, came("sge_qstat", "unasked"));
  tell(actor, came("../settings.toml", "unasked"));
  tell(actor, came("sge_request", "newer"));
  EXPECT_EQ(copies.files, (std::map<std::string, std::string>{{"sge_request", "old"}}));
  tell(actor, list({file("sge_request", "newer")}));
  tell(actor, came("sge_request", "newer"));
  EXPECT_EQ(copies.files.at("sge_request"), "newer");
}

TEST_F(GivenCopiesOfCommonFiles, WhenOneIsLargerThanAnyMayBeThenItIsNotKept) {
  const std::string much(largest_common_file + 1, 'x');
  const auto actor = begin();
  tell(actor, list({file("sge_request", much)}));
  tell(actor, came("sge_request", much));
  EXPECT_TRUE(copies.files.empty());
}

TEST_F(GivenCopiesOfCommonFiles, WhenAListComesBeforeTheAnswerThenTheAnswerMayBeOfBoth) {
  const auto actor = begin();
  tell(actor, list({file("sge_qstat", "1"), file("sge_request", "1")}));
  tell(actor, list({file("sge_qstat", "2"), file("sge_request", "1")}));
  tell(actor, came("sge_qstat", "2")); // the master gave what it had by then
  EXPECT_EQ(copies.files.at("sge_qstat"), "2");
  tell(actor, came("sge_request", "1"));
  EXPECT_EQ(copies.files.at("sge_request"), "1");
}

TEST_F(GivenCopiesOfCommonFiles, WhenOneCannotBeWrittenThenTheNextListAsksForItAgain) {
  const auto masters = list({file("sge_qstat", "1"), file("sge_request", "1")});
  const auto actor = begin();
  tell(actor, masters);
  copies.is_full = true;
  tell(actor, came("sge_qstat", "1"));
  copies.is_full = false;
  tell(actor, came("sge_request", "1"));
  EXPECT_EQ(copies.files.size(), 1u) << "the others come nevertheless";
  tell(actor, masters);
  EXPECT_EQ(asked(), Names({"sge_qstat", "sge_request", "sge_qstat"}));
}

TEST_F(GivenCopiesOfCommonFiles, WhenAnAgentKeepsNoneThenNobodyIsAsked) {
  context.setup.common_copies = nullptr;
  AgentParts parts(system, context);
  parts.tell_copies(session::CommonFiles{{{"sge_request", "1"}}});
  parts.tell_copies(session::CommonFile{"sge_request", {"1"}});
  settle();
  EXPECT_TRUE(agent.heard->empty());
}
