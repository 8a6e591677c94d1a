// Options that a site or a user wants always, from files (docs/spec/quotas.md Q6.13, Q6.14).
#include "tools/client/client.hpp"
#include "tools/commands/default_options.hpp"
#include "tools/commands/process_door.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

using namespace almanac;
namespace fs = std::filesystem;

namespace {

class GivenFilesWithOptions : public ::testing::Test {
public:
  GivenFilesWithOptions() {
    for (const auto* inner : {"/root/test/common", "/home", "/work"})
      fs::create_directories(folder + inner);
  }
  ~GivenFilesWithOptions() override { fs::remove_all(folder); }

  void write(const std::string& path, const std::string& text) const {
    std::ofstream(folder + path, std::ios::binary) << text;
  }
  Context context() {
    return {"qquota", {}, in, out, err, door, "ann", folder + "/work", environment, {}, {}, {}};
  }
  /// "-u ann -xml", or why they cannot be read.
  std::string options(DefaultFiles which = DefaultFiles::cell_and_home) {
    GivenOptions given{{{"-l", {"given"}}}, {}};
    const auto asked = context();
    const auto added = add_default_options(asked, "sge_qquota", which, rules, given);
    if (!added) return added.what();
    std::string text;
    for (const auto& [name, values] : given.options) {
      text += (text.empty() ? "" : " ") + name;
      for (const auto& value : values) text += " [" + value + "]";
    }
    return text;
  }
  std::string refused(const std::string& text) {
    write("/home/.sge_qquota", text);
    const auto why = options();
    const auto path = folder + "/home/.sge_qquota";
    return why.starts_with(path) ? why.substr(path.size()) : "not refused: " + why;
  }

  const std::vector<OptionRule> rules{{"-u", 1}, {"-l", 1}, {"-F", -1}, {"-xml", 0}};
  const std::string folder = [] {
    std::string name = "/tmp/almanac-options-XXXXXX";
    return std::string(::mkdtemp(name.data()));
  }();
  std::vector<Attribute> environment{
      {"SGE_ROOT", folder + "/root"}, {"SGE_CELL", "test"}, {"HOME", folder + "/home"}};
  std::istringstream in;
  std::ostringstream out, err;
  ProcessDoor door{{}, "/nowhere"};
};

} // namespace

TEST_F(GivenFilesWithOptions, WhenThereAreNoneThenTheCommandLineAloneCounts) {
  EXPECT_EQ(options(), "-l [given]");
  environment.clear();
  EXPECT_EQ(options(), "-l [given]");
}

// Q6.13
TEST_F(GivenFilesWithOptions, WhenThereAreSeveralThenTheLaterOneWinsAndTheCommandLineIsLast) {
  write("/root/test/common/sge_qquota", "-u cell -xml\n");
  write("/home/.sge_qquota", "-u home\n");
  write("/work/.sge_qquota", "-u work\n");
  EXPECT_EQ(options(), "-u [cell] -xml -u [home] -l [given]");
  // cli C3.2: some commands look into the folder where they are called, too.
  EXPECT_EQ(options(DefaultFiles::directory_too), "-u [cell] -xml -u [home] -u [work] -l [given]");
}

namespace {

// A master's folder "cell" and an agent's "agent", both of the cell "rq".
class GivenFoldersOfACell : public ::testing::Test {
public:
  GivenFoldersOfACell() {
    write("/cell/settings.toml",
          "# of a master\naddress = \"127.0.0.1\"\ncell = \"rq\" # its name\n");
    write("/cell/run/door", "");
    write("/cell/root/rq/common/act_qmaster", "head\n");
    write("/agent/settings.toml", "cell='rq'\nhost = \"n1\"\n");
    write("/agent/run/door", "");
    write("/agent/rq/common/sge_qquota", "");
  }
  ~GivenFoldersOfACell() override { fs::remove_all(folder); }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories(fs::path(folder + path).parent_path());
    std::ofstream(folder + path) << text;
    for (auto at = fs::path(folder + path); at.string().size() > folder.size();
         at = at.parent_path())
      fs::permissions(at, fs::perms(0755));
  }
  void open_to_all(const std::string& path) const {
    fs::permissions(folder + path, fs::perms(0777));
  }
  /// "DOORS COMMON"; paths of values and answers without the test's folder.
  std::string place(std::vector<Attribute> environment) const {
    for (auto& [name, value] : environment)
      if (name != "SGE_CELL") value.insert(0, folder);
    const auto found = find_cell(environment);
    return inner(found.directory) + " " + inner(found.common);
  }

