#include "tools/client/door_channel.hpp"

#include "tools/client/client.hpp"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

namespace almanac {

namespace {

using OpenChannel = Result<std::unique_ptr<DoorChannel>>(const std::string& authority);
using ProveClaim = Result<std::string>(ClaimProver& prover);

constexpr const char* copy_it = ": copy doors.pem, and doors with it, from the directory of the "
                                "cell on the master's host";

// `what` needs it.
template <class Function>
Result<Function*> load(const std::string& path, const char* function, const std::string& what) {
  if (path.empty())
    return Error{what + ", and nothing says where door-tls-" ALMANAC_VERSION ".so lies"};
  // Never closed: OpenSSL has something to do at the end of the process.
  void* const module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const found = module ? ::dlsym(module, function) : nullptr;
  if (found) return reinterpret_cast<Function*>(found);
  const char* why = ::dlerror();
  return Error{what + ", which can't be loaded: " + (why ? why : "no reason is given") +
               ". It is installed with the programs, as lib/almanac/door-tls-" ALMANAC_VERSION
               ".so beside their folder"};
}

} // namespace

std::string tls_module_beside(const std::string& program) {
  const auto slash = program.rfind('/');
  if (slash == std::string::npos) return "";
  return program.substr(0, slash) + "/../lib/almanac/door-tls-" ALMANAC_VERSION ".so";
}

Result<std::unique_ptr<DoorChannel>> open_door_channel(const std::string& module,
                                                       const std::string& authority) {
  if (::access(authority.c_str(), R_OK) != 0)
    return Error{"a TCP door needs " + authority + ", which can't be read (" +
                 std::strerror(errno) + ")" + copy_it};
  const auto open = load<OpenChannel>(module, "almanac_open_door_channel", "a TCP door needs TLS");
  if (!open) return open.error();
  auto channel = (*open)(authority);
  if (!channel) return Error{authority + " is not the certificate of a cell" + copy_it};
  return channel;
}

Result<std::string> prove_claim(const std::string& tls_module, ClaimProver prover) {
  const auto make = load<ProveClaim>(tls_module, "almanac_prove_claim", "a claim needs OpenSSL");
  if (!make) return make.error();
  return (*make)(prover);
}

} // namespace almanac
