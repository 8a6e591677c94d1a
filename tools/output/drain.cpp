#include "tools/output/drain.hpp"

#include "tools/output/local_time.hpp"

namespace almanac {

std::string drain_in_words(const door::DrainView& drain) {
  if (drain.by.empty() && !drain.is_explained()) return "";
  std::string text = "disabled";
  if (!drain.by.empty()) text += " by " + drain.by;
  if (drain.since.seconds) text += " since " + print_time(drain.since);
  if (drain.until.seconds) text += " until " + print_time(drain.until);
  return drain.why.empty() ? text : text + ": " + drain.why;
}

} // namespace almanac
