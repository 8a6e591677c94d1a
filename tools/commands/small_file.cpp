#include "tools/commands/small_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

// A named pipe would keep us waiting.
SmallFile::SmallFile(const std::string& path)
    : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)), error_(errno) {
  // What lies in a folder that is closed to the user is not theirs: with sudo, that of $HOME.
  struct stat facts {};
  if (file_ < 0 && error_ == EACCES && ::stat(path.c_str(), &facts) != 0) error_ = ENOENT;
}

SmallFile::~SmallFile() {
  if (file_ >= 0) ::close(file_);
}

bool SmallFile::is_missing() const { return file_ < 0 && (error_ == ENOENT || error_ == ENOTDIR); }

Result<std::string> SmallFile::read() const {
  if (file_ < 0) return Error{std::strerror(error_)};
  struct stat facts {};
  if (::fstat(file_, &facts) != 0 || !S_ISREG(facts.st_mode)) return Error{"it is no plain file"};
  std::string content(longest + 1, '\0');
  std::size_t size = 0;
  while (size < content.size()) {
    const auto more = ::read(file_, content.data() + size, content.size() - size);
    if (more < 0) return Error{std::strerror(errno)};
    if (more == 0) break;
    size += static_cast<std::size_t>(more);
  }
  if (size > longest) return Error{"it is longer than " + std::to_string(longest) + " bytes"};
  content.resize(size);
  return content;
}

} // namespace almanac
