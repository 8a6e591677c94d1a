#include "master/held_store.hpp"

#include "actors/process/daemon.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace almanac {

namespace {

namespace fs = std::filesystem;

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_manifest(const std::string& name) {
  return name.starts_with("MANIFEST-") && is_number(name.substr(9));
}

bool is_numbered(const std::string& name) {
  const auto dot = name.find('.');
  const auto kind = dot == std::string::npos ? "" : name.substr(dot);
  return is_number(name.substr(0, dot)) && (kind == ".sst" || kind == ".log");
}

std::int64_t size_of(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 ? facts.st_size : -1;
}

// By number, whatever number of digits it has: a log that has a later one is written to its end.
std::vector<std::string> names_in(const std::string& path) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path, error))
    if (const auto name = entry.path().filename().string(); is_numbered(name) || name == "IDENTITY")
      names.push_back(name);
  std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return names;
}

// One that has vanished meanwhile is nothing; which others are wanted is seen at the end.
Outcome hold(const std::string& path, const std::string& name, std::vector<HeldFile>& files) {
  const int handle = ::open((path + "/" + name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (handle < 0)
    return errno == ENOENT
               ? Outcome(Done{})
               : Outcome(Error{"can't open " + path + "/" + name + ": " + std::strerror(errno)});
  struct stat facts {};
  const bool is_known = ::fstat(handle, &facts) == 0;
  files.emplace_back(name, handle, is_known ? facts.st_size : 0);
  return Done{};
}

// Files and logs are those that the manifest names as long as it says the same before and after they
// were opened: nothing is deleted that it names, and a log may grow.
Result<std::optional<HeldStore>> try_to_hold(const std::string& path) {
  HeldStore held;
  auto current = read_file(path + "/CURRENT");
  if (!current) return current.error();
  held.current = *current;
  const std::string manifest(trim(held.current));
  if (!is_manifest(manifest)) return Error{path + "/CURRENT names no manifest"};
  if (auto opened = hold(path, manifest, held.files); !opened) return opened.error();
  if (held.files.empty()) return std::optional<HeldStore>();
  for (const auto& name : names_in(path))
    if (auto opened = hold(path, name, held.files); !opened) return opened.error();
  current = read_file(path + "/CURRENT");
  const bool is_settled = current && *current == held.current &&
                          size_of(path + "/" + manifest) == held.files.front().bytes();
  return is_settled ? std::optional(std::move(held)) : std::nullopt;
}

} // namespace

HeldFile::~HeldFile() {
  if (handle_ >= 0) ::close(handle_);
}
HeldFile::HeldFile(HeldFile&& other) noexcept
    : name_(std::move(other.name_)),
      handle_(std::exchange(other.handle_, -1)),
      bytes_(other.bytes_) {}

Result<HeldStore> hold_store(const std::string& path) {
  constexpr int tries = 100;
  for (int i = 0; i < tries; ++i) {
    auto held = try_to_hold(path);
    if (!held) return held.error();
    if (*held) return std::move(**held);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return Error{"the store " + path + " changes all the time: try again"};
}

bool is_store_file(const std::string& name) {
  return name == "CURRENT" || name == "IDENTITY" || is_manifest(name) || is_numbered(name);
}

} // namespace almanac
