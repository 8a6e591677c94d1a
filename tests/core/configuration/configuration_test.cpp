#include "core/base/caller.hpp"
#include "core/configuration/foreign_attributes.hpp"
#include "core/configuration/objects/printed_object.hpp"
#include "core/configuration/configuration.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

Configuration with_hosts() {
  auto configuration = Configuration::initial("root", "master");
  for (const char* host : {"h1", "h2", "h3"})
    configuration =
        configuration.with({ChangeVerb::add, template_of(ObjectKind::exec_host, host), {}})
            ->configuration;
  return configuration;
}

ConfigurationChange change(ChangeVerb verb, ObjectKind kind, const std::string& name,
                           std::vector<Attribute> attributes = {}) {
  return {verb, {kind, name, std::move(attributes)}, {}};
}

} // namespace

TEST(GivenOverrides, WhenAHostIsAskedForThenItsOwnWinsAndGroupsMayBeAmbiguous) {
  auto configuration = with_hosts();
  for (const auto& [group, list] : {std::pair("@a", "h1 h2"), std::pair("@b", "h2 h3")})
    configuration =
        configuration
            .with(change(ChangeVerb::add, ObjectKind::host_group, group, {{"hostlist", list}}))
            ->configuration;
  const auto changed =
      configuration.with(change(ChangeVerb::add, ObjectKind::cluster_queue, "x.q",
                                {{"hostlist", "h1 h2 h3"}, {"slots", "1,[@a=4],[@b=8],[h3=2]"}}));
  ASSERT_TRUE(changed.ok()) << changed.what();
  const auto& next = changed->configuration;
  EXPECT_EQ(next.instance("x.q@h1")->settings.slots, 4);
  EXPECT_TRUE(next.instance("x.q@h2")->settings.ambiguous);
  EXPECT_EQ(next.instance("x.q@h2")->settings.slots, 1);
  EXPECT_EQ(next.instance("x.q@h3")->settings.slots, 2);
}

TEST(GivenAnObject, WhenPrintedAndReadThenItIsTheSame) {
  const auto configuration = with_hosts();
  for (const auto& object : configuration.objects()) {
    if (name_attribute(object.kind).empty() && object.kind != ObjectKind::complex) continue;
    const auto text = print_object(object);
    const auto read =
        object.kind == ObjectKind::complex ? parse_complex_table(text) : parse_attribute_file(text);
    ASSERT_TRUE(read.ok()) << text;
    if (object.kind != ObjectKind::complex)
      EXPECT_EQ(read->size(), object.attributes.size() + 1) << text;
    else EXPECT_EQ(read->size(), object.attributes.size());
  }
  EXPECT_EQ(parse_attribute_file("# c\nname a, \\\n   b\n")->front().value, "a, b");
}

