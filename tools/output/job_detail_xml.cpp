#include "tools/output/job_detail.hpp"

#include "core/job/core_binding.hpp"
#include "core/text/table.hpp"
#include "tools/output/task_usage.hpp"

#include <algorithm>
#include <ostream>

namespace almanac {

namespace {

// As Grid Engine keeps it: *_automatic where no first core is named, and the types none, env, pe
// and set from 0.
void put_binding(XmlWriter& xml, const JobRequest& request) {
  const auto asked = parse_core_binding(request.binding);
  if (!asked) return; // there is none
  const bool is_explicit = asked->strategy == CoreBinding::Strategy::explicit_cores;
  const bool is_striding = asked->strategy == CoreBinding::Strategy::striding;
  const auto first = is_explicit || asked->cores.empty() ? CoreName() : asked->cores.front();
  xml.open("JB_binding"), xml.open("binding");
  xml.put("BN_strategy", is_explicit ? std::string("explicit")
                                     : std::string(is_striding ? "striding" : "linear") +
                                           (asked->cores.empty() ? "_automatic" : ""));
  xml.put("BN_type", asked->instance == CoreBinding::Instance::env  ? 1
                     : asked->instance == CoreBinding::Instance::pe ? 2
                                                                    : 3);
  xml.put("BN_parameter_n", asked->amount);
  xml.put("BN_parameter_socket_offset", first.socket);
  xml.put("BN_parameter_core_offset", first.core);
  xml.put("BN_parameter_striding_step_size", is_striding ? asked->step : 0);
  if (is_explicit) xml.put("BN_parameter_explicit", "explicit:" + print_cores(asked->cores));
  xml.close(), xml.close();
}

// A job's element; lists are left out where they are empty.
class JobElement {
public:
  JobElement(XmlWriter& xml, const door::JobView& view)
      : xml_(xml), view_(view), job_(view.job), request_(job_.request) {}

  void put() {
    xml_.open("element");
    put_job();
    put_paths();
    put_requests();
    put_process();
    put_order();
    put_binding(xml_, request_);
    put_tasks();
    xml_.close();
  }

private:
  void put_if_set(const char* name, const std::string& text) {
    if (!text.empty()) xml_.put(name, text);
  }
  void put_time(const char* name, Instant time) {
    if (time.seconds > 0) xml_.put(name, time.seconds);
  }
  void put_switch(const char* name, bool is_on) { xml_.put(name, is_on ? "true" : "false"); }