  const std::string folder = [] {
    std::string name = "/tmp/almanac-place-XXXXXX";
    return fs::canonical(::mkdtemp(name.data())).string();
  }();

private:
  std::string inner(const std::string& path) const {
    return path.starts_with(folder) ? path.substr(folder.size()) : path;
  }
};

} // namespace

TEST_F(GivenFoldersOfACell, WhenOnlyTheFolderIsNamedThenItsSettingsSayTheName) {
  EXPECT_EQ(place({{"ALMANAC_DIR", "/cell"}}), "/cell /cell/root/rq/common");
  EXPECT_EQ(place({{"ALMANAC_DIR", "/agent"}}), "/agent /agent/rq/common");
  // An agent's folder is itself the SGE_ROOT of its host.
  EXPECT_EQ(place({{"SGE_ROOT", "/agent"}}), "/agent /agent/rq/common");
  EXPECT_EQ(place({{"ALMANAC_DIR", "/agent"}, {"SGE_CELL", "other"}}),
            "/agent /agent/other/common");
  EXPECT_EQ(find_cell({}).directory, "/var/lib/almanac");
}

TEST_F(GivenFoldersOfACell, WhenThereAreNoSettingsThenTheOnlyCellThereIsMeant) {
  fs::remove(folder + "/cell/settings.toml");
  fs::create_directories(folder + "/cell/root/bin");
  EXPECT_EQ(place({{"ALMANAC_DIR", "/cell"}}), "/cell /cell/root/rq/common");
  EXPECT_EQ(place({{"SGE_ROOT", "/cell/root"}}), "/cell /cell/root/rq/common");
  write("/cell/root/second/common/act_qmaster", "head\n");
  EXPECT_EQ(place({{"ALMANAC_DIR", "/cell"}}), "/cell /cell/default/common");
  EXPECT_EQ(place({{"ALMANAC_DIR", "/cell"}, {"SGE_CELL", "second"}}),
            "/cell /cell/root/second/common");
  write("/cell/root/default/common/act_qmaster", "head\n");
  EXPECT_EQ(place({{"ALMANAC_DIR", "/cell"}}), "/cell /cell/root/default/common");
}

// C1.2, D68
TEST_F(GivenFoldersOfACell, WhenSgeRootIsThatOfAMasterThenTheDoorsAreThoseOfTheMaster) {
  const std::string meant = "/cell /cell/root/rq/common";
  EXPECT_EQ(place({{"SGE_ROOT", "/cell/root"}, {"SGE_CELL", "rq"}}), meant);
  EXPECT_EQ(place({{"SGE_ROOT", "/cell/root"}}), meant);
  EXPECT_EQ(place({{"SGE_ROOT", "/cell/root/"}, {"SGE_CELL", "rq"}}),
            "/cell /cell/root//rq/common");
  fs::create_directory_symlink(folder + "/cell/root", folder + "/sge");
  EXPECT_EQ(place({{"SGE_ROOT", "/sge"}, {"SGE_CELL", "rq"}}), "/cell /sge/rq/common");
  EXPECT_EQ(place({{"SGE_ROOT", "/cell/root"}, {"SGE_CELL", "none"}}),
            "/cell/root /cell/root/none/common");
  // Doors in the folder itself, or of the cell in it, come before those above.
  write("/cell/root/doors", "");
  EXPECT_EQ(place({{"SGE_ROOT", "/cell/root"}}), "/cell/root /cell/root/rq/common");
  write("/cell/root/rq/doors", "");
  EXPECT_EQ(place({{"SGE_ROOT", "/cell/root"}}), "/cell/root/rq /cell/root/rq/common");
  EXPECT_EQ(place({{"SGE_ROOT", "/cell/root"}, {"ALMANAC_DIR", "/agent"}}),
            "/agent /cell/root/rq/common");
}

TEST_F(GivenFoldersOfACell, WhenOthersMayWriteTheFolderThenItSaysNothing) {
  open_to_all("/cell");
  EXPECT_EQ(place({{"SGE_ROOT", "/cell/root"}, {"SGE_CELL", "rq"}}),
            "/cell/root /cell/root/rq/common");
  open_to_all("/agent");
  EXPECT_EQ(place({{"ALMANAC_DIR", "/agent"}}), "/agent /agent/default/common");
  fs::remove(folder + "/cell/settings.toml");
  open_to_all("/cell/root");
  EXPECT_EQ(place({{"ALMANAC_DIR", "/cell"}}), "/cell /cell/default/common");
}