TEST(GivenABadChange, WhenMadeThenItIsRefusedByName) {
  const auto configuration = with_hosts();
  const std::vector<std::pair<ConfigurationChange, std::string>> cases{
      {change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"slotz", "3"}}),
       "unknown attribute name \"slotz\""},
      {change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"calendar", "night"}}),
       "calendar \"night\" does not exist"},
      {change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"calendar", "night noon"}}),
       "attribute \"calendar\": \"night noon\" is not the name of one calendar, or NONE"},
      {change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q",
              {{"calendar", "NONE,[h1=night,noon]"}}),
       "\"night,noon\" is not the name of one calendar, or NONE"},
      {change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"suspend_method", "HALT"}}),
       "attribute \"suspend_method\": \"HALT\" is not NONE, a signal"},
      {change(ChangeVerb::add, ObjectKind::calendar, "c", {{"week", "mon=25-26"}}),
       "attribute \"week\": \"25\" is not a time of day"},
      {change(ChangeVerb::add, ObjectKind::calendar, "c", {{"year", "31.2.2026"}}),
       "\"31.2.2026\" is not a date"},
      {change(ChangeVerb::add, ObjectKind::project, "p", {{"acl", "nobody"}}),
       "userset \"nobody\" does not exist"},
      {change(ChangeVerb::add, ObjectKind::user, "u", {{"default_project", "nosuch"}}),
       "project \"nosuch\" does not exist"},
      {change(ChangeVerb::modify, ObjectKind::scheduler_configuration, "",
              {{"load_formula", "nosuch*2"}}),
       "\"nosuch\" is not a complex attribute"},
      {change(ChangeVerb::modify, ObjectKind::scheduler_configuration, "",
              {{"load_formula", "2*load_avg"}}),
       "a factor is written behind the name"},
      {change(ChangeVerb::modify, ObjectKind::scheduler_configuration, "",
              {{"job_load_adjustments", "np_load_avg=much"}}),
       "\"much\" is not a number"},
      {change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"slots", "many"}}),
       "\"many\""},
      {change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q",
              {{"slots", "1,[h1=2],[h1=3]"}}),
       "overridden twice"},
      {change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q",
              {{"slots", "1,[h1=2],[H1=3]"}}),
       "\"H1\" is overridden twice"},
      {change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"pe_list", "nosuch"}}),
       "\"nosuch\" does not exist"},
      {change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"hostlist", "h9"}}),
       "\"h9\" does not exist"},
      {change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"user_lists", "nobody"}}),
       "\"nobody\" does not exist"},
      {change(ChangeVerb::modify, ObjectKind::cluster_queue, "nosuch", {}), "does not exist"},
      {change(ChangeVerb::add, ObjectKind::cluster_queue, "all.q", {}), "already exists"},
      {change(ChangeVerb::add, ObjectKind::exec_host, "localhost", {}), "localhost"},
      {change(ChangeVerb::add, ObjectKind::exec_host, "a b", {}), "is not a host name"},
      {change(ChangeVerb::add, ObjectKind::host_group, "group", {}), "begins with @"},
      {change(ChangeVerb::add, ObjectKind::host_group, "@a/b", {}), "(contains '/')"}, // O2.22
      {change(ChangeVerb::add, ObjectKind::host_group, "@x", {{"hostlist", "@x"}}),
       "contains itself"},
      {change(ChangeVerb::modify, ObjectKind::parallel_environment, "mpi",
              {{"allocation_rule", "$banana"}}),
       "$banana"},
      {change(ChangeVerb::modify, ObjectKind::parallel_environment, "mpi",
              {{"allocation_rule", "0"}}),
       "allocation_rule"},
      {change(ChangeVerb::modify, ObjectKind::scheduler_configuration, "",
              {{"max_reservation", "5"}, {"default_duration", "0"}}),
       "requires valid default duration"},
      {change(ChangeVerb::modify, ObjectKind::scheduler_configuration, "",
              {{"params", "BACKFILL=wild"}}),
       "BACKFILL=wild"},
      {change(ChangeVerb::modify, ObjectKind::scheduler_configuration, "",
              {{"policy_hierarchy", "FF"}}),
       "\"FF\" is not NONE or letters of O, F and S, each once"},
      {change(ChangeVerb::modify, ObjectKind::parallel_environment, "mpi",
              {{"start_proc_args", "startmpi.sh $pe_hostfile"}}),
       "attribute \"start_proc_args\""},
      {change(ChangeVerb::modify, ObjectKind::complex, "", {{"slots", "s INT <= YES YES 1 1000"}}),
       "is built in"},
      {change(ChangeVerb::erase, ObjectKind::parallel_environment, "mpi"),
       "Parallel environment \"mpi\" is still referenced in queue \"all.q\"."},
      {change(ChangeVerb::erase, ObjectKind::host_group, "@allhosts"),
       "still referenced in cluster queue \"all.q\"."},
  };
  for (const auto& [wrong, reason] : cases) {
    const auto result = configuration.with(wrong);
    ASSERT_FALSE(result.ok()) << reason;
    EXPECT_NE(result.what().find(reason), std::string::npos) << result.what();
  }
}

TEST(GivenAccessLists, WhenAUserIsInTheExcludedOneThenNothingElseHelps) {
  auto configuration = Configuration::initial("root", "master");
  configuration =
      configuration
          .with({ChangeVerb::add_entries, {ObjectKind::userset, "team", {}}, {"alice", "@staff"}})
          ->configuration;
  configuration =
      configuration.with({ChangeVerb::add_entries, {ObjectKind::userset, "banned", {}}, {"bob"}})
          ->configuration;
  EXPECT_TRUE(configuration.allowed("alice", "", {"team"}, {}));
  EXPECT_TRUE(configuration.allowed("carol", "staff", {"team"}, {}));
  EXPECT_FALSE(configuration.allowed("dave", "users", {"team"}, {}));
  EXPECT_FALSE(configuration.allowed("bob", "staff", {"team"}, {"banned"}));
  EXPECT_TRUE(configuration.allowed("dave", "users", {}, {"banned"}));
}

