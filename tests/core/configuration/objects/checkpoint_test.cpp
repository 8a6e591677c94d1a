// Checkpointing environments: what is read and printed, what is refused, and that queues can list them.
#include "core/configuration/objects/printed_object.hpp"
#include "core/configuration/configuration.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

Result<CheckpointEnvironment> read(std::vector<Attribute> attributes, std::string name = "blcr") {
  auto object = template_of(ObjectKind::checkpoint, std::move(name));
  for (auto& [attribute, value] : attributes) object.set(attribute, value);
  return CheckpointEnvironment::parse(object);
}
std::string refusal(const std::string& attribute, const std::string& value) {
  const auto made = read({{attribute, value}});
  return made ? "" : made.what();
}

class GivenACellWithACheckpoint : public ::testing::Test {
public:
  Configuration configuration = Configuration::initial("root", "master");

  std::string change(ChangeVerb verb, ObjectKind kind, const std::string& name,
                     std::vector<Attribute> attributes = {}) {
    auto next = configuration.with({verb, {kind, name, std::move(attributes)}, {}});
    if (!next) return next.what();
    configuration = std::move(next->configuration);
    return "";
  }
  std::string list(const std::string& names) {
    return change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"ckpt_list", names}});
  }

protected:
  void SetUp() override {
    for (const char* host : {"h1", "h2"})
      ASSERT_EQ(change(ChangeVerb::add, ObjectKind::exec_host, host), "");
    ASSERT_EQ(
        change(ChangeVerb::modify, ObjectKind::host_group, "@allhosts", {{"hostlist", "h1 h2"}}),
        "");
    ASSERT_EQ(change(ChangeVerb::add, ObjectKind::checkpoint, "blcr"), "");
  }
};

} // namespace

// O6.1, O6.2, O6.3, O6.4, O6.5, O6.6
TEST(GivenACheckpoint, WhenItIsPrintedThenAttributesComeAsGridEngineHasThem) {
  EXPECT_EQ(print_object(template_of(ObjectKind::checkpoint, "template")),
            "ckpt_name          template\n"
            "interface          userdefined\n"
            "ckpt_command       NONE\n"
            "migr_command       NONE\n"
            "restart_command    NONE\n"
            "clean_command      NONE\n"
            "ckpt_dir           /tmp\n"
            "signal             NONE\n"
            "when               sx\n");
}

// O6.9, O6.12, O6.13
TEST(GivenACheckpoint, WhenItIsReadThenEachAttributeArrives) {
  const auto made = read({{"interface", "Application-Level"},
                          {"ckpt_command", "/opt/blcr/save $job_id $job_pid"},
                          {"migr_command", "/opt/blcr/move $ckpt_dir"},
                          {"restart_command", "/opt/blcr/again"},
                          {"clean_command", "none"},
                          {"ckpt_dir", "/scratch"},
                          {"signal", "SIGUSR1"},
                          {"when", "xmr"}});
  ASSERT_TRUE(made.ok()) << made.what();
  EXPECT_EQ(made->name, "blcr");
  EXPECT_EQ(made->interface, CheckpointInterface::application_level);
  EXPECT_EQ(made->checkpoint, "/opt/blcr/save $job_id $job_pid");
  EXPECT_EQ(made->migration, "/opt/blcr/move $ckpt_dir");
  EXPECT_EQ(made->restart, "/opt/blcr/again");
  EXPECT_EQ(made->cleaning, "");
  EXPECT_EQ(made->directory, "/scratch");
  EXPECT_EQ(made->signal, "SIGUSR1");
  EXPECT_EQ(made->when, "xmr");
  for (const char* interface :
       {"userdefined", "application-level", "transparent", "hibernator", "cpr", "CRAY-CKPT"})
    EXPECT_EQ(refusal("interface", interface), "");
  for (const char* signal : {"NONE", "none", "USR2", "10", "64", "usr1", "sigusr1"})
    EXPECT_EQ(refusal("signal", signal), "") << signal;
  EXPECT_EQ(read({{"when", "NONE"}})->when, "");
}

