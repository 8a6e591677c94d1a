#include "agent/shepherd/processes.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fcntl.h>
#include <fstream>
#include <linux/sched.h>
#include <sstream>
#include <sys/stat.h>
#include <sys/syscall.h>
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

std::string process_file(pid_t pid, const char* name) {
  return content_of("/proc/" + std::to_string(pid) + "/" + name);
}

bool is_marked(pid_t pid, const std::string& marker) {
  const std::string zero(1, '\0');
  const auto wanted = "ALMANAC_TASK=" + marker + zero;
  const auto environment = process_file(pid, "environ");
  return environment.starts_with(wanted) || environment.find(zero + wanted) != std::string::npos;
}

bool is_in_cgroup(pid_t pid, const std::string& leaf) {
  const auto name = "/" + fs::path(leaf).filename().string();
  const auto of_process = process_file(pid, "cgroup");
  return of_process.find(name + "\n") != std::string::npos;
}

pid_t parent_of(pid_t pid) {
  // "pid (name) state parent": the name may have anything in it.
  const auto stat = process_file(pid, "stat");
  const auto name_end = stat.rfind(')');
  return name_end == std::string::npos || name_end + 4 > stat.size()
             ? 0
             : std::atoi(stat.c_str() + name_end + 4);
}

bool descends_from(pid_t pid, pid_t root) {
  while (pid > 1 && pid != root) pid = parent_of(pid);
  return pid == root;
}

// Looks again once the process is held: its number alone may mean another one by now.
template <class Still> bool signal_if(pid_t pid, int signal, const Still& is_still) {
  const auto held = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (held < 0) // a kernel before 5.3, or a container that forbids it
    return (errno == ENOSYS || errno == EPERM) && is_still() && ::kill(pid, signal) == 0;
  const bool sent = is_still() && ::syscall(SYS_pidfd_send_signal, held, signal, nullptr, 0) == 0;
  ::close(held);
  return sent;
}

} // namespace

std::string cgroup_base(const std::string& name) {
  std::ifstream mounts("/proc/mounts");
  for (std::string device, path, kind, rest;
       mounts >> device >> path >> kind && std::getline(mounts, rest);) {
    if (kind != "cgroup2") continue;
    const auto base = path + "/" + name;
    if (::mkdir(base.c_str(), 0755) != 0 && ::access((base + "/cgroup.procs").c_str(), W_OK) != 0)
      continue;
    ::rmdir(base.c_str()); // only tried: it is there while there are tasks
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
  const auto is_there = [&] {
    return ::mkdir(leaf.c_str(), 0755) == 0 ||
           ::access((leaf + "/cgroup.procs").c_str(), W_OK) == 0;
  };
  // The last task takes the group above with it, perhaps at this moment.
  for (int round = 0; round < 5 && !is_there(); ++round)
    ::mkdir(leaf.substr(0, leaf.rfind('/')).c_str(), 0755);
  return is_there();
}

void remove_cgroup(const std::string& leaf) {
  if (leaf.empty()) return;
  ::rmdir(leaf.c_str());
  ::rmdir(leaf.substr(0, leaf.rfind('/')).c_str());
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
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const auto name = entry.path().filename().string();
    if (!std::isdigit(static_cast<unsigned char>(name.front()))) continue;
    const auto pid = static_cast<pid_t>(std::atoi(name.c_str()));
    if (is_marked(pid, marker)) found.push_back(pid);
  }
  return found;
}

std::vector<pid_t> cgroup_processes(const std::string& leaf) {
  return leaf.empty() ? std::vector<pid_t>() : numbers(content_of(leaf + "/cgroup.procs"));
}

void signal_descendants(pid_t root, int signal) {
  for (const auto pid : descendants(root))
    signal_if(pid, signal, [&] { return descends_from(pid, root); });
}

void kill_cgroup(const std::string& leaf) {
  if (!leaf.empty()) std::ofstream(leaf + "/cgroup.kill") << "1" << std::endl;
}

void end_leftovers(const std::string& cgroup, const std::string& marker) {
  kill_cgroup(cgroup);
  // Reading what is in another process can take as long as its owner likes, so it is for hosts that
  // have no groups only.
  const bool has_group = !cgroup.empty() && ::access((cgroup + "/cgroup.procs").c_str(), F_OK) == 0;
  // A process may fork while it is looked for: look again until nothing is found.
  for (int round = 0; round < 20; ++round) {
    bool any = false;
    for (const auto pid : cgroup_processes(cgroup))
      any |= signal_if(pid, SIGKILL, [&] { return is_in_cgroup(pid, cgroup); });
    for (const auto pid : has_group ? std::vector<pid_t>() : marked_processes(marker))
      if (pid != ::getpid()) any |= signal_if(pid, SIGKILL, [&] { return is_marked(pid, marker); });
    if (!any) break;
    ::usleep(5'000);
  }
  remove_cgroup(cgroup);
}

std::string boot_id() {
  auto id = content_of("/proc/sys/kernel/random/boot_id");
  while (!id.empty() && id.back() == '\n') id.pop_back();
  return id;
}

} // namespace almanac