TEST(GivenCommittedChanges, WhenFollowedThenTheConfigurationIsTheSameAsRestored) {
  auto leader = Configuration::initial("root", "master");
  auto follower = leader;
  const std::vector<std::vector<ConfigurationChange>> history{
      {change(ChangeVerb::add, ObjectKind::exec_host, "h1"),
       change(ChangeVerb::add, ObjectKind::exec_host, "h2"),
       change(ChangeVerb::add, ObjectKind::host_group, "@g", {{"hostlist", "h1 h2"}})},
      {change(ChangeVerb::add, ObjectKind::cluster_queue, "x.q",
              {{"hostlist", "@g"}, {"slots", "1,[h2=4]"}})},
      {change(ChangeVerb::add, ObjectKind::project, "p")},
      {change(ChangeVerb::modify, ObjectKind::host_group, "@g", {{"hostlist", "h2"}}),
       change(ChangeVerb::erase, ObjectKind::exec_host, "h1")},
      {change(ChangeVerb::erase, ObjectKind::project, "p")},
  };
  for (const auto& changes : history) {
    auto changed = leader.with_all(changes);
    ASSERT_TRUE(changed.ok()) << changed.what();
    leader = std::move(changed->configuration);
    Configuration::News news;
    for (const auto& object : changed->erased) news[{object.kind, object.name}] = std::nullopt;
    for (const auto& object : changed->stored) news[{object.kind, object.name}] = object;
    ASSERT_TRUE(follower.follow(news).ok());
  }
  EXPECT_EQ(follower.objects(), leader.objects());
  EXPECT_FALSE(follower.hosts().contains("h1"));
  EXPECT_TRUE(follower.projects().empty());
  ASSERT_EQ(follower.instances().size(), leader.instances().size());
  EXPECT_EQ(follower.instance("x.q@h1"), nullptr);
  ASSERT_NE(follower.instance("x.q@h2"), nullptr);
  EXPECT_EQ(follower.instance("x.q@h2")->settings.slots, 4);
}

TEST(GivenInstances, WhenHostsAndGroupsComeAndGoThenTheyAreThoseOfTheRestoredObjects) {
  auto configuration = with_hosts();
  const auto add = ChangeVerb::add, modify = ChangeVerb::modify, erase = ChangeVerb::erase;
  const auto host = ObjectKind::exec_host, group = ObjectKind::host_group;
  const auto queue = ObjectKind::cluster_queue;
  const std::vector<ConfigurationChange> history{
      change(add, group, "@a", {{"hostlist", "h1"}}),
      change(add, group, "@b", {{"hostlist", "h1 h2"}}),
      change(add, queue, "x.q", {{"hostlist", "@b"}, {"slots", "1,[@a=4],[h2=3]"}}),
      change(add, queue, "y.q", {{"hostlist", "@a @b"}, {"slots", "2,[h2=5]"}, {"seq_no", "1"}}),
      change(modify, group, "@a", {{"hostlist", "h1 h2 h3"}}),
      change(add, host, "h0", {{"complex_values", "slots=2"}}),
      change(modify, group, "@b", {{"hostlist", "h0 h1 h3"}}),
      change(modify, host, "h1", {{"complex_values", "slots=9"}}),
      change(modify, queue, "y.q", {{"slots", "7"}, {"seq_no", "0,[h1=2]"}}),
      change(modify, group, "@a", {{"hostlist", "h2"}}),
      change(add, ObjectKind::orphan, "y.q@h1", {{"slots", "6"}}),
      change(modify, group, "@b", {{"hostlist", "h0 h3"}}),
      change(modify, group, "@b", {{"hostlist", "h0 h1 h3"}}),
      change(erase, queue, "x.q"),
      change(add, queue, "x.q", {{"hostlist", "h1"}, {"slots", "8"}}),
  };
  for (const auto& one : history) {
    auto changed = configuration.with(one);
    ASSERT_TRUE(changed.ok()) << changed.what();
    configuration = std::move(changed->configuration);
    const auto restored = Configuration::restore(configuration.objects());
    ASSERT_TRUE(restored.ok()) << restored.what();
    const auto& instances = configuration.instances();
    ASSERT_EQ(instances.size(), restored->instances().size());
    for (std::size_t i = 0; i < instances.size(); ++i) {
      const auto &found = instances[i], &expected = restored->instances()[i];
      EXPECT_EQ(found.name.text(), expected.name.text());
      EXPECT_EQ(found.settings.slots, expected.settings.slots) << found.name.text();
      EXPECT_EQ(found.settings.seq_no, expected.settings.seq_no) << found.name.text();
      EXPECT_EQ(found.settings.ambiguous, expected.settings.ambiguous) << found.name.text();
      EXPECT_EQ(found.orphaned, expected.orphaned) << found.name.text();
      EXPECT_EQ(found.host_index, expected.host_index) << found.name.text();
      EXPECT_EQ(found.host_limits_slots, expected.host_limits_slots) << found.name.text();
      EXPECT_EQ(configuration.instance(found.name), &found);
    }
  }
}