  void put_job() {
    xml_.put("JB_job_number", to_string(job_.number));
    if (request_.reservation) xml_.put("JB_ar", to_string(request_.reservation));
    xml_.put("JB_exec_file", "job_scripts/" + to_string(job_.number));
    put_time("JB_submission_time", job_.submitted);
    put_time("JB_execution_time", request_.execution_time);
    put_time("JB_deadline", request_.deadline);
    xml_.put("JB_owner", job_.owner.user), xml_.put("JB_uid", job_.owner.uid);
    xml_.put("JB_group", job_.owner.group), xml_.put("JB_gid", job_.owner.gid);
    xml_.put("JB_account", request_.account);
    put_switch("JB_merge_stderr", request_.join);
    put_mail();
    put_if_set("JB_project", request_.project);
    put_if_set("JB_department", view_.department);
    put_switch("JB_notify", request_.notify);
    xml_.put("JB_job_name", request_.name);
    xml_.put("JB_jobshare", request_.job_share);
    xml_.put("JB_priority", request_.priority);
    xml_.put("JB_override_tickets", request_.override_tickets);
    put_switch("JB_reserve", request_.reserve);
    if (request_.rerun != Rerun::as_queue) put_switch("JB_restart", request_.rerun == Rerun::yes);
  }
  void put_mail() {
    put_if_set("JB_mail_options", request_.mail_at);
    put_each("JB_mail_list", request_.mail_to, [&](const std::string& address) {
      const auto at = address.find('@');
      xml_.open("element");
      xml_.put("MR_user", address.substr(0, at));
      xml_.put("MR_host", at == std::string::npos ? "NONE" : address.substr(at + 1));
      xml_.close();
    });
  }
  void put_paths() {
    put_if_set("JB_cwd", request_.directory);
    put_path("JB_stdout_path_list", request_.output);
    put_path("JB_stderr_path_list", request_.error);
    put_path("JB_stdin_path_list", request_.input);
    put_path("JB_shell_list", request_.shell);
  }
  void put_path(const char* list, const std::string& path) {
    if (path.empty()) return;
    xml_.open(list), xml_.open("path_list");
    xml_.put("PN_path", path);
    xml_.close(), xml_.close();
  }
  void put_requests() {
    put_pairs("JB_hard_resource_list", "qstat_l_requests", "CE_name", "CE_stringval",
              request_.resources);
    put_pairs("JB_soft_resource_list", "qstat_l_requests", "CE_name", "CE_stringval",
              request_.soft_resources);
    put_names("JB_hard_queue_list", "destin_ident_list", "QR_name", request_.queues);
    put_names("JB_soft_queue_list", "destin_ident_list", "QR_name", request_.soft_queues);
    put_names("JB_master_hard_queue_list", "destin_ident_list", "QR_name", request_.master_queues);
    put_pairs("JB_master_hard_resource_list", "qstat_l_requests", "CE_name", "CE_stringval",
              request_.master_resources);
    put_pairs("JB_slave_hard_resource_list", "qstat_l_requests", "CE_name", "CE_stringval",
              request_.slave_resources);
    put_names("JB_slave_hard_queue_list", "destin_ident_list", "QR_name", request_.slave_queues);
    put_if_set("JB_pe", request_.pe.empty() ? request_.allocation_rule : request_.pe);
    put_each("JB_pe_range", request_.slots,
             [&](const SlotRange& range) { put_range("ranges", range.low, range.high, 1); });
    put_if_set("JB_pe_rule", request_.pe_rule);
    put_if_set("JB_checkpoint_name", request_.checkpoint);
  }
  void put_process() {
    put_pairs("JB_env_list", "job_sublist", "VA_variable", "VA_value", request_.environment);
    put_names("JB_job_args", "element", "ST_name", request_.arguments);
    xml_.put("JB_script_file", request_.command);
    put_pairs("JB_context", "context_list", "VA_variable", "VA_value", request_.context);
  }
  void put_order() {
    put_names("JB_jid_request_list", "element", "JRE_job_name", request_.predecessors);
    put_numbers("JB_jid_predecessor_list", "job_predecessors", view_.predecessors);
    put_numbers("JB_jid_successor_list", "ulong_sublist", view_.successors);
    if (!request_.tasks.is_array()) return;
    xml_.open("JB_ja_structure");
    put_range("task_id_range", request_.tasks.first, request_.tasks.last, request_.tasks.step);
    xml_.close();
    if (request_.most_running > 0) xml_.put("JB_ja_task_concurrency", request_.most_running);
  }
  void put_tasks() {
    put_each("JB_ja_tasks", job_.tasks, [&](const door::TaskView& task) {
      xml_.open("ulong_sublist");
      // As Grid Engine counts: 0 idle, 64 on its way, 128 running.
      xml_.put("JAT_status", task.state == TaskState::running ? 128
                             : task.state == TaskState::sent  ? 64
                                                              : 0);
      xml_.put("JAT_task_number", std::max<std::int64_t>(1, task.number));
      put_time("JAT_start_time", task.started);
      put_if_set("JAT_granted_pe", task.pe);
      put_each("JAT_granted_destin_identifier_list", task.grants, [&](const Grant& grant) {
        xml_.open("element");
        xml_.put("JG_qname", grant.instance.text());
        xml_.put("JG_qhostname", grant.instance.host);
        xml_.put("JG_slots", grant.slots);
        xml_.close();
      });
      for (const auto& usage : task.usage) put_usage(usage, task.binding);
      put_if_set("suspended", why_suspended(task));
      if (!task.reason.empty()) {
        xml_.open("JAT_message_list"), xml_.open("ulong_sublist");
        xml_.put("QIM_message", task.reason);
        xml_.close(), xml_.close();
      }
      xml_.close();
    });
  }
  // Cores that are in use stand there as the name of a value, as in Grid Engine.
  void put_usage(const TaskUsage& usage, const std::string& binding) {
    const auto put_value = [&](const std::string& name, const std::string& value) {
      xml_.open("scaled");
      xml_.put("UA_name", name), xml_.put("UA_value", value);
      xml_.close();
    };
    xml_.open("JAT_scaled_usage_list");
    put_value("cpu", fixed(static_cast<double>(usage.cpu_microseconds) / 1e6, 6));
    put_value("mem", gigabyte_seconds(usage)), put_value("io", gigabytes_of_io(usage));
    put_value("vmem", std::to_string(usage.vmem_bytes));
    put_value("maxvmem", std::to_string(usage.maxvmem_bytes));
    if (!binding.empty()) put_value("binding_inuse!" + binding, "0.000000");
    xml_.close();
  }

