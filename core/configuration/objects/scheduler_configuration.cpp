#include "core/configuration/objects/scheduler_configuration.hpp"

#include "core/configuration/objects/idle_params.hpp"
#include "core/configuration/objects/readers.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

using namespace readers;
using S = SchedulerConfiguration;

// As Grid Engine says it, and which numbers there are (spec/observed-gridengine.md V8.1).
Outcome in_its_words(const Outcome& read, const GivenAttribute& given) {
  if (read) return read;
  return Error{"error parsing unsigned long value from string \"" + given.text +
               "\": it takes numbers from 0 to " + std::to_string(most)};
}
template <auto member> Outcome count(S& conf, const GivenAttribute& given) {
  return in_its_words(number<member>(conf, given), given);
}
template <auto member> Outcome count_of_seconds(S& conf, const GivenAttribute& given) {
  return in_its_words(seconds<member>(conf, given), given);
}

Outcome read_sort_method(S& conf, const GivenAttribute& given) {
  if (given.text != "load" && given.text != "seqno")
    return Error{"\"" + given.text + "\" is not load or seqno"};
  conf.load_before_seq_no = given.text == "load";
  return Done{};
}

Outcome read_adjustments(S& conf, const GivenAttribute& given) {
  const auto adjustments = parse_value_list(given.text);
  if (!adjustments) return adjustments.error();
  for (const auto& [name, text] : *adjustments) {
    const auto value = parse_millionths(text);
    if (!value) return Error{"\"" + text + "\" is not a number"};
    conf.load_adjustments[name] = *value;
  }
  return Done{};
}

Outcome read_decay(S& conf, const GivenAttribute& given) {
  if (auto read = duration<&S::load_decay>(conf, given); !read) return read;
  if (conf.load_decay.is_endless()) return Error{"it needs an end"};
  return Done{};
}

Outcome read_formula(S& conf, const GivenAttribute& given) {
  return take<&S::load_formula>(conf, parse_load_formula(given.text));
}

// "true", "false", "job_list 3,7-9".
Outcome read_job_info(S& conf, const GivenAttribute& given) {
  const auto found = words(given.text, " \t,");
  conf.told_jobs.clear();
  if (found.empty() || found.front() != "job_list") return toggle<&S::job_info>(conf, given);
  conf.job_info = false;
  for (std::size_t i = 1; i < found.size(); ++i) {
    const auto dash = found[i].find('-');
    const auto from = parse_number(found[i].substr(0, dash));
    const auto to = dash == std::string::npos ? from : parse_number(found[i].substr(dash + 1));
    if (!from || !to || *from < 1 || *to < *from)
      return Error{"\"" + found[i] + "\" is not the number of a job, or a range such as 7-9"};
    conf.told_jobs.push_back({{*from}, {*to}});
  }
  if (conf.told_jobs.empty()) return Error{"job_list needs the numbers of jobs"};
  return Done{};
}

// Its row is behind that of max_reservation.
Outcome read_default_duration(S& conf, const GivenAttribute& given) {
  if (auto read = duration<&S::default_duration>(conf, given); !read) return read;
  if (conf.most_holds > 0 && conf.default_duration.seconds == 0)
    return Error{"denied: resource reservation requires valid default duration"};
  return Done{};
}

// ---- params -----------------------------------------------------------------------------------

Outcome read_backfill(S& conf, const std::string& value) {
  if (value == "none") conf.backfill = Backfill::none;
  else if (value == "priority") conf.backfill = Backfill::priority;
  else if (value == "shortest") conf.backfill = Backfill::shortest;
  else return Error{"is not none, priority or shortest"};
  return Done{};
}

Outcome read_expired(S& conf, const std::string& value) {
  constexpr std::int64_t most_kept = 100'000;
  const auto number = parse_number(value);
  if (!number || *number > most_kept)
    return Error{"is not a number from 0 to " + std::to_string(most_kept)};
  conf.most_expired = *number;
  return Done{};
}

// The error says what comes behind the parameter.
Outcome read_param(S& conf, const Param& param) {
  const auto& [name, has_value, value] = param;
  if (name == "DURATION_OFFSET") {
    const auto offset = parse_duration(value);
    if (!offset || offset->is_endless()) return Error{"is not a time"};
    conf.duration_offset = *offset;
  } else if (name == "MONITOR") {
    const auto on = param.on();
    if (!on) return Error{"is not 0 or 1"};
    conf.monitor = *on;
  } else if (name == "BACKFILL") return read_backfill(conf, value);
  else if (name == "HOLDS") {
    if (value != "kept" && value != "fresh") return Error{"is not kept or fresh"};
    conf.keeps_holds = value == "kept";
  } else if (name == "EXPIRED_AR") return read_expired(conf, value);
  else if (auto read = read_plus_param(conf.plus, name, value)) return *read;
  else if (!is_idle_param("params", name, value)) return Error{"is not built yet"};
  return Done{};
}