TEST(GivenValuesWithoutEffect, WhenAChangeWritesThemThenItIsRefused) {
  const auto configuration = with_hosts();
  auto slots = template_of(ObjectKind::complex, "");
  slots.set("slots", "s INT <= YES NO 1 1000");
  const std::vector<std::pair<ConfigurationChange, std::string>> cases{
      {change(ChangeVerb::modify, ObjectKind::scheduler_configuration, "",
              {{"halftime", "banana"}}),
       "\"halftime\": \"banana\" is not a number"},
      {change(ChangeVerb::modify, ObjectKind::scheduler_configuration, "",
              {{"halflife_decay_list", "cpu:mem=3"}}),
       "\"halflife_decay_list\": \"cpu:mem=3\" is not none or"},
      {change(ChangeVerb::modify, ObjectKind::parallel_environment, "mpi",
              {{"accounting_summary", "banana"}}),
       "attribute \"accounting_summary\""},
      {change(ChangeVerb::modify, ObjectKind::scheduler_configuration, "",
              {{"policy_hierarchy", "FOS"}}),
       "\"FOS\" is not built yet, only with O before F"},
      {change(ChangeVerb::modify, ObjectKind::scheduler_configuration, "",
              {{"weight_tickets_share", "100"}}),
       "\"100\": there is no share tree, so it must be 0"},
      {change(ChangeVerb::modify, ObjectKind::exec_host, "h1", {{"usage_scaling", "vmem=2"}}),
       "\"vmem\" is not cpu, mem or io"},
      {change(ChangeVerb::modify, ObjectKind::exec_host, "h1", {{"load_scaling", "arch=2"}}),
       "\"arch\" is a text: there is no factor for it"},
      {change(ChangeVerb::modify, ObjectKind::exec_host, "h1", {{"report_variables", "nosuch"}}),
       "complex attribute \"nosuch\" does not exist"},
      {change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q",
              {{"complex_values", "NONE,[h1=slots=3]"}}),
       "the slots of a queue are its attribute slots"},
      {change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q",
              {{"load_thresholds", "arch=x"}}),
       "\"arch\" is a text: there is no threshold for it"},
      {{ChangeVerb::modify, slots, {}}, "complex attribute \"slots\" is built in"},
      {change(ChangeVerb::modify, ObjectKind::global_configuration, "",
              {{"qmaster_params", "SIMULATE_EXECDS=1"}}),
       "\"SIMULATE_EXECDS=1\" is not built yet"},
      {change(ChangeVerb::modify, ObjectKind::global_configuration, "",
              {{"execd_params", "ACCT_RESERVED_USAGE=maybe"}}),
       "\"ACCT_RESERVED_USAGE=maybe\""},
      {change(ChangeVerb::add, ObjectKind::exec_host, "H1"), "exechost \"H1\" already exists"}};
  for (const auto& [change, expected] : cases) {
    const auto changed = configuration.with(change);
    ASSERT_FALSE(changed.ok()) << expected;
    EXPECT_NE(changed.what().find(expected), std::string::npos) << changed.what();
  }
}