  template <class List, class Put>
  void put_each(const char* name, const List& list, const Put& put_one) {
    if (list.empty()) return;
    xml_.open(name);
    for (const auto& one : list) put_one(one);
    xml_.close();
  }
  void put_pairs(const char* name, const char* each, const char* first, const char* second,
                 const std::vector<Attribute>& pairs) {
    put_each(name, pairs, [&](const Attribute& pair) {
      xml_.open(each);
      xml_.put(first, pair.name), xml_.put(second, pair.value);
      xml_.close();
    });
  }
  void put_names(const char* name, const char* each, const char* element,
                 const std::vector<std::string>& names) {
    put_each(name, names, [&](const std::string& text) {
      xml_.open(each);
      xml_.put(element, text);
      xml_.close();
    });
  }
  void put_numbers(const char* name, const char* each, const std::vector<JobNumber>& jobs) {
    put_each(name, jobs, [&](JobNumber job) {
      xml_.open(each);
      xml_.put("JRE_job_number", to_string(job));
      xml_.close();
    });
  }
  void put_range(const char* name, std::int64_t first, std::int64_t last, std::int64_t step) {
    xml_.open(name);
    xml_.put("RN_min", first), xml_.put("RN_max", last), xml_.put("RN_step", step);
    xml_.close();
  }

  XmlWriter& xml_;
  const door::JobView& view_;
  const door::ShownJob& job_;
  const JobRequest& request_;
};

void put_message(XmlWriter& xml, const std::string& text, const std::vector<JobNumber>& jobs) {
  xml.open("element"), xml.open("MES_job_number_list");
  for (const auto& job : jobs) {
    xml.open("ulong_sublist");
    xml.put("ULNG_value", to_string(job));
    xml.close();
  }
  xml.close();
  xml.put("MES_message", text);
  xml.close();
}

} // namespace

void JobsInDetailXml::put(const door::JobView& view) {
  if (!has_jobs_) xml_.begin("detailed_job_info", "qstat_job"), xml_.open("djob_info");
  has_jobs_ = true;
  JobElement(xml_, view).put();
}

void JobsInDetailXml::end(const SchedulingInfo& info, const std::vector<std::string>& unknown) {
  if (!has_jobs_) return end_unknown(unknown);
  xml_.close();
  xml_.open("messages"), xml_.open("element"), xml_.open("SME_message_list");
  for (const auto& [job, sentences] : info)
    for (const auto& sentence : sentences) put_message(xml_, sentence, {job});
  xml_.close(), xml_.close(), xml_.close(), xml_.close();
}

// Grid Engine gives the elements no name, which is no XML.
void JobsInDetailXml::end_unknown(const std::vector<std::string>& unknown) {
  xml_.begin("unknown_jobs", "qstat_job");
  for (const auto& name : unknown) {
    xml_.open("element");
    xml_.put("ST_name", name);
    xml_.close();
  }
  xml_.close();
}

void print_reasons_xml(std::ostream& out, const std::vector<KeptJobs>& reasons) {
  XmlWriter xml(out);
  xml.begin("message", "qstat_job");
  xml.open("element"), xml.open("SME_message_list");
  for (const auto& [reason, jobs] : reasons) put_message(xml, reason, jobs);
  xml.close(), xml.close(), xml.close();
}

} // namespace almanac