TEST_F(GivenFoldersOfACell, WhenSettingsNameNoCellThenTheyAreNotFollowed) {
  for (const char* wrong : {"cell = \"../../etc\"\n", "cell = rq\n", "cell = \"agents\n", "cell",
                            "cells = \"rq\"\n", "cell =\n", ""}) {
    write("/agent/settings.toml", wrong);
    EXPECT_EQ(place({{"ALMANAC_DIR", "/agent"}}), "/agent /agent/default/common") << wrong;
  }
  fs::remove(folder + "/agent/settings.toml");
  ASSERT_EQ(::mkfifo((folder + "/agent/settings.toml").c_str(), 0600), 0);
  EXPECT_EQ(place({{"ALMANAC_DIR", "/agent"}}), "/agent /agent/default/common");
}

// Q6.13
TEST_F(GivenFilesWithOptions, WhenOnlyTheFolderOfTheCellIsKnownThenItsFileIsInItsRoot) {
  write("/root/test/common/sge_qquota", "-xml");
  write("/settings.toml", "cell = \"test\"\n");
  fs::permissions(folder + "/settings.toml", fs::perms(0644));
  environment = {{"ALMANAC_DIR", folder}};
  EXPECT_EQ(options(), "-xml -l [given]");
}

// Q6.14, C3.7
TEST_F(GivenFilesWithOptions, WhenOptionsAreSplitOverLinesThenTheyAreReadAsWordsOfAShell) {
  write("/home/.sge_qquota",
        "# mine\n  -u\n\tann,bob \\\n\n   # and\r\n-l 'a b' -F\n-xml \"-u\" \"\"");
  EXPECT_EQ(options(), "-u [ann,bob] -l [a b] -F -xml -u [] -l [given]");
}

TEST_F(GivenFilesWithOptions, WhenAFileIsWrongThenTheFileAndTheLineAreNamed) {
  EXPECT_EQ(refused("-xml\n\n-what\n"), ":3: invalid option argument \"-what\"");
  EXPECT_EQ(refused("-xml\njob.sh\n"), ":2: \"job.sh\" is no option");
  EXPECT_EQ(refused("-xml\n-u\n"), ":2: option -u needs 1 value");
  EXPECT_EQ(refused("-xml\n-u 'ann\n"), ":2: a quote is not closed in: -u 'ann");
}

TEST_F(GivenFilesWithOptions, WhenAFileIsHostileThenItIsRefused) {
  EXPECT_EQ(refused(std::string(1 << 20, '#')), ": it is longer than 65536 bytes");
  EXPECT_EQ(refused(std::string("-xml\n\x7f"
                                "ELF\x02",
                                11)),
            ":2: this is no text");
  EXPECT_EQ(refused(std::string("-u\0ann", 6)), ":1: this is no text");
  EXPECT_EQ(refused("-u \xff\xfe\n"), ":1: this is no text");
  fs::remove(folder + "/home/.sge_qquota");
  ASSERT_EQ(::mkfifo((folder + "/home/.sge_qquota").c_str(), 0600), 0);
  EXPECT_EQ(options(), folder + "/home/.sge_qquota: it is no plain file");
  fs::remove(folder + "/home/.sge_qquota");
  fs::create_directory(folder + "/home/.sge_qquota");
  EXPECT_EQ(options(), folder + "/home/.sge_qquota: it is no plain file");
}

TEST_F(GivenFilesWithOptions, WhenHelpIsWantedThenABadFileDoesNotMatter) {
  write("/home/.sge_qquota", "-what\n");
  auto asked = context();
  asked.arguments = {"-help"};
  int code = 7;
  EXPECT_FALSE(read_options(asked, {{"-help", 0}}, "usage\n", code, "sge_qquota"));
  EXPECT_EQ(code, 0);
  EXPECT_EQ(out.str() + err.str(), "usage\n");
  asked.arguments = {};
  EXPECT_FALSE(read_options(asked, {{"-help", 0}}, "usage\n", code, "sge_qquota"));
  EXPECT_EQ(code, 1);
  EXPECT_EQ(err.str(),
            "qquota: " + folder + "/home/.sge_qquota:1: invalid option argument \"-what\"\n");
}

TEST_F(GivenFilesWithOptions, WhenAFileIsNamedThenItHasToBeThere) {
  write("/work/options", "# always\n-u ann\n-l 'x=1'\n");
  const auto read = read_named_file(folder + "/work/options", rules);
  ASSERT_TRUE(read.ok()) << read.what();
  EXPECT_EQ(read->size(), 2u);
  EXPECT_EQ(read->back().values, (std::vector<std::string>{"x=1"}));
  EXPECT_EQ(read_named_file(folder + "/work/none", rules).what(),
            folder + "/work/none: No such file or directory");
}
