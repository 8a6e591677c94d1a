// The commands, a function each.
#pragma once

#include "tools/commands/context.hpp"

namespace almanac {

int qsub(Context& context);
int qdel(Context& context);
int qalter(Context& context);
int qhold(Context& context);
int qrls(Context& context);
int qselect(Context& context);
int gmeta(Context& context);
int qstat(Context& context);
int qhost(Context& context);
int qmod(Context& context);
int qconf(Context& context);
int qacct(Context& context);
int qresub(Context& context);
int qrsh(Context& context);
int qsh(Context& context);
int qlogin(Context& context);
int qrsub(Context& context);
int qralter(Context& context);
int qrdel(Context& context);
int qrstat(Context& context);
int qquota(Context& context);
int plus_scheduler(Context& context);
int plus_schedkill(Context& context);
int plus_reserve(Context& context);
int plus_status(Context& context);
int plus_cancel(Context& context);
int plus_destroy(Context& context);
int plus_modify(Context& context);
int plus_availnodes(Context& context);
int plus_commit(Context& context);
int plus_abort(Context& context);
int plus_account(Context& context);
int almanac_console(Context& context);

} // namespace almanac
