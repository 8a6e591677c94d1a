#include "agent/processes.hpp"

#include <cctype>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <cstdlib>
#include <filesystem>
#include <fcntl.h>
#include <fstream>
#include <linux/sched.h>
#include <sstream>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace almanac {

namespace {

namespace fs = std::filesystem;

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

std::vector<pid_t> numbers(const std::string& text) {
  std::vector<pid_t> result;
  std::istringstream stream(text);
  for (pid_t number = 0; stream >> number;) result.push_back(number);
  return result;
}

} // namespace

std::string cgroup_base(const std::string& name) {
  std::ifstream mounts("/proc/mounts");
  for (std::string device, path, kind, rest;
       mounts >> device >> path >> kind && std::getline(mounts, rest);) {
    if (kind != "cgroup2") continue;
    const auto base = path + "/" + name;
    if (::mkdir(base.c_str(), 0755) == 0 || ::access((base + "/cgroup.procs").c_str(), W_OK) == 0)
      return base;
  }
  return {};
}

pid_t fork_into(const std::string& leaf) {
  if (leaf.empty()) return ::fork();
  if (const int folder = ::open(leaf.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
    clone_args how{};
    how.flags = CLONE_INTO_CGROUP, how.exit_signal = SIGCHLD;
    how.cgroup = static_cast<std::uint64_t>(folder);
    const auto child = static_cast<pid_t>(::syscall(SYS_clone3, &how, sizeof how));
    if (child == 0) return 0;
    ::close(folder);
    if (child > 0) return child;
  }
  // A kernel before 5.7, or a container that forbids it.
  const auto child = ::fork();
  if (child == 0) std::ofstream(leaf + "/cgroup.procs") << ::getpid() << std::endl;
  return child;
}

bool make_cgroup(const std::string& leaf) {
  return ::mkdir(leaf.c_str(), 0755) == 0 || ::access((leaf + "/cgroup.procs").c_str(), W_OK) == 0;
}

void remove_cgroup(const std::string& leaf) {
  if (!leaf.empty()) ::rmdir(leaf.c_str());
}

std::vector<pid_t> descendants(pid_t root) {
  std::vector<pid_t> found{root};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto folder = "/proc/" + std::to_string(found[i]) + "/task";
    std::error_code error;
    for (const auto& thread : fs::directory_iterator(folder, error))
      for (const auto child : numbers(content_of(thread.path().string() + "/children")))
        found.push_back(child);
  }
  found.erase(found.begin());
  return found;
}

std::vector<pid_t> marked_processes(const std::string& marker) {
  std::vector<pid_t> found;
  const auto wanted = "ALMANAC_TASK=" + marker + std::string(1, '\0');
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const auto name = entry.path().filename().string();
    if (!std::isdigit(static_cast<unsigned char>(name.front()))) continue;
    const auto environment = content_of(entry.path().string() + "/environ");
    if (environment.starts_with(wanted) ||
        environment.find(std::string(1, '\0') + wanted) != std::string::npos)
      found.push_back(std::atoi(name.c_str()));
  }
  return found;
}

std::vector<pid_t> cgroup_processes(const std::string& leaf) {
  return leaf.empty() ? std::vector<pid_t>() : numbers(content_of(leaf + "/cgroup.procs"));
}

void end_leftovers(const std::string& cgroup, const std::string& marker) {
  // A process may fork while it is looked for: look again until nothing is found.
  for (int round = 0; round < 20; ++round) {
    auto found = cgroup_processes(cgroup);
    for (const auto pid : marked_processes(marker)) found.push_back(pid);
    bool any = false;
    for (const auto pid : found)
      if (pid != ::getpid() && ::kill(pid, SIGKILL) == 0) any = true;
    if (!any) break;
    ::usleep(5'000);
  }
  remove_cgroup(cgroup);
}

std::int64_t boot_clock_ms() {
  timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1'000'000;
}

std::string boot_id() {
  auto id = content_of("/proc/sys/kernel/random/boot_id");
  while (!id.empty() && id.back() == '\n') id.pop_back();
  return id;
}

void remove_as_user(const std::string& path, uid_t uid, gid_t gid) {
  // Mostly it is empty, or gone already.
  if (path.empty() || ::rmdir(path.c_str()) == 0 || errno == ENOENT) return;
  const auto child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && (::setgid(gid) != 0 || ::setuid(uid) != 0)) ::_exit(1);
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(path, error)) {
      std::error_code ignored;
      fs::remove_all(entry.path(), ignored);
    }
    ::_exit(0);
  }
  if (child > 0) ::waitpid(child, nullptr, 0);
  ::rmdir(path.c_str());
}

} // namespace almanac
