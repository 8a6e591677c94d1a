#include "agent/shepherd/bound_cores.hpp"

#include "core/text/numbers.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <sched.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace almanac {

namespace {

constexpr int most_processors = 8192;
constexpr off_t largest_log = 1 << 20;
constexpr off_t largest_hostfile = 16 << 20;

Error trouble(const std::string& what) {
  return Error{"can't " + what + ": " + std::strerror(errno)};
}

/// Closed at the end.
class File {
public:
  explicit File(int file) : file_(file) {}
  ~File() {
    if (file_ >= 0) ::close(file_);
  }
  File(File&& other) noexcept : file_(other.release()) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  File& operator=(File&&) = delete;
  int get() const { return file_; }
  int release() { return std::exchange(file_, -1); }

private:
  int file_;
};

File open_in(const File& folder, const std::string& name) {
  return File(
      ::openat(folder.get(), name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
}

std::string content_of(const File& file, off_t most) {
  struct stat facts {};
  if (::fstat(file.get(), &facts) != 0 || facts.st_size > most) return "";
  std::string content(static_cast<std::size_t>(facts.st_size), '\0');
  const auto size = ::pread(file.get(), content.data(), content.size(), 0);
  content.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return content;
}

bool rewrite(const File& file, const std::string& content) {
  return ::ftruncate(file.get(), 0) == 0 && ::pwrite(file.get(), content.data(), content.size(),
                                                     0) == static_cast<ssize_t>(content.size());
}

// A set of processors as the system takes it.
class ProcessorSet {
public:
  ProcessorSet() : set_(CPU_ALLOC(most_processors)) { CPU_ZERO_S(size(), set_); }
  ~ProcessorSet() { CPU_FREE(set_); }
  ProcessorSet(const ProcessorSet&) = delete;
  ProcessorSet& operator=(const ProcessorSet&) = delete;

  void add(std::int64_t number) {
    if (number >= 0 && number < most_processors)
      CPU_SET_S(static_cast<std::size_t>(number), size(), set_);
  }
  bool has(std::int64_t number) const {
    return number >= 0 && number < most_processors &&
           CPU_ISSET_S(static_cast<std::size_t>(number), size(), set_);
  }
  bool read_own() { return ::sched_getaffinity(0, size(), set_) == 0; }
  bool set_own() const { return ::sched_setaffinity(0, size(), set_) == 0; }

private:
  static std::size_t size() { return CPU_ALLOC_SIZE(most_processors); }
  cpu_set_t* set_;
};

std::int64_t number_of(const std::string& path) {
  std::int64_t number = 0;
  std::ifstream(path) >> number;
  return number;
}

// By socket, die and core as the system numbers them; the numbers may have holes.
auto processors_by_core(const std::string& folder) {
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::vector<std::int64_t>> all;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const auto name = entry.path().filename().string();
    const auto number = name.starts_with("cpu") ? parse_number(name.substr(3)) : Error{"no"};
    const auto topology = entry.path().string() + "/topology/";
    if (!number || !std::filesystem::exists(topology + "core_id", error)) continue; // or offline
    all[{number_of(topology + "physical_package_id"), number_of(topology + "die_id"),
         number_of(topology + "core_id")}]
        .push_back(*number);
  }
  return all;
}

bool is_of(const std::vector<CoreName>& names, const CoreName& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void set_variable(std::vector<Attribute>& environment, const std::string& value) {
  std::erase_if(environment, [](const auto& variable) { return variable.name == "SGE_BINDING"; });
  if (!value.empty()) environment.push_back({"SGE_BINDING", value});
}

// Users can have it said as often as they like: a large log grows no further.
void say(const ShepherdOrder& order, const std::string& why) {
  struct stat facts {};
  if (::fstat(STDERR_FILENO, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > largest_log)
    return;
  std::fprintf(stderr, "%s: binding %s is not done: %s\n", order.marker.c_str(),
               order.binding.c_str(), why.c_str());
}

} // namespace

std::vector<HostCore> cores_of_machine(const std::string& folder) {
  std::vector<HostCore> cores;
  std::int64_t last_socket = 0;
  CoreName next{-1, 0};
  for (auto& [place, processors] : processors_by_core(folder)) {
    const auto socket = std::get<0>(place);
    if (cores.empty() || socket != last_socket) next = {next.socket + 1, 0};
    last_socket = socket;
    std::sort(processors.begin(), processors.end());
    cores.push_back({next, processors});
    ++next.core;
  }
  return cores;
}

std::vector<HostCore> cores_of_host(const std::string& folder) {
  ProcessorSet usable;
  const bool is_known = usable.read_own();
  auto cores = cores_of_machine(folder);
  for (auto& core : cores) {
    std::erase_if(core.processors,
                  [&](std::int64_t number) { return is_known && !usable.has(number); });
    core.is_free = !core.processors.empty();
  }
  return cores;
}

BoundCores::BoundCores(ShepherdOrder& order, const std::string& folder,
                       const std::vector<HostCore>& cores) {
  // That of a job which was submitted from a bound one is not its own.
  set_variable(order.job.environment, "");
  const auto binding = parse_core_binding(order.binding);
  auto done = binding ? take(order, *binding, cores) : Outcome(binding.error());
  if (done) done = use(order, *binding, folder);
  if (done) return;
  say(order, done.what());
  give_back();
}

BoundCores::~BoundCores() { give_back(); }

void BoundCores::give_back() {
  for (const int file : files_) ::close(file);
  files_.clear(), names_.clear(), processors_.clear();
}

// Locks are exclusive while it is looked at what is free, and shared by the processes of a task.
Outcome BoundCores::take(const ShepherdOrder& order, const CoreBinding& binding,
                         std::vector<HostCore> cores) {
  if (::mkdir(order.cores.c_str(), 0700) != 0 && errno != EEXIST)
    return trouble("make " + order.cores);
  const File folder(::open(order.cores.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (folder.get() < 0) return trouble("open " + order.cores);
  const auto one_by_one = open_in(folder, "lock");
  if (one_by_one.get() < 0 || ::flock(one_by_one.get(), LOCK_EX) != 0)
    return trouble("lock " + order.cores);
  std::map<CoreName, File> files;
  std::vector<CoreName> own;
  for (auto& core : cores) {
    if (!core.is_free) continue;
    auto file = open_in(folder, print_cores({core.name}));
    core.is_free = file.get() >= 0 && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
    if (!core.is_free && file.get() >= 0 && content_of(file, 4096) == order.marker)
      own.push_back(core.name);
    files.emplace(core.name, std::move(file));
  }
  names_ = own.empty() ? choose_cores(binding, cores) : own;
  if (names_.empty()) return Error{"not all of these cores are there and free"};
  for (const auto& core : cores) {
    if (!is_of(names_, core.name)) continue;
    auto& file = files.at(core.name);
    if ((own.empty() && !rewrite(file, order.marker)) || ::flock(file.get(), LOCK_SH) != 0)
      return trouble("take a core in " + order.cores);
    files_.push_back(file.release());
    processors_.insert(processors_.end(), core.processors.begin(), core.processors.end());
  }
  std::sort(processors_.begin(), processors_.end());
  return Done{};
}

Outcome BoundCores::use(ShepherdOrder& order, const CoreBinding& binding,
                        const std::string& folder) const {
  std::string numbers;
  ProcessorSet set;
  for (const auto number : processors_) {
    set.add(number);
    numbers += (numbers.empty() ? "" : " ") + std::to_string(number);
  }
  if (binding.instance == CoreBinding::Instance::set && !set.set_own())
    return trouble("bind a process to processors " + numbers);
  set_variable(order.job.environment, numbers);
  if (binding.instance != CoreBinding::Instance::pe) return Done{};
  const auto path = folder + "/pe_hostfile";
  const File file(::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (file.get() < 0 && errno == ENOENT) return Done{}; // no parallel job, or a process of one
  if (file.get() < 0 ||
      !rewrite(file, hostfile_with_cores(content_of(file, largest_hostfile), names_)))
    return trouble("write " + path);
  return Done{};
}

} // namespace almanac
