// What a shepherd is told: a file of names and values, each ended by a zero byte.
//
// The shepherd links no codec, so that it starts fast.
#pragma once

#include "core/base/result.hpp"
#include "core/configuration/object.hpp"
#include "core/execution/process_limits.hpp"

#include <string>
#include <vector>

namespace almanac {

/// A command of the site before or after the job; nothing to run where `line` is empty.
struct ShepherdStep {
  std::string line;
  std::string user; ///< "" : stay who you are
  std::int64_t uid = 0, gid = 0;
};

struct ShepherdOrder {
  std::string user; ///< "" : stay who you are
  std::int64_t uid = 0, gid = 0;
  ShepherdStep prolog, pe_start, pe_stop, epilog;
  std::string directory;
  std::string output, error; ///< paths; a directory takes the default name inside it
  std::string output_name, error_name;
  bool join = false;
  bool pipe_output = false; ///< output and error are files in the spool
  std::int64_t limit = 0;   ///< seconds; 0: none
  std::int64_t soft_limit = 0;
  std::vector<ProcessLimit> limits; ///< of each process of the job
  std::int64_t notice = 0; ///< seconds from a notification to SIGKILL or SIGSTOP; 0: at once
  std::int64_t notice_of_kill = 0, notice_of_suspension = 0; ///< signals; 0: none
  std::string cgroup;                                        ///< a cgroup v2 leaf, or ""
  std::string marker;     ///< value of ALMANAC_TASK in the process's environment
  std::string input;      ///< a file for standard input, or ""
  std::string must_exist; ///< a program that has to be executable, or ""
  std::string lease;      ///< a file with the stamp of the agent's lease
  std::int64_t fence = 0; ///< seconds from that stamp to the end of the process; 0: none
  /// When the fence fires by the stamp as it was when the order came: one that is renewed since
  /// then says nothing about this order. Milliseconds since boot; 0: no fence.
  std::int64_t begin_by = 0;
  std::string remove_after; ///< a directory of the user's, removed at the end
  std::vector<std::string> arguments;
  std::vector<Attribute> environment;
};

/// When the fence fires by the stamp as it is now, in milliseconds since boot: the agent renews it
/// as long as the master hears it.
std::int64_t fence_at_ms(const ShepherdOrder& order);
std::string print_shepherd_order(const ShepherdOrder& order);
Result<ShepherdOrder> parse_shepherd_order(const std::string& text);

} // namespace almanac
