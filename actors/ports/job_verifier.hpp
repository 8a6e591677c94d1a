// Who asks the JSV of a cell about a job.
#pragma once

#include "core/request/jsv_dialogue.hpp"

#include <string>

namespace almanac {

struct JsvOutcome {
  std::string failure; ///< a sentence without its end; "": there is a verdict
  JsvVerdict verdict;  ///< also of a failure: what was written to the log until then
};

class JobVerifier {
public:
  virtual ~JobVerifier() = default;
  /// Returns when it has said what becomes of the job, or has failed. Several threads may call.
  virtual JsvOutcome verify(const std::string& url, JsvDialogue dialogue) = 0;
  /// Why it would not be started, as things are; "" if it would. Several threads may call.
  virtual std::string distrust(const std::string& url) const = 0;
};

} // namespace almanac
