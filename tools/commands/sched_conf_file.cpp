#include "tools/commands/sched_conf_file.hpp"

#include "core/configuration/objects/site_file.hpp"
#include "tools/client/client.hpp"
#include "tools/commands/small_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr const char* file_name = "sched_conf";

// A folder of an agent has a copy of the cell's files: what is written there changes nothing.
bool is_of_an_agent(const std::string& directory) {
  return ::access((directory + "/ticket").c_str(), F_OK) == 0;
}

Error wrong(const std::string& path, int problem) {
  return Error{"-c: can't write " + path + ": " + std::strerror(problem) +
               ". Use -c on the master's host, as a user who may write there"};
}

// 0, or as errno.
int write_whole(int file, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const auto size = ::write(file, text.data() + written, text.size() - written);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno;
    written += static_cast<std::size_t>(size);
  }
  return ::fsync(file) == 0 ? 0 : errno;
}

} // namespace

Result<std::string> read_sched_conf(const std::string& path) {
  auto text = SmallFile(path).read();
  if (!text) return Error{"-c " + path + ": " + text.what()};
  if (const auto fault = fault_of(file_name, *text)) return Error{"-c " + path + ": " + *fault};
  // Nothing in it means the usual keys, as no file does.
  return text->empty() ? std::string("\n") : *text;
}

Outcome write_sched_conf(const Context& context, const std::string& text) {
  const auto cell = find_cell(context.environment);
  if (is_of_an_agent(cell.directory))
    return Error{"-c: " + cell.directory +
                 " is the folder of an agent: use -c on the master's "
                 "host"};
  const auto path = cell.common + "/" + file_name;
  const auto beside = cell.common + "/." + file_name + "." + std::to_string(::getpid());
  const int file =
      ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (file < 0) return wrong(path, errno);
  // The master reads it, whatever the umask of the caller says.
  auto problem = ::fchmod(file, 0644) == 0 ? write_whole(file, text) : errno;
  if (::close(file) != 0 && problem == 0) problem = errno;
  if (problem == 0 && std::rename(beside.c_str(), path.c_str()) != 0) problem = errno;
  if (problem == 0) return Done{};
  ::unlink(beside.c_str());
  return wrong(path, problem);
}

} // namespace almanac
