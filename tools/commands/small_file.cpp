#include "tools/commands/small_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

// A named pipe would keep us waiting.
SmallFile::SmallFile(const std::string& path, std::size_t longest)
    : longest_(longest),
      file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)),
      error_(errno) {
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
  std::string content(longest_ + 1, '\0');
  std::size_t size = 0;
  while (size < content.size()) {
    const auto more = ::read(file_, content.data() + size, content.size() - size);
    if (more < 0) return Error{std::strerror(errno)};
    if (more == 0) break;
    size += static_cast<std::size_t>(more);
  }
  if (size > longest_) return Error{"it is longer than " + std::to_string(longest_) + " bytes"};
  content.resize(size);
  return content;
}

bool SmallFile::is_open_to_others() const {
  struct stat facts {};
  return file_ >= 0 && ::fstat(file_, &facts) == 0 && (facts.st_mode & (S_IRWXG | S_IRWXO)) != 0;
}

Result<std::string> SmallFile::read_closed() const {
  auto content = read();
  if (!content) return content;
  struct stat facts {};
  if (::fstat(file_, &facts) != 0) return Error{std::strerror(errno)};
  if ((facts.st_uid != 0 && facts.st_uid != ::geteuid()) || (facts.st_mode & (S_IWGRP | S_IWOTH)))
    return Error{"others than root and the user who starts this can write it: chown it, and "
                 "chmod go-w"};
  return content;
}

} // namespace almanac
