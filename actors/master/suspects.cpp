#include "actors/master/suspects.hpp"

#include <spdlog/spdlog.h>

namespace almanac {

std::optional<Answer> crashed_over(const Notebook& notebook, const Caller& caller,
                                   const std::string& key) {
  const auto slash = key.find('/');
  if (caller.uid != 0 && notebook.crashes_over(key.substr(0, slash + 1)) >= 2) {
    spdlog::error(
        "a request of {} is rejected: the master crashed twice while handling requests of "
        "this user",
        caller.user);
    return Answer::refusal("the master crashed twice while handling requests of user " +
                           caller.user + ": they are rejected until an operator restarts it");
  }
  if (notebook.is_poison(key)) {
    spdlog::error("request {} of {} is rejected: the master crashed twice while handling it",
                  key.substr(slash + 1), caller.user);
    return Answer::refusal("the master crashed twice while handling this request: it was rejected");
  }
  return std::nullopt;
}

} // namespace almanac