TEST(GivenParamsOfTheScheduler, WhenMonitorHasNoValueThenItIsOn) {
  const auto configuration = with_hosts();
  const auto with = [&](const char* params) {
    return configuration.with(
        change(ChangeVerb::modify, ObjectKind::scheduler_configuration, "", {{"params", params}}));
  };
  EXPECT_TRUE(with("MONITOR")->configuration.scheduler().monitor);
  EXPECT_TRUE(with("PROFILE=0").ok());
  EXPECT_TRUE(with("PROFILE=1,JC_FILTER=true,PE_RANGE_ALG=auto").ok());
  EXPECT_FALSE(with("PROFIL=1").ok());
}

TEST(GivenComplexes, WhenTextsAreAskedForThenExpressionsMatchAllTypesOfThem) {
  const auto complex = [](const std::string& type) {
    return *parse_complex({"feat", "f " + type + " == YES NO NONE 0"});
  };
  for (const char* type : {"STRING", "CSTRING", "RESTRING"})
    EXPECT_TRUE(complex(type).satisfies("abc", "a*|x")) << type;
  EXPECT_FALSE(complex("STRING").satisfies("abc", "ABC"));
  EXPECT_TRUE(complex("CSTRING").satisfies("abc", "A*"));
}

TEST(GivenAmounts, WhenTheyAreShownAsTypedThenTheyAreShort) {
  const auto shown = [](const std::string& type, const std::string& typed) {
    const auto complex = *parse_complex({"x", "x " + type + " <= YES YES 0 0"});
    return complex.type_amount(*complex.amount(typed));
  };
  EXPECT_EQ(shown("MEMORY", "2G"), "2G");
  EXPECT_EQ(shown("MEMORY", "1536K"), "1536K");
  EXPECT_EQ(shown("MEMORY", "1000"), "1000");
  EXPECT_EQ(shown("DOUBLE", "1.5"), "1.5");
  EXPECT_EQ(shown("DOUBLE", "10"), "10");
  EXPECT_EQ(shown("TIME", "600"), "0:10:0");
  EXPECT_EQ(shown("INT", "7"), "7");
}

TEST(GivenAConfigurationOfGridEngine, WhenLoadedThenWhatIsOffIsKeptAndWhatIsOnIsRefused) {
  const auto configuration = with_hosts();
  const auto load = [&](ObjectKind kind, const std::string& name, std::vector<Attribute> values) {
    return configuration.with(change(ChangeVerb::modify, kind, name, std::move(values)));
  };
  const auto queue = load(ObjectKind::cluster_queue, "all.q",
                          {{"priority", "0"},
                           {"ckpt_list", "NONE"},
                           {"owner_list", "NONE"},
                           {"subordinate_list", "none"},
                           {"min_cpu_interval", "00:05:00"},
                           {"initial_state", "default"}});
  ASSERT_TRUE(queue.ok()) << queue.what();
  const auto* stored = queue->configuration.find(ObjectKind::cluster_queue, "all.q");
  ASSERT_NE(stored->find("initial_state"), nullptr);
  EXPECT_EQ(*stored->find("subordinate_list"), "none");
  EXPECT_TRUE(load(ObjectKind::exec_host, "h1", {{"load_values", "arch=lx-amd64"}}).ok());
  EXPECT_TRUE(load(ObjectKind::parallel_environment, "mpi",
                   {{"qsort_args", "NONE"},
                    {"ign_sreq_on_mhost", "FALSE"},
                    {"master_forks_slaves", "FALSE"},
                    {"daemon_forks_slaves", "FALSE"}})
                  .ok());
  // Its script has the limits of all its slots there as it is (process_limits.hpp).
  EXPECT_TRUE(
      load(ObjectKind::parallel_environment, "mpi", {{"master_forks_slaves", "TRUE"}}).ok());
  EXPECT_FALSE(
      load(ObjectKind::parallel_environment, "mpi", {{"master_forks_slaves", "maybe"}}).ok());
  EXPECT_FALSE(
      load(ObjectKind::parallel_environment, "mpi", {{"daemon_forks_slaves", "maybe"}}).ok());
  const auto daemons =
      load(ObjectKind::parallel_environment, "mpi", {{"daemon_forks_slaves", "TRUE"}});
  ASSERT_TRUE(daemons.ok()) << daemons.what();
  EXPECT_TRUE(daemons->configuration.environment("mpi")->daemon_forks_slaves);
  EXPECT_FALSE(configuration.environment("mpi")->daemon_forks_slaves);
  EXPECT_FALSE(why_unused(ObjectKind::parallel_environment, {"daemon_forks_slaves", "TRUE"}));
  EXPECT_TRUE(why_unused(ObjectKind::parallel_environment, {"daemon_forks_slaves", "FALSE"}));
  EXPECT_TRUE(load(ObjectKind::global_configuration, "",
                   {{"execd_spool_dir", "/var/spool/sge"},
                    {"enforce_user", "auto"},
                    {"rsh_daemon", "builtin"},
                    {"finished_jobs_max", "0"},
                    {"port_range", "none"},
                    {"execd_params", "KEEP_ACTIVE=false INHERIT_ENV=true"},
                    {"qmaster_params", "ENABLE_RESCHEDULE_KILL=0"},
                    {"login_shells", "sh,bash,csh,tcsh,ksh"}})
                  .ok());
  EXPECT_FALSE(load(ObjectKind::cluster_queue, "all.q", {{"priority", "21"}}).ok());
  EXPECT_FALSE(load(ObjectKind::global_configuration, "", {{"jsv_url", "script:x"}}).ok());
  EXPECT_FALSE(
      load(ObjectKind::global_configuration, "", {{"execd_params", "USE_QSUB_GID=true"}}).ok());
  EXPECT_EQ(*template_of(ObjectKind::global_configuration, "").find("enforce_user"), "auto");
  EXPECT_FALSE(load(ObjectKind::parallel_environment, "mpi", {{"priority", "0"}}).ok());
}