// O6.10, O6.11
TEST(GivenACheckpoint, WhenAnAttributeIsWrongThenItIsNamed) {
  EXPECT_EQ(refusal("interface", "blcr"),
            "attribute \"interface\": \"blcr\" is not userdefined, application-level, transparent, "
            "hibernator, cpr or cray-ckpt");
  for (const char* command : {"ckpt_command", "migr_command", "restart_command", "clean_command"}) {
    const auto begin = "attribute \"" + std::string(command) + "\": ";
    EXPECT_EQ(refusal(command, "save"),
              begin + "\"save\" is not NONE or [user@]/path with arguments");
    EXPECT_EQ(refusal(command, "root@/bin/save"),
              begin + "\"root@/bin/save\": it runs as the owner of the job, without user@");
    EXPECT_EQ(refusal(command, "/bin/save $job_id $pe_slots"),
              begin + "\"/bin/save $job_id $pe_slots\": there is no variable $pe_slots");
    EXPECT_EQ(refusal(command, "/bin/save $"), begin + "\"/bin/save $\": there is no variable $");
  }
  EXPECT_EQ(refusal("ckpt_dir", "scratch"),
            "attribute \"ckpt_dir\": \"scratch\" is not an absolute path");
  for (const char* signal : {"USR3", "0", "65", "-9", "SIG", "SIGSIGUSR1"})
    EXPECT_EQ(refusal("signal", signal),
              "attribute \"signal\": \"" + std::string(signal) +
                  "\" is not NONE, the name of a signal or a number from 1 to 64");
  for (const char* when : {"sxs", "n", "s m", "S"})
    EXPECT_EQ(refusal("when", when), "attribute \"when\": \"" + std::string(when) +
                                         "\" is not NONE or letters of s, m, x and r, each once");
  EXPECT_FALSE(read({}, "a b").ok());
}

TEST_F(GivenACellWithACheckpoint, WhenItIsRestoredOrFollowedThenItIsTheSame) {
  const auto restored = Configuration::restore(configuration.objects());
  ASSERT_TRUE(restored.ok()) << restored.what();
  EXPECT_TRUE(restored->checkpoints().contains("blcr"));
  auto follower = configuration;
  ASSERT_TRUE(follower.follow({{{ObjectKind::checkpoint, "blcr"}, std::nullopt}}).ok());
  EXPECT_TRUE(follower.checkpoints().empty());
}

// O1.20
TEST_F(GivenACellWithACheckpoint, WhenAQueueListsItThenItsInstancesHaveTheirOwnLists) {
  EXPECT_EQ(list("nosuch"),
            "cluster queue \"all.q\": checkpoint interface \"nosuch\" does not exist");
  EXPECT_EQ(list("NONE,[h2=blcr nosuch]"),
            "cluster queue \"all.q\": checkpoint interface \"nosuch\" does not exist");
  EXPECT_EQ(list("NONE,[h2=blcr]"), "");
  EXPECT_TRUE(configuration.instance("all.q@h1")->settings.ckpt_list.empty());
  EXPECT_EQ(configuration.instance("all.q@h2")->settings.ckpt_list,
            std::vector<std::string>{"blcr"});
}

// O0.15, C8.11
TEST_F(GivenACellWithACheckpoint, WhenAQueueListsItThenItCannotGo) {
  ASSERT_EQ(list("NONE,[h2=blcr]"), "");
  EXPECT_EQ(change(ChangeVerb::erase, ObjectKind::checkpoint, "blcr"),
            "denied: Ckpt \"blcr\" is still referenced in queue \"all.q\".");
  ASSERT_EQ(list("NONE"), "");
  EXPECT_EQ(change(ChangeVerb::erase, ObjectKind::checkpoint, "blcr"), "");
  EXPECT_TRUE(configuration.checkpoints().empty());
  EXPECT_EQ(change(ChangeVerb::erase, ObjectKind::checkpoint, "blcr"),
            "denied: checkpoint interface \"blcr\" does not exist");
}

// What a version stored that only knew ckpt_list NONE.
TEST_F(GivenACellWithACheckpoint, WhenAStoredQueueHasNoListThenItIsEmpty) {
  for (const bool is_there : {true, false}) {
    auto objects = configuration.objects();
    for (auto& object : objects) {
      if (object.kind != ObjectKind::cluster_queue) continue;
      std::erase_if(object.attributes, [](auto& one) { return one.name == "ckpt_list"; });
      if (is_there) object.attributes.push_back({"ckpt_list", "none"});
    }
    const auto restored = Configuration::restore(objects);
    ASSERT_TRUE(restored.ok()) << restored.what();
    EXPECT_TRUE(restored->instance("all.q@h1")->settings.ckpt_list.empty());
  }
}
