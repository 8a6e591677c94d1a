#include "master/record_file.hpp"

#include "actors/process/daemon.hpp"
#include "actors/support.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <spdlog/spdlog.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

std::string heading(const std::string& name) {
  return "# Version: Almanac\n#\n# The fields are those of " + name + "(5).\n#\n";
}

} // namespace

std::string RecordFile::name() const { return path_.substr(path_.rfind('/') + 1); }

std::int64_t RecordFile::recover() {
  std::int64_t sequence = 0, offset = 0;
  if (auto mark = read_file(path_ + ".mark")) {
    const auto fields = words(*mark, " \n");
    if (fields.size() == 2) {
      if (auto number = parse_number(fields[0])) sequence = *number;
      if (auto number = parse_number(fields[1])) offset = *number;
    }
  }
  struct stat facts {};
  const bool exists = ::stat(path_.c_str(), &facts) == 0;
  if (exists && facts.st_size > offset && ::truncate(path_.c_str(), offset) != 0)
    spdlog::error("can't cut {} to {} bytes", path_, offset);
  return sequence;
}

// A file that is not there, or is shorter than what was exported, has been moved away: it starts anew
// with what comes.
bool RecordFile::append(const std::string& lines, std::int64_t sequence) {
  const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const auto before = file < 0 ? 0 : ::lseek(file, 0, SEEK_END);
  const auto text = (before == 0 ? heading(name()) : "") + lines;
  const auto written = file < 0 ? -1 : ::write(file, text.data(), text.size());
  if (written != static_cast<ssize_t>(text.size()) || ::fsync(file) != 0) {
    spdlog::error("{} can't be written to {}: it is kept in the store and exported when there is "
                  "space",
                  name(), path_);
    if (file < 0) return false;
    if (::ftruncate(file, before) != 0) spdlog::error("can't cut {} to {} bytes", path_, before);
    ::close(file);
    return false;
  }
  const auto offset = ::lseek(file, 0, SEEK_END);
  ::close(file);
  crash_point("exported");
  if (auto marked = write_file(
          path_ + ".mark", std::to_string(sequence) + " " + std::to_string(offset) + "\n", 0644);
      !marked)
    spdlog::error("{}", marked.what());
  return true;
}

} // namespace almanac
