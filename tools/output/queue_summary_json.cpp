#include "tools/output/json.hpp"
#include "tools/output/queue_summary.hpp"

namespace almanac {

void print_summaries_json(std::ostream& out, const std::vector<QueueSummary>& queues) {
  print_json(out, {{"cluster_queues", json_list(queues, [](const QueueSummary& queue) {
                      Json made{{"name", queue.name},
                                {"slots_used", queue.used},
                                {"slots_reserved", queue.reserved},
                                {"slots_available", queue.available},
                                {"slots_total", queue.total},
                                {"slots_closed", queue.closed},
                                {"slots_broken", queue.broken}};
                      if (queue.load) made["load"] = *queue.load;
                      auto states = Json::object();
                      for (std::size_t i = 0; i < summary_letters.size(); ++i)
                        states[std::string(1, summary_letters[i])] = queue.in_state.at(i);
                      made["slots_in_state"] = std::move(states);
                      return made;
                    })}});
}

} // namespace almanac
