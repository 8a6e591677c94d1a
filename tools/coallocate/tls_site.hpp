// A site that is reached at its port for metaschedulers: TLS 1.3, and a certificate of the caller
// or a seal on each line (docs/spec/metascheduler.md section 2).
#pragma once

#include "tools/coallocate/name_lookup.hpp"
#include "tools/coallocate/plan_file.hpp"
#include "tools/coallocate/site_way.hpp"

namespace almanac {

/// Begins to connect, and does not wait: a thread looks up the name of the host first
/// (name_lookup.hpp), so deadlines of other sites hold meanwhile. A name that is not found ends the
/// way in work(). Certificate, key or secret are read anew each time: they may have been renewed.
/// `resolve` is how that thread does it; where there is none, it asks the C library.
Result<std::unique_ptr<SiteWay>> open_tls_site(const SitePlace& place,
                                               NameLookup::Resolve resolve = {});

} // namespace almanac
