#include "tools/client/door_channel.hpp"

#include <cerrno>
#include <climits>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

namespace almanac {

namespace {

using OpenChannel = Result<std::unique_ptr<DoorChannel>>(const std::string& authority);

constexpr const char* copy_it = ": copy doors.pem, and doors with it, from the directory of the "
                                "cell on the master's host";

// Beside the programs, wherever they were installed.
Result<std::string> path_of_module() {
  char program[PATH_MAX];
  const auto size = ::readlink("/proc/self/exe", program, sizeof program);
  if (size <= 0 || size == sizeof program)
    return Error{std::string("can't tell where this program lies: ") + std::strerror(errno)};
  const std::string path(program, static_cast<std::size_t>(size));
  return path.substr(0, path.rfind('/')) + "/../lib/almanac/door-tls-" ALMANAC_VERSION ".so";
}

Result<OpenChannel*> load_module() {
  const auto path = path_of_module();
  if (!path) return path.error();
  // Never closed: OpenSSL has something to do at the end of the process.
  void* const module = ::dlopen(path->c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const found = module ? ::dlsym(module, "almanac_open_door_channel") : nullptr;
  if (found) return reinterpret_cast<OpenChannel*>(found);
  const char* why = ::dlerror();
  return Error{std::string("a TCP door needs TLS, which can't be loaded: ") +
               (why ? why : "no reason is given") +
               ". It is installed with the programs, as lib/almanac/door-tls-" ALMANAC_VERSION
               ".so beside their folder"};
}

} // namespace

Result<std::unique_ptr<DoorChannel>> open_door_channel(const std::string& authority) {
  if (::access(authority.c_str(), R_OK) != 0)
    return Error{"a TCP door needs " + authority + ", which can't be read (" +
                 std::strerror(errno) + ")" + copy_it};
  const auto open = load_module();
  if (!open) return open.error();
  auto channel = (*open)(authority);
  if (!channel) return Error{authority + " is not the certificate of a cell" + copy_it};
  return channel;
}

} // namespace almanac
