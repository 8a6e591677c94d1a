// What differs for a job whose user waits for it (spec/cli.md section 10).
//
// 1. Without a command it is the user's login shell. A command is read by that shell, as a remote
//    shell does: its words are put together with blanks, and special characters are the shell's
//    (qrsh echo '$HOME'). A script (-b n) and words that no shell is to read (-noshell, -shell n)
//    are run as those of qsub.
// 2. Its streams go to the client: -o, -e, -j, and -i of request files, say nothing (C10.10).
// 3. A starter_method of the queue runs commands of users, too.
#pragma once

#include "core/execution/shepherd_order.hpp"
#include "core/job/job.hpp"

namespace almanac {

/// Changes what a shepherd would be told of the same job of qsub.
void make_interactive(ShepherdOrder& order, const Job& job);

} // namespace almanac
