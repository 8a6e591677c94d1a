// The headers of all kinds of records that kinds.def names.
#pragma once

#include "core/configuration/objects/site_file.hpp"
#include "core/host/host.hpp"
#include "core/host/host_key.hpp"
#include "core/job/job.hpp"
#include "core/job/task.hpp"
#include "core/reservation/claim_challenge.hpp"
#include "core/reservation/reservation.hpp"
#include "core/reservation/series.hpp"
