#include "tools/coallocate/name_lookup.hpp"

#include "actors/process/descriptor.hpp"

#include <map>
#include <mutex>
#include <sys/eventfd.h>
#include <system_error>
#include <thread>
#include <utility>

namespace almanac {

// Of the thread and of all who wait: the last of them drops it.
struct NameLookup::Shared {
  Descriptor bell{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  std::mutex mutex;
  std::optional<Result<SharedAddresses>> outcome;
};

// The lookups that have no outcome yet, by their names.
class NameLookup::UnderWay {
public:
  // It is never destroyed: a thread may come back while the process ends.
  static UnderWay& all() {
    static auto& instance = *new UnderWay;
    return instance;
  }

  // The one of this name, and whether it is new.
  std::pair<std::shared_ptr<Shared>, bool> join(const std::string& name) {
    const std::lock_guard lock(mutex_);
    auto& shared = of_[name];
    const bool is_new = !shared;
    if (is_new) shared = std::make_shared<Shared>();
    return {shared, is_new};
  }
  void remove(const std::string& name) {
    const std::lock_guard lock(mutex_);
    of_.erase(name);
  }

private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Shared>> of_;
};

Result<NameLookup> NameLookup::begin(const std::string& name, Resolve resolve) {
  auto& under_way = UnderWay::all();
  auto [shared, is_new] = under_way.join(name);
  if (!is_new) return NameLookup(std::move(shared));
  if (*shared->bell < 0) {
    under_way.remove(name);
    return Error{"there is no descriptor to look up a name"};
  }
  try {
    std::thread([&under_way, name, shared = shared, resolve = std::move(resolve)] {
      auto found = resolve();
      under_way.remove(name);
      const std::lock_guard lock(shared->mutex);
      if (found) shared->outcome = SharedAddresses(*std::move(found));
      else shared->outcome = found.error();
      ::eventfd_write(*shared->bell, 1);
    }).detach();
  } catch (const std::system_error&) {
    under_way.remove(name);
    return Error{"there is no thread to look up a name"};
  }
  return NameLookup(std::move(shared));
}

int NameLookup::descriptor() const { return *shared_->bell; }

std::optional<Result<SharedAddresses>> NameLookup::outcome() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->outcome;
}

} // namespace almanac