// docs/spec/objects.md O1.31
TEST(GivenOwnersOfAQueue, WhenOneIsNoUserThenTheListIsRefused) {
  const auto owned = [](const char* owners) {
    return with_hosts().with(
        change(ChangeVerb::modify, ObjectKind::cluster_queue, "all.q", {{"owner_list", owners}}));
  };
  for (const char* good : {"NONE", "alice bob", "alice,[h1=bob,carol-1]", "1000,x.y"})
    EXPECT_TRUE(owned(good).ok()) << good << ": " << owned(good).what();
  for (const char* bad : {"alice bob@h1", "@staff", "NONE,[h1=a:b]", "alice,b*"})
    EXPECT_FALSE(owned(bad).ok()) << bad;
  EXPECT_EQ(owned("alice,bob@h1").what(), "cluster queue \"all.q\": attribute \"owner_list\": "
                                          "\"bob@h1\" is not the name of a user");
}

// docs/spec/objects.md O8.3
TEST(GivenAUsersetWithAGroupsNumber, WhenSomebodysPrimaryGroupHasItThenTheyAreIn) {
  const auto numbers = with_hosts().with(
      {ChangeVerb::add_entries, {ObjectKind::userset, "arusers", {}}, {"@100", "@staff"}});
  ASSERT_TRUE(numbers.ok()) << numbers.what();
  const auto is_in = [&](const std::string& group, std::int64_t gid) {
    Caller caller;
    caller.user = "alice", caller.group = group, caller.gid = gid;
    return numbers->configuration.is_in_userset("arusers", "alice", primary_group(caller));
  };
  EXPECT_TRUE(is_in("users", 100));
  EXPECT_FALSE(is_in("users", 1100));
  EXPECT_TRUE(is_in("staff", 50));
  EXPECT_TRUE(is_in("staff", nobody)) << "the name is enough where it is all that is known";
  EXPECT_FALSE(is_in("users", nobody));
  EXPECT_FALSE(is_in("users@staff", 7)) << "a directory's name of a group is no number";
}

TEST(GivenAComplexTableOfGridEngine, WhenATextIsStringThereThenItIsTaken) {
  auto table = template_of(ObjectKind::complex, "");
  table.set("qname", "q STRING == YES NO NONE 0");
  EXPECT_TRUE(ComplexTable::parse(table).ok());
  table.set("qname", "q INT == YES NO 0 0");
  EXPECT_FALSE(ComplexTable::parse(table).ok());
}

TEST(GivenHostNames, WhenTheyDifferInCaseThenTheyAreTheSameHost) {
  const auto changed = with_hosts().with(
      change(ChangeVerb::modify, ObjectKind::host_group, "@allhosts", {{"hostlist", "H1,h2"}}));
  ASSERT_TRUE(changed.ok()) << changed.what();
  EXPECT_NE(changed->configuration.instance("all.q@h1"), nullptr);
}

