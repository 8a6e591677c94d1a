// A folder for a helper and its tasks, with a task and what a master would sign for it.
#pragma once

#include "actors/trust/keyring.hpp"
#include "actors/master/warrants.hpp"
#include "agent/helper/helper.hpp"
#include "agent/task_progress.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <pwd.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace fs = std::filesystem;

inline const SigningKey& masters_key() {
  static const auto key = SigningKey::generate();
  return key;
}

inline std::string masters_signature(const std::string& warrant) {
  return masters_key().sign(warrant_label + warrant);
}

inline std::string content_at(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class HelperFixture : public testing::Test {
protected:
  HelperFixture() {
    char folder[] = "/tmp/almanac-helper-XXXXXX";
    place = ::mkdtemp(folder);
    fs::create_directories(place / "spool/session");
    fs::create_directories(place / "tmp");
    ::chmod(place.c_str(), 0755);
    spool = ::open((place / "spool").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    describe_task();
  }
  ~HelperFixture() override {
    ::close(spool);
    fs::remove_all(place);
  }

  HelperSettings helper_settings() const {
    return {"test", "n1", place.string(), "/usr/bin", 0, masters_key().public_key()};
  }
  // No other test ends the processes of this one: the id is part of the mark that they carry.
  TaskPlaces task_places() const {
    return {(place / "spool").string(), place.filename().string(), "secret", ""};
  }

  // For the task as it is now; the helper gives out the nonce.
  Warrant warrant_naming(const std::string& nonce) {
    auto made = warrant_for(launch, "n1");
    EXPECT_TRUE(made.ok()) << made.what();
    made->nonce.content = nonce, made->number = ++number;
    made->store_id = "store", made->term = {1};
    return *made;
  }
  void script(const std::string& text) { launch.script.content = text; }
  fs::path folder() const { return place / "spool" / TaskPlaces::name(launch.attempt); }
  TaskProgress progress() const { return parse_task_progress(content_at(folder() / "progress")); }

  fs::path place;
  int spool = -1;
  std::int64_t number = 0;
  SigningKey agents_key = SigningKey::generate(); ///< of the task's first host
  session::Launch launch;

private:
  void describe_task() {
    const auto* entry = ::getpwuid(::geteuid());
    launch.attempt = {7, 1, 1};
    launch.cell = "test", launch.shell = "/bin/sh";
    auto& job = launch.job;
    job.key = {7}, job.number = {12};
    job.owner.user = entry->pw_name, job.owner.uid = entry->pw_uid;
    auto& request = job.request.edit();
    request.name = "a;sh<x", request.output = "/dev/null", request.join = true;
    request.directory = "/";
    job.tasks.resize(1);
    job.tasks.front().number = 1, job.tasks.front().grants = {{{"all.q", "n1"}, 1}};
    launch.parts = {{"n1",
                     {"all.q", "n1"},
                     1,
                     "",
                     (place / "tmp").string(),
                     {},
                     to_hex(agents_key.public_key())}};
    script("exit 3\n");
  }
};

} // namespace almanac
