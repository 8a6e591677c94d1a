// A line of the metascheduler's interface and its answer (spec/metascheduler.md sections 2 to 4 and
// 8). Both ways to reach a cell from outside, gmeta and the port, answer with it.
#pragma once

#include "tools/commands/context.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

struct SiteReply {
  std::vector<std::string> lines; ///< without line breaks
  std::int64_t status = 0;        ///< of the first line
  std::string
      cause{}; ///< for who sees to this side: why the master or a key could not be asked; ""

  /// M3.49: 0 to 125.
  int exit_code() const;
};

/// Who sends lines to the port (M2.6, M2.7).
struct SiteSubject {
  std::string name; ///< "": the caller of the command is who sends them
  std::string user; ///< for whom a line without USER is; "": for nobody
};

/// The line ends with its last character or a line break. Whatever it is, there is a reply.
/// `key_file`: with the key of the reservation that is settled, changed or released; "": none.
SiteReply answer_line(Context& context, std::string_view line, const std::string& key_file = "",
                      const SiteSubject& subject = {});

/// Whether the key in this file is good, as the site says; it is not used up (M6.20). There is a
/// reply whatever the file holds, also where there is none.
SiteReply try_key(Context& context, const std::string& key_file);

} // namespace almanac