Outcome read_params(S& conf, const GivenAttribute& given) {
  for (const auto& param : parse_name_list(given.text))
    if (auto read = read_param(conf, Param(param)); !read)
      return Error{"\"" + param + "\" " + read.what()};
  return Done{};
}

Outcome read_share_tickets(S&, const GivenAttribute& given) {
  if (given.only_fallback()) return Done{};
  return Error{"\"" + given.text + "\": there is no share tree, so it must be 0"};
}

// ---- what a change may not write: the values have no effect, and are at least sound ------------

template <auto parse> Outcome sound(const GivenAttribute& given, const ComplexTable&) {
  const auto parsed = parse(given.text);
  return parsed ? Outcome(Done{}) : Outcome(parsed.error());
}
constexpr auto a_time = sound<parse_duration>;
constexpr auto a_number = sound<number_of>;
constexpr auto a_weight = sound<weight_of>;
constexpr auto a_switch = sound<parse_switch>;

// "none", or "cpu=7:mem=3".
Outcome half_lives(const GivenAttribute& given, const ComplexTable&) {
  if (equal_ignoring_case(given.text, "none")) return Done{};
  for (const auto& entry : split(given.text, ':')) {
    const auto equals = entry.find('=');
    if (equals == std::string::npos || equals == 0 || !parse_signed(entry.substr(equals + 1)))
      return Error{"\"" + given.text + "\" is not none or, as in cpu=7:mem=3, a list of numbers"};
  }
  return Done{};
}

Outcome weights(const GivenAttribute& given, const ComplexTable&) {
  const auto values = parse_value_list(given.text);
  if (!values) return values.error();
  for (const auto& [name, text] : *values)
    if (auto weight = weight_of(text); !weight) return weight.error();
  return Done{};
}

// Which of override, functional and share tickets is first: with the second behind the first nothing
// changes where there is no share tree.
Outcome a_hierarchy(const GivenAttribute& given, const ComplexTable&) {
  std::string letters = equal_ignoring_case(given.text, "NONE") ? "" : given.text;
  for (std::size_t i = 0; i < letters.size(); ++i)
    if (std::string_view("OFS").find(letters[i]) == std::string_view::npos ||
        letters.find(letters[i]) < i)
      return Error{"\"" + given.text + "\" is not NONE or letters of O, F and S, each once"};
  if (letters.find("FO") != std::string::npos || letters.find("FSO") != std::string::npos)
    return Error{"\"" + given.text + "\" is not built yet, only with O before F"};
  return Done{};
}

// ---- the rows ---------------------------------------------------------------------------------

