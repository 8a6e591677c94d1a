#include "master/common_folder.hpp"

#include "actors/trust/keyring.hpp"

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

// A little more than is taken, where there is more; nothing if it can't be read.
std::optional<std::string> read_start(int file) {
  std::string content(largest_common_file + 1, '\0');
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

std::string obstacle(const struct stat& facts) {
  if (!S_ISREG(facts.st_mode)) return "it is not a plain file";
  if ((facts.st_mode & S_IROTH) == 0) return "others than its owner may not read it: chmod o+r";
  if (facts.st_size > static_cast<off_t>(largest_common_file))
    return "it has " + std::to_string(facts.st_size) + " bytes, at most " +
           std::to_string(largest_common_file) + " are taken";
  return {};
}

} // namespace

std::optional<std::vector<CommonFileContent>> CommonFolder::look() {
  const Handle folder(::open(folder_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0) return std::nullopt;
  std::vector<CommonFileContent> found;
  for (const std::string name : common_file_names) {
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
  if (const auto why = obstacle(facts); !why.empty()) {
    known.content.reset();
    complain(name, known, why + "; agents do not get it");
    return true;
  }
  // Whatever it is by now: a pipe is not waited for, a link is not followed.
  const Handle file(::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat opened {};
  auto content = file.get() >= 0 && ::fstat(file.get(), &opened) == 0 && obstacle(opened).empty()
                     ? read_start(file.get())
                     : std::nullopt;
  if (!content || content->size() > largest_common_file) {
    known.settled = false; // it has become another one, or is looked at again
    complain(name, known, "it can't be read for now: agents keep all that they have");
    return false;
  }
  known.complaint.clear();
  known.content = CommonFileContent{{name, sha256(*content)}, std::move(*content)};
  return true;
}

void CommonFolder::complain(const std::string& name, Known& known, const std::string& why) const {
  if (why != known.complaint) spdlog::warn("{}/{}: {}", folder_, name, why);
  known.complaint = why;
}

} // namespace almanac
