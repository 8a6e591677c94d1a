// A site that is reached at its port for metaschedulers: TLS 1.3, and a certificate of the caller
// or a seal on each line (docs/spec/metascheduler.md section 2).
#pragma once

#include "tools/coallocate/plan_file.hpp"
#include "tools/coallocate/site_way.hpp"

namespace almanac {

/// Begins to connect. The name of the host is looked up first, which may take some seconds.
Result<std::unique_ptr<SiteWay>> open_tls_site(const SitePlace& place);

} // namespace almanac
