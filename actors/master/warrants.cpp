#include "actors/master/warrants.hpp"

#include "actors/session/packet_frames.hpp"
#include "actors/trust/keyring.hpp"
#include "core/utilization/instance_name.hpp"
#include "core/execution/environment.hpp"
#include "core/execution/task_order.hpp"

#include <algorithm>

namespace almanac {

namespace {

MethodSetting setting_of(const session::Method& method) { return {method.signal, method.words}; }

TaskSetting setting_of(const session::Launch& order, const session::Part& part) {
  return {order.cell,
          part.host,
          part.limits,
          order.shell,
          order.shell_start_mode,
          order.prolog,
          order.epilog,
          order.pe_start,
          order.pe_stop,
          order.notice.ahead,
          order.notice.kill,
          order.notice.suspend,
          order.script.content.starts_with("#!"),
          order.checkpoint_directory,
          order.methods.starter,
          setting_of(order.methods.suspend),
          setting_of(order.methods.resume),
          setting_of(order.methods.terminate),
          order.methods.nice,
          order.methods.login_shells,
          order.checkpoint,
          order.notice.patience};
}

// "12.1.all.q"
std::string task_name(const session::Launch& order, const session::Part& part) {
  const auto task = std::max<std::int64_t>(1, order.job.tasks.front().number);
  return to_string(order.job.number) + "." + std::to_string(task) + "." + part.instance.queue;
}

} // namespace

Result<Warrant> warrant_for(const session::Launch& order, const std::string& host) {
  const auto part = std::find_if(order.parts.begin(), order.parts.end(),
                                 [&](const auto& each) { return each.host == host; });
  if (part == order.parts.end()) return Error{"the job has no part on " + host};
  const auto& first = order.parts.front();
  const auto& tasks = order.job.tasks;
  if (tasks.size() != 1 || tasks.front().grants.empty()) return Error{"the order is for no task"};
  const auto job = session::job_in(order.job);
  const auto task = session::task_in(tasks.front());
  const auto setting = setting_of(order, *part);
  auto told = host == first.host ? task_order(job, task, setting) : call_order(job, task, setting);
  if (!told) return told.error();
  Warrant warrant;
  warrant.host = host, warrant.attempt = order.attempt;
  warrant.user = job.owner.user, warrant.uid = job.owner.uid;
  warrant.tmpdir = part->tmpdir, warrant.task_name = task_name(order, *part);
  std::vector<std::string> processors;
  for (const auto& each : order.parts) processors.push_back(each.processors);
  if (!task.pe.empty()) warrant.pe_hostfile = pe_hostfile(task, processors);
  warrant.has_script = !job.request->binary;
  if (const auto& script = order.script.content; !script.empty())
    warrant.script_sha256 = sha256(script);
  warrant.first_host = first.host, warrant.first_key = first.key;
  warrant.control_slaves = order.control_slaves;
  warrant.order = std::move(*told);
  return warrant;
}

Result<std::string> sendable(const Warrant& warrant, std::int64_t version) {
  constexpr std::size_t most = largest_packet / 2;
  if (warrant.order.interaction != Interaction::none && version < interactive_version)
    return Error{"the agent on " + warrant.host + " is too old for interactive jobs: upgrade it"};
  auto bytes = print_warrant(warrant, version);
  if (bytes.size() <= most) return bytes;
  return Error{"its order takes " + std::to_string(bytes.size()) + " bytes, at most " +
               std::to_string(most) + " can be sent to a host"};
}

} // namespace almanac
