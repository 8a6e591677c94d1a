#include "tools/coallocate/name_lookup.hpp"

#include <mutex>
#include <sys/eventfd.h>
#include <system_error>
#include <thread>
#include <utility>

namespace almanac {

namespace {

int ask(const std::string& host, std::uint16_t port, int flags, Addresses& found) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = flags;
  addrinfo* list = nullptr;
  const int code = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &list);
  if (code == 0) found.reset(list);
  return code;
}

} // namespace

// Of the thread and of who began it: the last of them drops it.
struct NameLookup::Shared {
  Descriptor bell{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  std::mutex mutex;
  std::optional<Result<Addresses>> outcome;
};

Result<NameLookup> NameLookup::begin(Resolve resolve) {
  auto shared = std::make_shared<Shared>();
  if (*shared->bell < 0) return Error{"there is no descriptor to look up a name"};
  try {
    std::thread([shared, resolve = std::move(resolve)] {
      auto outcome = resolve();
      const std::lock_guard lock(shared->mutex);
      shared->outcome = std::move(outcome);
      ::eventfd_write(*shared->bell, 1);
    }).detach();
  } catch (const std::system_error&) {
    return Error{"there is no thread to look up a name"};
  }
  return NameLookup(std::move(shared));
}

int NameLookup::descriptor() const { return *shared_->bell; }

std::optional<Result<Addresses>> NameLookup::take() {
  const std::lock_guard lock(shared_->mutex);
  return std::exchange(shared_->outcome, std::nullopt);
}

Result<Addresses> addresses_of(const std::string& host, std::uint16_t port) {
  Addresses found;
  if (const int code = ask(host, port, 0, found); code != 0)
    return Error{host + ": " + ::gai_strerror(code)};
  return found;
}

Addresses addresses_of_digits(const std::string& host, std::uint16_t port) {
  Addresses found;
  ask(host, port, AI_NUMERICHOST, found);
  return found;
}

} // namespace almanac
