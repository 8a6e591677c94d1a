// The options of qsub that say what a job is made of, and what it waits for.
#include "core/request/submit_rows.hpp"

#include "core/request/submit_columns.hpp"

namespace almanac {

namespace {

using namespace columns;
using enum Shown::Place;
using R = JobRequest;

const SubmitOption rows[]{
    {.name = "-pe",
     .values = "pe slot_range",
     .help = "a parallel job",
     .read = read_pe<&R::pe, &R::slots, &R::allocation_rule>,
     .fields = fields<&R::pe, &R::slots, &R::allocation_rule>,
     .check = [](Findings& f, const R& r) { check_slots(f, r.slots); },
     .alter = altered("parallel environment", waiting_only, fits_again),
     .in_class = PartOfClass::yes,
     .shown = Shown{after_script, "parallel environment", show_pe}},
    {.name = "-alloc",
     .values = "rule slot_range",
     .help = "a parallel job by a rule (a number per host, $pe_slots, $fill_up, $round_robin), "
             "without a parallel environment; with it -l c=a/b asks for a for every b slots",
     .read = read_allocation<&R::pe, &R::slots, &R::allocation_rule>,
     .fields = fields<&R::pe, &R::slots, &R::allocation_rule, &R::pe_rule>, // nor is there -par
     .check =
         [](Findings& f, const R& r) {
           check_allocation_rule(f, r.allocation_rule);
           f.require(r.pe.empty() || r.allocation_rule.empty(),
                     "-pe and -alloc exclude each other");
         },
     .alter = altered("allocation rule", waiting_only, fits_again),
     .in_class = PartOfClass::yes,
     .shown = Shown{after_script, "allocation", show_allocation}},
    {.name = "-par",
     .values = "rule",
     .help = "in place of the allocation_rule of the parallel environment of -pe: a number per "
             "host, $pe_slots, $fill_up or $round_robin; none: that of the environment",
     .read = read_pe_rule<&R::pe_rule>,
     .fields = fields<&R::pe_rule>,
     .check = [](Findings& f, const R& r) { check_allocation_rule(f, r.pe_rule); },
     .alter = altered("allocation rule of the parallel environment", waiting_only, fits_again),
     .in_class = PartOfClass::yes,
     .shown = Shown{after_script, "allocation_rule", show<&R::pe_rule>}},
    {.name = "-hold_jid",
     .values = "job_list",
     .help = "wait until these jobs are finished",
     .read = read_predecessors<&R::predecessors>,
     .fields = fields<&R::predecessors>,
     .check = [](Findings& f, const R& r) { check_job_patterns(f, r.predecessors); },
     .alter = altered("predecessor list", waiting_only, no_matter),
     .in_class = PartOfClass::each_job,
     .shown = Shown{after_script, "jid_predecessor_list (req)", show<&R::predecessors>}},
    {.name = "-hold_jid_ad",
     .values = "job_list",
     .help = "each task waits until the task of its number of these arrays is finished",
     .read = read_predecessors<&R::array_predecessors>,
     .fields = fields<&R::array_predecessors>,
     .check = check_array_predecessors,
     .alter = altered("array predecessor list", waiting_only, no_matter),
     .in_class = PartOfClass::each_job,
     .shown = Shown{after_script, "ja_ad_predecessor_list (req)", show<&R::array_predecessors>}},
    {.name = "-ar",
     .values = "ar_id",
     .help = "run inside an advance reservation: its id or its name; 0: in none",
     .read = read_reservation,
     .fields = fields<&R::reservation, &R::stays_outside>,
     .check =
         [](Findings& f, const R& r) {
           f.range("advance reservation", r.reservation.value, 0, most_slots);
         },
     .alter = altered("advance reservation", nothing_runs, fits_again),
     .in_class = PartOfClass::yes,
     .shown = Shown{after_script, "ar_id", show<&R::reservation>}},
    {.name = "-W",
     .values = "x=rsvid:ar_id",
     .help = "the same as -ar ar_id, as scripts for PBS have it; nothing else of -W is understood",
     .read = read_pbs_reservation,
     .fields = no_fields,
     .check = no_more,
     .alter = never_altered,
     .in_class = PartOfClass::no,
     .shown = not_shown},
    {.name = "-reskey",
     .values = "file",
     .help = "the key of the reservation of -ar (RESKEY of gmeta), and perhaps privkey=, stand in "
             "this file",
     .read = read_key_file,
     .fields = no_fields,
     .check = no_more,
     .alter = read_as_in_qsub,
     .in_class = PartOfClass::no,
     .shown = not_shown},
    {.name = "-reserve",
     .values = "time",
     .help = "reserve what it asks for, for so long, and run inside; the reservation ends with it",
     .read = read_reserve_time,
     .fields = fields<&R::reserve_for>,
     .check = check_reserve_time,
     .alter = never_altered,
     .in_class = PartOfClass::no,
     .shown = not_shown},
    {.name = "-t",
     .values = "range",
     .help = "an array job",
     .read = read_tasks,
     .fields = fields<&R::tasks>,
     .check = check_tasks,
     .alter = never_altered,
     .in_class = PartOfClass::each_job,
     .shown = Shown{after_script, "job-array tasks", show_tasks}},
    {.name = "-tc",
     .values = "tasks",
     .help = "of the array, so many at the same time",
     .read = read_most_running,
     .fields = fields<&R::most_running>,
     .check =
         [](Findings& f, const R& r) {
           f.range("the number of tasks at the same time", r.most_running, 0, most_slots);
         },
     .alter = altered("task concurrency", running_too, no_matter),
     .in_class = PartOfClass::each_job,
     .shown = Shown{after_script, "task_concurrency", show<&R::most_running>}},
    {.name = "-tcon",
     .values = "y|n",
     .help = "all tasks of the array start at the same time, or none does",
     .read = read_switch<&R::concurrent>,
     .fields = fields<&R::concurrent>,
     .check = no_more,
     .alter = altered("concurrent tasks", nothing_runs, no_matter),
     .in_class = PartOfClass::each_job,
     .shown = Shown{after_script, "concurrent_tasks", show<&R::concurrent>}},
    {.name = "-ac",
     .values = "name[=value],...",
     .help = "add these variables to the job's context, or change them there",
     .read = read_context<ContextVerb::add>,
     .fields = fields<&R::context>,
     .check = check_context,
     .alter = altered("context", running_too, no_matter),
     .in_class = PartOfClass::no,
     .shown = Shown{after_script, "context", show_context}},
    {.name = "-dc",
     .values = "name,...",
     .help = "remove these variables from the job's context",
     .read = read_context<ContextVerb::remove>,
     .fields = fields<&R::context>,
     .check = no_more,
     .alter = altered("context", running_too, no_matter),
     .in_class = PartOfClass::no,
     .shown = not_shown},
    {.name = "-sc",
     .values = "name[=value],...",
     .help = "these variables are the job's context, and no others",
     .read = read_context<ContextVerb::set>,
     .fields = fields<&R::context>,
     .check = no_more,
     .alter = altered("context", running_too, no_matter),
     .in_class = PartOfClass::no,
     .shown = not_shown},
};

} // namespace

std::span<const SubmitOption> submit_rows::structure() { return rows; }

} // namespace almanac
