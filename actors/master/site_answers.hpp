// Who waits for what a site says of a reservation before it is granted or changed (spec/beyond.md B8.51).
//
// Their answer is kept from the first moment as what it is if nothing comes of it: after a crash whoever
// asks again hears that. It is replaced in the batch of the outcome.
#pragma once

#include "actors/master/decided.hpp"

#include <map>
#include <string>
#include <vector>

namespace almanac {

class NextCommit;

class SiteAnswers {
public:
  using Promise = caf::typed_response_promise<Answer>;

  /// A request, by its answer_key(), whose decision has to wait for the site.
  void begin(const std::string& key, const std::string& request_hash, const Decisions& decisions);
  bool is_awaited(const std::string& key) const;
  /// One more who sent that request, which waits.
  Promise join(const std::string& key, Promise asker);
  /// Hands over those for whom this decision brings the answer, or the end of what they asked for.
  void settle(Decided& decided, NextCommit& next, Instant at);

  std::size_t size() const { return waiting_.size(); }

private:
  struct Waiting {
    std::string key, request_hash;
    Answer answer; ///< what counts until the site has spoken
    std::vector<Promise> askers;
  };

  std::map<ReservationKey, Waiting> waiting_;
};

} // namespace almanac
