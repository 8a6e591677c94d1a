#include "core/configuration/subordinate_cycles.hpp"

#include "core/text/words.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace almanac {

namespace {

using Below = std::map<std::string, const Subordinates*>; // of the queues of one host

// Finds the way from a queue back to itself; queues that lead nowhere are looked at once.
class Search {
public:
  explicit Search(const Below& below) : below_(below) {}

  bool finds_cycle_from(const std::string& queue) {
    if (const auto here = std::find(way_.begin(), way_.end(), queue); here != way_.end()) {
      way_.erase(way_.begin(), here);
      way_.push_back(queue);
      return true;
    }
    const auto found = below_.find(queue);
    if (found == below_.end() || !seen_.insert(queue).second) return false;
    way_.push_back(queue);
    for (const auto& subordinate : found->second->queues)
      if (finds_cycle_from(subordinate.queue)) return true;
    way_.pop_back();
    return false;
  }
  const std::vector<std::string>& way() const { return way_; }

private:
  const Below& below_;
  std::vector<std::string> way_;
  std::set<std::string> seen_;
};

} // namespace

Outcome check_subordinate_cycles(const std::vector<QueueInstance>& instances) {
  std::map<std::string, Below> hosts;
  for (const auto& instance : instances)
    if (!instance.settings.subordinates.queues.empty() && !instance.orphaned)
      hosts[instance.name.host][instance.name.queue] = &instance.settings.subordinates;
  for (const auto& [host, below] : hosts) {
    Search search(below);
    for (const auto& [queue, list] : below)
      if (search.finds_cycle_from(queue))
        return Error{"cluster queue \"" + search.way().front() +
                     "\": subordinate_list makes it subordinate to itself on host \"" + host +
                     "\": " + join(search.way(), " above ")};
  }
  return Done{};
}

} // namespace almanac
