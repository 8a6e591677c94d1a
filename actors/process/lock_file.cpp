#include "actors/process/lock_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

// It is the daemon's user's alone: who may open it may keep it. An earlier version let all read it.
Result<int> lock_file(const std::string& path, const std::string& folder) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file >= 0 && ::fchmod(file, 0600) != 0)
    return Error{"can't close " + path + " to others: " + std::strerror(errno)};
  if (file < 0) return Error{"can't open " + path + ": " + std::strerror(errno)};
  // One that was killed just now may still be on its way out.
  constexpr int tries = 30;
  for (int left = tries; ::flock(file, LOCK_EX | LOCK_NB) != 0; --left) {
    if (left == 0) {
      ::close(file);
      return Error{"another process works in " + folder};
    }
    ::usleep(100'000);
  }
  return file;
}

} // namespace almanac
