#include "actors/process/audit_file.hpp"

#include "actors/audit.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>

using namespace almanac;

namespace {

const Caller root{"root", "root", 0, 0, "n1", "unix door"};

void limit_files(rlim_t bytes) {
  const rlimit limit{bytes, RLIM_INFINITY};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

// In a process of its own: the audit log is written for as long as the process lives.
int lines_that_are_torn(const std::string& path) {
  ::signal(SIGXFSZ, SIG_IGN);
  start_audit(path);
  if (!audit_ahead(root, "1", "configures")) return 100;
  limit_files(200);
  if (audit_ahead(root, "2", "configures") || audit_ahead(root, "3", "configures")) return 101;
  limit_files(RLIM_INFINITY);
  if (!audit_ahead(root, "4", "configures")) return 102;
  std::ifstream file(path);
  int torn = 0, whole = 0;
  for (std::string line; std::getline(file, line);)
    ++(line.ends_with("what=\"configures\" begins") && line.find("uid", 40) == line.npos ? whole
                                                                                         : torn);
  return whole == 2 ? torn : 103;
}

} // namespace

TEST(GivenAnAuditLog, WhenOnlyPartOfALineFitsThenTheNextOneBeginsANewLine) {
  char folder[] = "/tmp/almanac-audit-XXXXXX";
  ASSERT_NE(::mkdtemp(folder), nullptr);
  EXPECT_EXIT(std::_Exit(lines_that_are_torn(std::string(folder) + "/audit")),
              ::testing::ExitedWithCode(0), "");
  std::filesystem::remove_all(folder);
}
