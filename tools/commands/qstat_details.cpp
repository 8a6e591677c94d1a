#include "tools/commands/qstat_details.hpp"

#include "core/answer/gridengine.hpp"
#include "core/text/table.hpp"
#include "core/text/words.hpp"
#include "tools/output/job_detail.hpp"
#include "tools/output/job_rows.hpp"

#include <algorithm>
#include <functional>
#include <iostream>

namespace almanac {

namespace {

bool tells_alternative(const Statement& statement) {
  return statement.code == AnswerCode::shorter_would_start ||
         statement.code == AnswerCode::fewer_would_start ||
         statement.code == AnswerCode::fewer_would_start_by_rule;
}

// With what a job would start now.
void add_alternatives(Context& context, JobNumber job, std::vector<std::string>& sentences) {
  ask<Answer>(context, door::AskWhy{job, true}, [&](Answer& answer) {
    for (const auto& statement : answer.statements)
      if (tells_alternative(statement)) sentences.push_back(gridengine::text_of(statement));
  });
}

// They are a search of their own for the master.
enum class Alternatives { left_out, told };

// Why a job waits; where nobody says it, that.
std::vector<std::string> reasons_of_job(Context& context, JobNumber job,
                                        Alternatives alternatives) {
  std::vector<std::string> sentences;
  bool is_told = true; // schedd_job_info
  const int code = ask<Answer>(context, door::AskWhy{job}, [&](Answer& answer) {
    for (const auto& statement : answer.statements)
      is_told = is_told && statement.code != AnswerCode::job_info_is_off;
    for (const auto& line : gridengine::lines_of(answer)) sentences.push_back(line.text);
  });
  if (code != 0) return {"not available"};
  if (is_told && alternatives == Alternatives::told) add_alternatives(context, job, sentences);
  return sentences;
}

// The numbers of those that wait, by priority, each once.
std::vector<JobNumber> waiting_jobs(const std::vector<door::Lines>& frames) {
  std::vector<JobNumber> waiting;
  for (const auto& row : job_rows(frames, {}))
    if (row.kind == JobRow::Kind::pending && (waiting.empty() || waiting.back() != row.job->number))
      waiting.push_back(row.job->number);
  return waiting;
}

// In the order in which they come; those of quota sets behind the others, under their heading.
class Reasons {
public:
  void add(const std::string& reason, JobNumber job) {
    const bool is_of_quota = reason.starts_with("cannot run because it exceeds limit ");
    auto& list = is_of_quota ? of_quotas_ : others_;
    auto found = std::find_if(list.begin(), list.end(),
                              [&](const KeptJobs& kept) { return kept.reason == reason; });
    if (found == list.end()) found = list.insert(found, {reason, {}});
    found->jobs.push_back(job);
  }
  std::vector<KeptJobs> all() const {
    auto list = others_;
    list.insert(list.end(), of_quotas_.begin(), of_quotas_.end());
    return list;
  }
  void print(std::ostream& out) const {
    auto label = left("scheduling info:", 28);
    const auto print = [&](const std::string& line) {
      out << label << line << "\n";
      label.assign(28, ' ');
    };
    const auto print_all = [&](const std::vector<KeptJobs>& list) {
      for (const auto& [reason, jobs] : list) {
        std::vector<std::string> numbers;
        for (const auto& job : jobs) numbers.push_back(to_string(job));
        print(reason), print("  jobs: " + join(numbers, ", "));
      }
    };
    print_all(others_);
    if (!of_quotas_.empty())
      print("Jobs cannot run because they exceeds limit in resource quota sets"); // Q7.3
    print_all(of_quotas_);
  }

private:
  std::vector<KeptJobs> others_, of_quotas_;
};

void leave_bindings_out(door::JobView& view) {
  view.job.request.edit().binding.clear();
  for (auto& task : view.job.tasks) task.binding.clear();
}

// Jobs as they come, those that wait, and names of none.
struct Detailed {
  std::function<void(door::JobView&)> take;
  std::vector<JobNumber> waiting{};
  std::vector<std::string> unknown{};
};

int fetch(Context& context, const door::GetJobs& query, Bindings bindings, Detailed& found) {
  return ask<door::Jobs>(context, query, [&](door::Jobs& frame) {
    for (auto& view : frame.jobs) {
      if (bindings == Bindings::left_out) leave_bindings_out(view);
      if (view.job.waiting_tasks() > 0) found.waiting.push_back(view.job.number);
      found.take(view);
    }
    found.unknown.insert(found.unknown.end(), frame.unknown.begin(), frame.unknown.end());
  });
}

// Of a long list the first are asked about: each answer is work for the master.
SchedulingInfo reasons_of(Context& context, const std::vector<JobNumber>& waiting,
                          Alternatives alternatives) {
  constexpr std::size_t most = 1000;
  SchedulingInfo info;
  for (const auto number : waiting) {
    if (info.size() == most) break;
    info[number] = reasons_of_job(context, number, alternatives);
  }
  return info;
}

int print_as_text(Context& context, const door::GetJobs& query, Bindings bindings,
                  std::vector<std::string>& unknown) {
  std::vector<door::JobView> jobs;
  Detailed found{[&](door::JobView& view) { jobs.push_back(std::move(view)); }};
  if (const int asked = fetch(context, query, bindings, found); asked != 0) return asked;
  auto info = reasons_of(context, found.waiting,
                         jobs.size() == 1 ? Alternatives::told : Alternatives::left_out);
  for (const auto number : found.waiting)
    if (info.find(number) == info.end())
      info[number] = {"not asked for, of so many jobs; see qstat -j " + to_string(number)};
  for (const auto& view : jobs) print_job(context.out, view, info[view.job.number]);
  unknown = std::move(found.unknown);
  return 0;
}

int print_as_xml(Context& context, const door::GetJobs& query, Bindings bindings,
                 std::vector<std::string>& unknown) {
  JobsInDetailXml xml(context.out);
  Detailed found{[&](door::JobView& view) { xml.put(view); }};
  if (const int asked = fetch(context, query, bindings, found); asked != 0) return asked;
  xml.end(reasons_of(context, found.waiting, Alternatives::left_out), found.unknown);
  unknown = std::move(found.unknown);
  return 0;
}

int print_as_json(Context& context, const door::GetJobs& query, Bindings bindings,
                  std::vector<std::string>& unknown) {
  std::vector<door::JobView> jobs;
  Detailed found{[&](door::JobView& view) { jobs.push_back(std::move(view)); }};
  if (const int asked = fetch(context, query, bindings, found); asked != 0) return asked;
  const auto info = reasons_of(context, found.waiting, Alternatives::left_out);
  print_jobs_in_detail_json(context.out, jobs, info, found.unknown);
  unknown = std::move(found.unknown);
  return 0;
}

} // namespace

int print_details(Context& context, const std::string& list, DetailForm form, Bindings bindings) {
  door::GetJobs query;
  query.detail = true;
  query.jobs = words(list, ", ");
  if (query.jobs.empty()) return complain(context, "option -j: no job is named");
  const auto print = form == DetailForm::xml    ? print_as_xml
                     : form == DetailForm::json ? print_as_json
                                                : print_as_text;
  std::vector<std::string> unknown;
  if (const int asked = print(context, query, bindings, unknown); asked != 0) return asked;
  if (unknown.empty()) return 0;
  context.err << "Following jobs do not exist: \n";
  for (const auto& id : unknown) context.err << id << "\n";
  return 1;
}

// Of many waiting jobs the first are asked about: each answer is work for the master.
int print_reasons(Context& context, const std::string* users, DetailForm form) {
  constexpr std::size_t most = 100;
  std::vector<door::Lines> frames;
  const auto query = door::GetLines{users ? split(*users, ',') : std::vector<std::string>{"*"}};
  if (const int asked = ask<door::Lines>(
          context, query, [&](door::Lines& frame) { frames.push_back(std::move(frame)); });
      asked != 0)
    return asked;
  auto waiting = waiting_jobs(frames);
  const auto all = waiting.size();
  if (all > most) waiting.resize(most);
  Reasons reasons;
  for (const auto number : waiting) {
    const int asked = ask<Answer>(context, door::AskWhy{number}, [&](Answer& answer) {
      for (const auto& reason : gridengine::lines_of(answer)) reasons.add(reason.text, number);
    });
    if (asked != 0) return asked;
  }
  if (form == DetailForm::xml) print_reasons_xml(context.out, reasons.all());
  if (form == DetailForm::json) print_reasons_json(context.out, reasons.all());
  if (form != DetailForm::text) return 0;
  reasons.print(context.out);
  if (all > most) context.out << "(of the first " << most << " of " << all << " waiting jobs)\n";
  return 0;
}

} // namespace almanac
