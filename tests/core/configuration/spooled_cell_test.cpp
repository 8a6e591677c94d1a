// What a real Grid Engine kept and printed (tests/gridengine) becomes this cell's configuration, and is
// printed again as it was (O0.7, O0.8).
#include "core/configuration/spooled_cell.hpp"

#include "core/configuration/foreign_attributes.hpp"
#include "core/configuration/objects/printed_object.hpp"
#include "core/configuration/objects/quota_file.hpp"
#include "core/text/words.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>

namespace almanac {
namespace {

namespace fs = std::filesystem;

const fs::path gridengine(ALMANAC_GRIDENGINE);

std::string content(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<SpooledFile> cell_files() {
  std::vector<SpooledFile> files;
  for (const char* folder : {"common", "qmaster"})
    for (const auto& entry : fs::recursive_directory_iterator(gridengine / "cell" / folder))
      if (entry.is_regular_file())
        files.push_back({fs::relative(entry.path(), gridengine / "cell" / folder).string(),
                         content(entry.path())});
  std::sort(files.begin(), files.end(),
            [](const auto& a, const auto& b) { return a.place < b.place; });
  std::erase_if(files, [](const auto& file) { return !is_spooled_place(file.place); });
  return files;
}

std::string& text_of(std::vector<SpooledFile>& files, const std::string& place) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](auto& file) { return file.place == place; });
  EXPECT_NE(found, files.end()) << place;
  return found->text;
}

std::vector<ConfigurationChange> changes_of(const SpooledCell& cell) {
  std::vector<ConfigurationChange> changes;
  for (const auto& one : cell.changes) changes.push_back(one.change);
  return changes;
}

class GivenACellOfGridEngine : public testing::Test {
protected:
  Configuration here = Configuration::initial("root", "head");
  std::vector<SpooledFile> files = cell_files();

  Configuration imported() {
    const auto cell = read_spooled_cell(here, files);
    auto next = here.with_all(changes_of(cell));
    EXPECT_TRUE(next.ok()) << next.what();
    return next ? next->configuration : here;
  }
};

// A dump without its broken lines, and which attributes it has.
struct Dump {
  std::string text;
  std::set<std::string> names;
};
Dump dump(const std::string& name) {
  auto text = content(gridengine / "dumps" / name);
  text = std::regex_replace(text, std::regex(", *\\\\\n *"), ",");
  text = std::regex_replace(text, std::regex(" *\\\\\n *"), " ");
  std::set<std::string> names;
  for (const auto& line : split(text, '\n'))
    if (const auto all = words(line, " "); !all.empty()) names.insert(all.front());
  return {text, names};
}

// What is printed, without attributes that Grid Engine has not, and without headers of its own.
std::string printed_like(const Dump& dump, const ConfigurationObject& object) {
  std::string text;
  for (const auto& line : split(print_object(arranged(object)), '\n'))
    if (const auto all = words(line, " "); !all.empty() && dump.names.contains(all.front()))
      text += line + "\n";
  return text;
}

