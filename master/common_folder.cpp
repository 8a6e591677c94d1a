#include "master/common_folder.hpp"

#include "actors/trust/keyring.hpp"
#include "core/configuration/objects/site_file.hpp"

#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

// Times of files are coarse: what was changed this short a while ago may change once more and look
// the same.
constexpr std::int64_t coarseness_ns = 2'000'000'000;

std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

// An open file or folder, closed at the end.
class Handle {
public:
  explicit Handle(int file) : file_(file) {}
  ~Handle() {
    if (file_ >= 0) ::close(file_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  int get() const { return file_; }

private:
  int file_;
};

CommonFileContent shown(const std::string& name, std::string content) {
  auto hash = sha256(content);
  return {{name, std::move(hash)}, std::move(content)};
}

} // namespace

CommonFolder::CommonFolder(std::string folder)
    : CommonFolder(std::move(folder), Rules{{common_file_names.begin(), common_file_names.end()},
                                            largest_common_file,
                                            false}) {}

CommonFolder::CommonFolder(std::string folder, const std::string& site_file)
    : CommonFolder(std::move(folder), Rules{{site_file}, largest_site_file, true}) {}

std::optional<std::string> CommonFolder::read_start(int file) const {
  std::string content(rules_.largest + 1, '\0');
  std::size_t size = 0;
  while (size < content.size()) {
    const auto count = ::read(file, content.data() + size, content.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  content.resize(size);
  return content;
}

std::string CommonFolder::obstacle(const struct stat& facts) const {
  if (!S_ISREG(facts.st_mode)) return "it is not a plain file";
  if (!rules_.of_site && (facts.st_mode & S_IROTH) == 0)
    return "others than its owner may not read it: chmod o+r";
  if (rules_.of_site && facts.st_uid != 0 && facts.st_uid != ::geteuid())
    return "it belongs neither to root nor to the user of the master: chown root";
  if (rules_.of_site && (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return "others than its owner may write it: chmod go-w";
  if (facts.st_size > static_cast<off_t>(rules_.largest))
    return "it has " + std::to_string(facts.st_size) + " bytes, at most " +
           std::to_string(rules_.largest) + " are taken";
  return {};
}

// Whatever it is by now: a pipe is not waited for, a link is not followed.
Result<std::string> CommonFolder::read(int folder, const std::string& name) const {
  const Handle file(::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat facts {};
  if (file.get() < 0 || ::fstat(file.get(), &facts) != 0) return Error{std::strerror(errno)};
  if (auto why = obstacle(facts); !why.empty()) return Error{std::move(why)};
  auto content = read_start(file.get());
  if (!content) return Error{std::strerror(errno)};
  if (content->size() > rules_.largest) return Error{"it grows while it is read"};
  return std::move(*content);
}

std::optional<std::vector<CommonFileContent>> CommonFolder::look() {
  const Handle folder(::open(folder_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0) return std::nullopt;
  std::vector<CommonFileContent> found;
  for (const auto& name : rules_.names) {
    auto& known = files_[name];
    if (!look_at(folder.get(), name, known)) return std::nullopt;
    if (known.content) found.push_back(*known.content);
  }
  if (told_ == found) return std::nullopt;
  told_ = found;
  return found;
}

bool CommonFolder::look_at(int folder, const std::string& name, Known& known) {
  struct stat facts {};
  if (::fstatat(folder, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno != ENOENT) return false;
    known = {};
    return true;
  }
  const Sight sight{static_cast<std::int64_t>(facts.st_ino), facts.st_size, facts.st_mode,
                    nanoseconds(facts.st_mtim), nanoseconds(facts.st_ctim)};
  if (known.settled && known.sight == sight) return true;
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  known.sight = sight;
  known.settled = nanoseconds(facts.st_ctim) + coarseness_ns < nanoseconds(now);
  auto why = obstacle(facts);
  if (why.empty()) {
    auto content = read(folder, name);
    if (content) {
      known.complaint.clear();
      known.content = shown(name, std::move(*content));
      return true;
    }
    why = "it can't be read for now: " + content.what();
    known.settled = false; // it has become another one, or is looked at again
    if (!rules_.of_site)
      return complain(name, known, why + "; agents keep all that they have"), false;
  }
  known.content.reset();
  if (rules_.of_site) known.content = shown(name, unusable_site_file(why));
  else complain(name, known, why + "; agents do not get it");
  return true;
}

void CommonFolder::complain(const std::string& name, Known& known, const std::string& why) const {
  if (why != known.complaint) spdlog::warn("{}/{}: {}", folder_, name, why);
  known.complaint = why;
}

} // namespace almanac
