// One job with all that is known of it: qstat -j, as text and as XML (spec/cli.md sections 6.4 and
// 6.6; share/schemas/qstat_job.xsd).
#pragma once

#include "core/job/output_places.hpp"
#include "schema/door/views.hpp"
#include "tools/output/xml_writer.hpp"

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace almanac {

/// Why a job waits, sentence by sentence.
using SchedulingInfo = std::map<JobNumber, std::vector<std::string>>;

void print_job(std::ostream& out, const door::JobView& view,
               const std::vector<std::string>& scheduling_info);

/// All of them as one document, each written as soon as it is there.
class JobsInDetailXml {
public:
  explicit JobsInDetailXml(std::ostream& out) : xml_(out) {}

  void put(const door::JobView& view);
  /// What the document ends with; `unknown` are the jobs that were named and do not exist.
  void end(const SchedulingInfo& info, const std::vector<std::string>& unknown);

private:
  void end_unknown(const std::vector<std::string>& unknown);

  XmlWriter xml_;
  bool has_jobs_ = false;
};

/// All of them as one document; `unknown` as above.
void print_jobs_in_detail_json(std::ostream& out, const std::vector<door::JobView>& jobs,
                               const SchedulingInfo& info, const std::vector<std::string>& unknown);

/// Reasons that keep jobs, with the jobs that each one keeps: qstat -j without a list.
struct KeptJobs {
  std::string reason;
  std::vector<JobNumber> jobs;
};
void print_reasons_xml(std::ostream& out, const std::vector<KeptJobs>& reasons);
void print_reasons_json(std::ostream& out, const std::vector<KeptJobs>& reasons);

/// Most jobs do not say it, and their users look for it.
OutputPlaces output_places(const door::ShownJob& shown);

/// "cpu=00:01:40, mem=0.29297 GB s, io=1.50000 GB, vmem=3.0M, maxvmem=4.0M"
std::string usage_text(const TaskUsage& usage);
/// "by qmod -sj, with its queue instance": all causes, of which the last one has to go; "": none.
std::string why_suspended(const door::TaskView& task);

} // namespace almanac