std::string without_header(std::string text) {
  if (text.starts_with('#')) text.erase(0, text.find('\n') + 1);
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

TEST_F(GivenACellOfGridEngine, WhenItsFilesAreReadThenAllOfThemAreTaken) {
  const auto cell = read_spooled_cell(here, files);
  for (const auto& error : cell.errors) ADD_FAILURE() << error.what;
  const auto tried = try_spooled_cell(here, cell.changes);
  for (const auto& [change, error] : tried.refused) ADD_FAILURE() << error.what;
  EXPECT_EQ(tried.accepted.size(), cell.changes.size());
  const auto next = imported();
  EXPECT_EQ(next.instance("big.q@node01")->settings.slots, 4);
  EXPECT_EQ(next.instance("low.q@node01")->settings.priority, 5);
  EXPECT_EQ(next.instance("low.q@node02")->settings.initial_state, InitialState::disabled);
  EXPECT_EQ(next.instance("low.q@node02")->settings.subordinates.most_slots, 2);
  EXPECT_EQ(next.instance("low.q@node02")->settings.suspend_method.signal, 15);
  EXPECT_EQ(next.global().min_uid, 1000);
  EXPECT_EQ(next.global().min_gid, 1000);
  EXPECT_EQ(next.on("node01").prolog, "/usr/local/bin/prolog $job_id");
  EXPECT_EQ(next.on("node02").prolog, "");
  EXPECT_TRUE(next.scheduler().load_before_seq_no);
  EXPECT_EQ(next.load_factor("node02", "np_load_avg"), 2'000'000);
  EXPECT_TRUE(next.is_operator("bob"));
  EXPECT_TRUE(next.is_admin_host("sgehost"));
  EXPECT_TRUE(next.is_submit_host("node01"));
  EXPECT_EQ(next.quota_sets().size(), 1u);
  EXPECT_EQ(next.find(ObjectKind::exec_host, "template"), nullptr);
}

// As spool files of other versions have it: what was used by project, and by jobs that are not over.
TEST_F(GivenACellOfGridEngine, WhenUsageIsSpooledByProjectThenItIsLeftOut) {
  const std::string usage =
      "project alpha cpu=1.5,mem=0.2 cpu=3,mem=1;\ndebited_job_usage 7 cpu=2;\n"
      "version 3\n";
  text_of(files, "users/bob") += usage;
  text_of(files, "projects/alpha") += usage;
  files.push_back({"users/alice", "name alice\noticket 5\nfshare 0\ndelete_time 0\nusage NONE\n"
                                  "usage_time_stamp 0\nlong_term_usage NONE\nproject NONE\n"
                                  "default_project NONE\ndebited_job_usage NONE\n"});
  const auto cell = read_spooled_cell(here, files);
  EXPECT_TRUE(cell.errors.empty());
  const auto next = imported();
  EXPECT_EQ(next.user_called("bob").default_project, "alpha");
  EXPECT_EQ(next.user_called("alice").override_tickets, 5);
  EXPECT_EQ(next.find(ObjectKind::user, "alice")->find("project"), nullptr);
}

TEST_F(GivenACellOfGridEngine, WhenItIsReadAgainThenNothingIsLeftToDo) {
  const auto next = imported();
  std::erase_if(files, [](auto& file) { return file.place.starts_with("resource_quotas/"); });
  EXPECT_TRUE(read_spooled_cell(next, files).changes.empty());
}

TEST_F(GivenACellOfGridEngine, WhenFilesAreWrongThenEachIsNamedAndTheOthersAreTaken) {
  text_of(files, "exec_hosts/node02") += "bogus 1\nload_scaling arch=2\n";
  text_of(files, "cqueues/low.q") += "shares 7\n";
  text_of(files, "sched_configuration") += "weight_tickets_share_ 5\n";
  text_of(files, "pe/mpi") = "slots 4\n";
  files.push_back({"sharetree", "id=0\nname=Root\n"});
  const auto cell = read_spooled_cell(here, files);
  ASSERT_EQ(cell.errors.size(), 2u);
  EXPECT_EQ(cell.errors[0].what, "pe/mpi: attribute \"pe_name\" is missing");
  EXPECT_EQ(cell.errors[1].what,
            "exec_hosts/node02: attribute \"load_scaling\" appears more than once");
  EXPECT_EQ(cell.notes.size(), 1u);
  const auto tried = try_spooled_cell(here, cell.changes);
  std::string why;
  for (const auto& [change, error] : tried.refused) why += error.what + "\n";
  EXPECT_NE(why.find("unknown attribute name \"shares\""), std::string::npos) << why;
  EXPECT_NE(why.find("unknown attribute name \"weight_tickets_share_\""), std::string::npos) << why;
  EXPECT_NE(why.find("host \"node02\" is not an exec host"), std::string::npos) << why;
  std::vector<ConfigurationChange> accepted;
  for (const auto i : tried.accepted) accepted.push_back(cell.changes[i].change);
  EXPECT_TRUE(here.with_all(accepted).ok());
}

TEST_F(GivenACellOfGridEngine, WhenADumpOfItIsLoadedThenItIsPrintedAsItWas) {
  struct Case {
    const char* file;
    ObjectKind kind;
    const char* name;
  };
  for (const auto& [file, kind, name] :
       {Case{"conf", ObjectKind::global_configuration, ""},
        Case{"local_conf", ObjectKind::local_configuration, "node01"},
        Case{"sched_conf", ObjectKind::scheduler_configuration, ""},
        Case{"queue", ObjectKind::cluster_queue, "all.q"},
        Case{"queue2", ObjectKind::cluster_queue, "big.q"},
        Case{"ckpt", ObjectKind::checkpoint, "blcr"},
        Case{"calendar", ObjectKind::calendar, "night"},
        Case{"host", ObjectKind::exec_host, "node01"},
        Case{"host2", ObjectKind::exec_host, "node02"},
        Case{"host_global", ObjectKind::exec_host, "global"},
        Case{"hostgroup", ObjectKind::host_group, "@allhosts"},
        Case{"project", ObjectKind::project, "alpha"}, Case{"user", ObjectKind::user, "bob"},
        Case{"userset", ObjectKind::userset, "chem"},
        Case{"userset_dept", ObjectKind::userset, "defaultdepartment"},
        Case{"pe_make", ObjectKind::parallel_environment, "make"},
        Case{"pe_mpi", ObjectKind::parallel_environment, "mpi"},
        Case{"pe_smp", ObjectKind::parallel_environment, "smp"},
        Case{"pe2", ObjectKind::parallel_environment, "12way"}}) {
    const auto loaded = dump(file);
    const auto attributes = parse_attribute_file(content(gridengine / "dumps" / file));
    ASSERT_TRUE(attributes.ok()) << file << ": " << attributes.what();
    const auto next = imported().with({ChangeVerb::modify, {kind, name, *attributes}, {}});
    ASSERT_TRUE(next.ok()) << file << ": " << next.what();
    auto shown = printed_like(loaded, *next->configuration.find(kind, name));
    // A line that was broken has a blank more.
    shown = std::regex_replace(shown, std::regex("\\], \\["), "],[");
    EXPECT_EQ(shown, without_header(loaded.text)) << file;
  }
}

TEST_F(GivenACellOfGridEngine, WhenATableOfComplexesIsLoadedThenItIsPrintedAsItWas) {
  for (const char* file : {"complex", "complex2"}) {
    const auto text = content(gridengine / "dumps" / file);
    const auto rows = parse_complex_table(text);
    ASSERT_TRUE(rows.ok()) << rows.what();
    const auto next = here.with({ChangeVerb::modify, {ObjectKind::complex, "", *rows}, {}});
    ASSERT_TRUE(next.ok()) << next.what();
    EXPECT_EQ(print_object(*next->configuration.find(ObjectKind::complex, "")), text) << file;
  }
}

TEST_F(GivenACellOfGridEngine, WhenItsQuotasAreLoadedThenTheyArePrintedAsTheyWere) {
  const auto text = content(gridengine / "dumps" / "rqs");
  const auto sets = parse_quota_sets(text);
  ASSERT_TRUE(sets.ok()) << sets.what();
  // A description that needs no quotes has none here.
  EXPECT_EQ(print_object(sets->front()),
            std::regex_replace(text, std::regex("description  \"x\""), "description  x"));
}

// C8.25
TEST_F(GivenACellOfGridEngine, WhenAnAttributeHasNoEffectThenItIsSaidWhy) {
  const auto conf = ObjectKind::global_configuration;
  EXPECT_EQ(why_unused(conf, {"execd_spool_dir", "/x"}), "an agent has a folder of its own");
  EXPECT_EQ(why_unused(conf, {"mailer", "/x"}), std::nullopt);
  EXPECT_EQ(why_unused(ObjectKind::local_configuration, {"mailer", "/x"}),
            "the master sends all mail");
  EXPECT_EQ(why_unused(conf, {"qmaster_params", "MAX_DYN_EC=5,FORBID_RESCHEDULE=1"}),
            "nothing here looks at MAX_DYN_EC");
  EXPECT_EQ(why_unused(conf, {"qmaster_params", "FORBID_RESCHEDULE=1"}), std::nullopt);
  const auto sched = ObjectKind::scheduler_configuration;
  EXPECT_EQ(why_unused(sched, {"halftime", "168"}), std::nullopt) << "the usual value";
  EXPECT_EQ(why_unused(sched, {"halftime", "24"}), "there is no share tree");
  const auto queue = ObjectKind::cluster_queue; // O1.18
  EXPECT_EQ(why_unused(queue, {"processors", "UNDEFINED"}), std::nullopt);
  EXPECT_EQ(why_unused(queue, {"processors", "UNDEFINED,[n1=0-3]"}),
            "jobs are bound by qsub -binding");
}

TEST_F(GivenACellOfGridEngine, WhenAnAttributeWithoutEffectIsSenselessThenItIsRefused) {
  const auto load = [&](const char* name, const char* value) {
    return here
        .with({ChangeVerb::modify, {ObjectKind::global_configuration, "", {{name, value}}}, {}})
        .ok();
  };
  for (const auto& [name, good, bad] :
       {std::tuple("gid_range", "20000-20100,30000", "many"),
        std::tuple("gid_range", "none", "30-20"), std::tuple("finished_jobs", "0", "-1"),
        std::tuple("execd_spool_dir", "/var/spool", "spool"),
        std::tuple("rsh_daemon", "/usr/sbin/sshd -i", "sshd"),
        std::tuple("qlogin_command", "builtin", "telnet"),
        std::tuple("token_extend_time", "24:0:0", "soon"),
        std::tuple("auto_user_delete_time", "86400", "later"),
        std::tuple("shepherd_cmd", "none", "shepherd"), std::tuple("jsv_url", "none", "script:x"),
        std::tuple("load_sensor", "/site/sensor,/site/other", "sensor"),
        std::tuple("login_shells", "sh,bash", "/bin/sh"), std::tuple("min_gid", "100", "users"),
        std::tuple("auto_user_fshare", "10", "x"),
        std::tuple("auto_user_default_project", "none", "nosuch")}) {
    EXPECT_TRUE(load(name, good)) << name << " " << good;
    EXPECT_FALSE(load(name, bad)) << name << " " << bad;
  }
}

// C8.44: all that is wrong with a file, not the first thing only.
TEST_F(GivenACellOfGridEngine, WhenAFileHasManyErrorsThenAllAreFound) {
  const auto errors = imported().errors_of(
      {{ChangeVerb::modify,
        {ObjectKind::cluster_queue,
         "big.q",
         {{"priority", "99"}, {"pe_list", "nosuch"}, {"calendar", "never"}, {"slotz", "1"}}},
        {}}});
  std::string all;
  for (const auto& error : errors) all += error.what + "\n";
  for (const char* expected :
       {"\"99\" is not a number from -20 to 20", "parallel environment \"nosuch\" does not exist",
        "calendar \"never\" does not exist", "unknown attribute name \"slotz\""})
    EXPECT_NE(all.find(expected), std::string::npos) << all;
}

// C8.44: of a list all elements, also where they refer to what is not there.
TEST_F(GivenACellOfGridEngine, WhenElementsOfAListAreWrongThenAllAreFound) {
  const auto cell = imported();
  const auto refusals = [&](ChangeVerb verb, ObjectKind kind, const char* name,
                            const char* attribute, const char* value) {
    std::string all;
    for (const auto& error : cell.errors_of({{verb, {kind, name, {{attribute, value}}}, {}}}))
      all += error.what + "\n";
    return all;
  };
  const auto of_host = refusals(ChangeVerb::modify, ObjectKind::exec_host, "node01",
                                "complex_values", "license=x,nosuch=3,slots=-1,never=1");
  for (const char* expected :
       {"\"x\"", "\"nosuch\" does not exist", "\"slots\": \"-1\"", "\"never\" does not exist"})
    EXPECT_NE(of_host.find(expected), std::string::npos) << expected << ": " << of_host;
  const auto of_new = refusals(ChangeVerb::add, ObjectKind::cluster_queue, "new.q",
                               "complex_values", "license=-1,[node01=nosuch=1,license=-2,never=1]");
  for (const char* expected : {"\"license\": \"-1\"", "\"nosuch\" does not exist",
                               "\"license\": \"-2\"", "\"never\" does not exist"})
    EXPECT_NE(of_new.find(expected), std::string::npos) << expected << ": " << of_new;
  EXPECT_EQ(of_new.find("already exists"), std::string::npos) << of_new;
  EXPECT_EQ(refusals(ChangeVerb::modify, ObjectKind::userset, "chem", "type", "FOO"),
            "userset \"chem\": attribute \"type\": \"FOO\" is not ACL or DEPT\n");
}

// O7: what a host may have of its own.
TEST_F(GivenACellOfGridEngine, WhenAHostHasAConfigurationThenItHoldsThereOnly) {
  const auto change = [](ChangeVerb verb, const char* host, std::vector<Attribute> attributes) {
    return ConfigurationChange{
        verb, {ObjectKind::local_configuration, host, std::move(attributes)}, {}};
  };
  const auto base = imported();
  const auto added = base.with(change(
      ChangeVerb::add, "node02",
      {{"load_report_time", "0:0:7"}, {"reschedule_unknown", "0:10:0"}, {"gid_range", "100-200"}}));
  ASSERT_TRUE(added.ok()) << added.what();
  EXPECT_EQ(added->configuration.on("node02").load_report_time.seconds, 7);
  EXPECT_EQ(added->configuration.on("node02").reschedule_unknown.seconds, 600);
  EXPECT_EQ(added->configuration.on("node01").load_report_time.seconds, 40);
  // The rest is the cell's, also when that changes.
  const auto global = added->configuration.with(
      {ChangeVerb::modify,
       {ObjectKind::global_configuration, "", {{"epilog", "/e"}, {"load_report_time", "9"}}},
       {}});
  ASSERT_TRUE(global.ok()) << global.what();
  EXPECT_EQ(global->configuration.on("node02").epilog, "/e");
  EXPECT_EQ(global->configuration.on("node02").load_report_time.seconds, 7);
  // A change says all that the host has.
  const auto less =
      global->configuration.with(change(ChangeVerb::modify, "node02", {{"prolog", "/p"}}));
  ASSERT_TRUE(less.ok()) << less.what();
  EXPECT_EQ(less->configuration.on("node02").load_report_time.seconds, 9);
  EXPECT_EQ(less->configuration.on("node02").prolog, "/p");
  const auto restored = Configuration::restore(less->configuration.objects());
  ASSERT_TRUE(restored.ok()) << restored.what();
  EXPECT_EQ(restored->on("node02").prolog, "/p");
  for (const auto& [host, attributes] :
       {std::pair<const char*, std::vector<Attribute>>{"node02", {{"min_uid", "5"}}},
        {"node02", {{"bogus", "1"}}},
        {"node02", {{"prolog", "x"}}},
        {"nosuch", {{"prolog", "/p"}}},
        {"global", {{"prolog", "/p"}}}})
    EXPECT_FALSE(base.with(change(ChangeVerb::add, host, attributes)).ok()) << host;
  EXPECT_FALSE(base.with(change(ChangeVerb::modify, "node02", {{"prolog", "/p"}})).ok());
  const auto gone = less->configuration.with(change(ChangeVerb::erase, "node02", {}));
  ASSERT_TRUE(gone.ok()) << gone.what();
  EXPECT_EQ(gone->configuration.on("node02").prolog, "");
}

// O7.28: users without an object are as auto_user_* say, where enforce_user is auto.
TEST_F(GivenACellOfGridEngine, WhenAUserHasNoObjectThenItHasWhatIsUsual) {
  const auto with = [&](const char* enforce) {
    const auto next = imported().with({ChangeVerb::modify,
                                       {ObjectKind::global_configuration,
                                        "",
                                        {{"enforce_user", enforce},
                                         {"auto_user_oticket", "5"},
                                         {"auto_user_default_project", "alpha"}}},
                                       {}});
    EXPECT_TRUE(next.ok()) << next.what();
    return next->configuration;
  };
  EXPECT_EQ(with("auto").user_called("eve").override_tickets, 5);
  EXPECT_EQ(with("auto").user_called("eve").default_project, "alpha");
  EXPECT_EQ(with("auto").user_called("bob").override_tickets, 0) << "it has an object";
  EXPECT_EQ(with("false").user_called("eve").override_tickets, 0);
}

} // namespace
} // namespace almanac
