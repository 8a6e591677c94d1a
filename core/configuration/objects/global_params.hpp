// The lists of parameters that the global configuration has (spec/objects.md section 7): qmaster_params,
// execd_params and reporting_params.
#pragma once

#include "core/configuration/objects/global_configuration.hpp"

namespace almanac {

// Readers of attribute rows: what is not known or not built yet is an error.
Outcome read_qmaster_params(GlobalConfiguration& conf, const GivenAttribute& given);
Outcome read_execd_params(GlobalConfiguration& conf, const GivenAttribute& given);
Outcome read_reporting_params(GlobalConfiguration& conf, const GivenAttribute& given);

} // namespace almanac