// There is no share tree: what belongs to it is kept and shown.
const AttributeRow<S> rows[]{
    {.name = "algorithm",
     .fallback = "default",
     .shape = ValueShape::single,
     .read = only_fallback<S>,
     .check = anything},
    {.name = "schedule_interval",
     .fallback = "0:0:15",
     .shape = ValueShape::single,
     .read = interval<&S::schedule_interval>,
     .check = anything},
    {.name = "maxujobs",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = count<&S::most_user_jobs>,
     .check = anything},
    {.name = "queue_sort_method",
     .fallback = "load",
     .shape = ValueShape::single,
     .read = read_sort_method,
     .check = anything},
    {.name = "job_load_adjustments",
     .fallback = "np_load_avg=0.50",
     .shape = ValueShape::amounts,
     .read = read_adjustments,
     .check = anything},
    {.name = "load_adjustment_decay_time",
     .fallback = "0:7:30",
     .shape = ValueShape::single,
     .read = read_decay,
     .check = anything},
    {.name = "load_formula",
     .fallback = "np_load_avg",
     .shape = ValueShape::single,
     .read = read_formula,
     .check = anything},
    {.name = "schedd_job_info",
     .fallback = "true",
     .shape = ValueShape::single,
     .read = read_job_info,
     .check = anything},
    {.name = "flush_submit_sec",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = count_of_seconds<&S::flush_submit>,
     .check = anything},
    {.name = "flush_finish_sec",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = count_of_seconds<&S::flush_finish>,
     .check = anything},
    {.name = "params",
     .fallback = "none",
     .shape = ValueShape::amounts,
     .read = read_params,
     .check = anything},
    {.name = "reprioritize_interval",
     .fallback = "0:0:0",
     .shape = ValueShape::single,
     .read = unread<S>,
     .check = a_time},
    {.name = "halftime",
     .fallback = "168",
     .shape = ValueShape::single,
     .read = unread<S>,
     .check = a_number},
    {.name = "usage_weight_list",
     .fallback = "cpu=1.000000,mem=0.000000,io=0.000000",
     .shape = ValueShape::amounts,
     .read = unread<S>,
     .check = weights},
    {.name = "compensation_factor",
     .fallback = "5.000000",
     .shape = ValueShape::single,
     .read = unread<S>,
     .check = a_weight},
    {.name = "halflife_decay_list",
     .fallback = "none",
     .shape = ValueShape::single,
     .read = unread<S>,
     .check = half_lives},
    {.name = "policy_hierarchy",
     .fallback = "OFS",
     .shape = ValueShape::single,
     .read = unread<S>,
     .check = a_hierarchy},
    {.name = "weight_user",
     .fallback = "0.250000",
     .shape = ValueShape::single,
     .read = weight<&S::weight_user>,
     .check = anything},
    {.name = "weight_project",
     .fallback = "0.250000",
     .shape = ValueShape::single,
     .read = weight<&S::weight_project>,
     .check = anything},
    {.name = "weight_department",
     .fallback = "0.250000",
     .shape = ValueShape::single,
     .read = weight<&S::weight_department>,
     .check = anything},
    {.name = "weight_job",
     .fallback = "0.250000",
     .shape = ValueShape::single,
     .read = weight<&S::weight_job>,
     .check = anything},
    {.name = "weight_tickets_functional",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = count<&S::functional_tickets>,
     .check = anything},
    {.name = "weight_tickets_share",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = read_share_tickets,
     .check = anything},
    {.name = "share_override_tickets",
     .fallback = "TRUE",
     .shape = ValueShape::single,
     .read = toggle<&S::shares_override_tickets>,
     .check = anything},
    {.name = "share_functional_shares",
     .fallback = "TRUE",
     .shape = ValueShape::single,
     .read = toggle<&S::shares_functional_shares>,
     .check = anything},
    {.name = "max_functional_jobs_to_schedule",
     .fallback = "200",
     .shape = ValueShape::single,
     .read = unread<S>,
     .check = a_number},
    {.name = "report_pjob_tickets",
     .fallback = "TRUE",
     .shape = ValueShape::single,
     .read = unread<S>,
     .check = a_switch},
    {.name = "max_pending_tasks_per_job",
     .fallback = "50",
     .shape = ValueShape::single,
     .read = unread<S>,
     .check = a_number},
    {.name = "weight_ticket",
     .fallback = "0.010000",
     .shape = ValueShape::single,
     .read = weight<&S::weight_ticket>,
     .check = anything},
    {.name = "weight_waiting_time",
     .fallback = "0.000000",
     .shape = ValueShape::single,
     .read = weight<&S::weight_waiting_time>,
     .check = anything},
    {.name = "weight_deadline",
     .fallback = "3600000.000000",
     .shape = ValueShape::single,
     .read = weight<&S::weight_deadline>,
     .check = anything},
    {.name = "weight_urgency",
     .fallback = "0.100000",
     .shape = ValueShape::single,
     .read = weight<&S::weight_urgency>,
     .check = anything},
    {.name = "weight_priority",
     .fallback = "1.000000",
     .shape = ValueShape::single,
     .read = weight<&S::weight_priority>,
     .check = anything},
    {.name = "max_reservation",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = count<&S::most_holds>,
     .check = anything},
    {.name = "default_duration",
     .fallback = "INFINITY",
     .shape = ValueShape::single,
     .read = read_default_duration,
     .check = anything},
};

} // namespace

bool SchedulerConfiguration::tells_why(JobNumber job) const {
  return job_info || std::any_of(told_jobs.begin(), told_jobs.end(), [&](const auto& range) {
           return range.first <= job && job <= range.second;
         });
}

Result<SchedulerConfiguration> SchedulerConfiguration::parse(const ConfigurationObject& object) {
  SchedulerConfiguration conf;
  if (auto read = read_rows(rows, object, conf); !read) return read.error();
  return conf;
}

Kind scheduler_configuration_kind() { return kind_with<rows>("scheduler configuration", "", ""); }

} // namespace almanac