// O0.4
TEST(GivenHostNames, WhenCommasSeparateThemThenTheListHasBlanks) {
  for (const auto& [given, kept] : {std::pair("@allhosts,h1", "@allhosts h1"),
                                    {"h1", "h1"},
                                    {"h1, h2,h3", "h1 h2 h3"},
                                    {"NONE", "NONE"}}) {
    const auto changed = with_hosts().with(
        change(ChangeVerb::add, ObjectKind::cluster_queue, "x.q", {{"hostlist", given}}));
    ASSERT_TRUE(changed.ok()) << changed.what();
    EXPECT_EQ(*changed->stored.front().find("hostlist"), kept);
  }
}

TEST(GivenHostNames, WhenAnOverrideWritesOneInOtherLettersThenItIsThatHosts) {
  const auto changed = with_hosts().with(change(ChangeVerb::add, ObjectKind::cluster_queue, "x.q",
                                                {{"hostlist", "h1 h2"}, {"slots", "4,[H1=1]"}}));
  ASSERT_TRUE(changed.ok()) << changed.what();
  EXPECT_EQ(changed->configuration.instance("x.q@h1")->settings.slots, 1);
  EXPECT_EQ(changed->configuration.instance("x.q@h2")->settings.slots, 4);
}

TEST(GivenAmountsBelowNothing, WhenAHostOrAQueueOffersThemThenTheyAreRefused) {
  auto table = template_of(ObjectKind::complex, "");
  table.set("dbl", "dbl DOUBLE <= YES YES 0 0");
  const auto configuration = with_hosts().with({ChangeVerb::modify, table, {}})->configuration;
  for (const auto& [kind, name] :
       {std::pair(ObjectKind::exec_host, "h1"), std::pair(ObjectKind::cluster_queue, "all.q")}) {
    const auto offer = [&, kind = kind, name = name](const char* amount) {
      return configuration.with(change(ChangeVerb::modify, kind, name,
                                       {{"complex_values", std::string("dbl=") + amount}}));
    };
    const auto refused = offer("-4.5");
    ASSERT_FALSE(refused.ok()) << name;
    EXPECT_NE(refused.what().find("\"dbl=-4.5\": it cannot be negative"), std::string::npos)
        << refused.what();
    EXPECT_TRUE(offer("4.5").ok()) << name;
  }
  table.set("dbl", "dbl DOUBLE <= YES YES -1 0");
  const auto refused = configuration.with({ChangeVerb::modify, table, {}});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.what().find("its default is below 0"), std::string::npos) << refused.what();
}

// O3.7
TEST(GivenComplexes, WhenADefaultIsNoValueOfItsTypeThenItIsRefused) {
  const auto with_default = [](const std::string& type, const std::string& value) {
    auto table = template_of(ObjectKind::complex, "");
    table.set("own", "own " + type + " == YES NO " + value + " 0");
    return with_hosts().with({ChangeVerb::modify, table, {}});
  };
  const auto refused = with_default("INT", "banana");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.what().find("complex attribute \"own\": default: "), std::string::npos)
      << refused.what();
  for (const auto& [type, value] :
       {std::pair("INT", "7"), std::pair("DOUBLE", "-0.5"), std::pair("TIME", "0:10:0"),
        std::pair("BOOL", "FALSE"), std::pair("MEMORY", "NONE"), std::pair("STRING", "banana")})
    EXPECT_TRUE(with_default(type, value).ok()) << type;
}

// O0.5: older versions took such names; each NONE of a queue counted as a reference to them.
TEST(GivenAStoredObjectCalledNone, WhenItIsDeletedThenNothingRefersToIt) {
  auto objects = with_hosts().objects();
  for (const auto kind : {ObjectKind::calendar, ObjectKind::parallel_environment,
                          ObjectKind::checkpoint, ObjectKind::project, ObjectKind::userset})
    objects.push_back(template_of(kind, "NONE"));
  const auto stored = Configuration::restore(objects);
  ASSERT_TRUE(stored.ok()) << stored.what();
  for (const auto kind : {ObjectKind::calendar, ObjectKind::parallel_environment,
                          ObjectKind::checkpoint, ObjectKind::project, ObjectKind::userset}) {
    const auto erased = stored->with(change(ChangeVerb::erase, kind, "NONE"));
    ASSERT_TRUE(erased.ok()) << erased.what();
    EXPECT_EQ(erased->configuration.find(kind, "NONE"), nullptr);
  }
}
