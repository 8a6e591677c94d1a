// A cell whose jobs, queue instances and hosts are listed.
#pragma once

#include "tools/output/hosts.hpp"
#include "tools/output/job_detail.hpp"
#include "tools/output/queue_summary.hpp"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace almanac::listed {

inline const std::string hard_to_write = "<'&\"> ]]>";

inline JobLine line(const std::string& state, std::vector<Grant> grants, std::int64_t slots) {
  JobLine line;
  line.state = state, line.time = {100'000}, line.grants = std::move(grants), line.slots = slots;
  line.running = !line.grants.empty();
  return line;
}

// A parallel job with tasks that run and tasks that wait, and a plain one.
inline door::Lines frame() {
  door::JobLines wide;
  wide.number = {12}, wide.name = hard_to_write, wide.user = "ann", wide.department = "d";
  wide.priority.value = 555'000, wide.deadline = {200'000};
  auto runs = line("r", {{{"all.q", "h1"}, 2}, {{"all.q", "h2"}, 1}}, 3);
  runs.tasks = "1", runs.pe = "mpi", runs.usage = {TaskUsage{}};
  auto waits = line("hqw", {}, 3);
  waits.tasks = "5-9:2", waits.holds = "uj", waits.held = true;
  wide.lines = {runs, waits};
  door::JobRequestsView asked;
  asked.pe = "mpi", asked.slots = "2-8", asked.hard = {{"h_rt", "10", 1'500'000}};
  asked.soft = {{"arch", "<>", 0}}, asked.queues = {"all.q"}, asked.master_queues = {"*@h1"};
  asked.soft_queues = {"b.q"}, asked.predecessors_asked = {"first"}, asked.predecessors = {{3}};
  wide.requests = {asked};
  door::JobLines plain;
  plain.number = {13}, plain.name = "plain", plain.user = "bob", plain.priority.value = 600'000;
  plain.lines = {line("qw", {}, 1)};
  plain.lines.front().holds = "a";
  door::Lines frame;
  frame.jobs = {wide, plain};
  return frame;
}

inline door::HostView host(const std::string& name) {
  door::HostView host;
  host.state = {name, HostPhase::up, {"lx-amd64", 4, 8LL << 30, ""}};
  host.load = {100, 200, 300, 50, 4LL << 30, 1LL << 30, 1LL << 30};
  host.resources = {{"gc", "license", "2", "lic"}, {"hl", "mem_free", "4.000G", "mf"}};
  return host;
}
inline door::InstanceView instance(const std::string& queue, const std::string& host,
                                   const std::string& letters, std::int64_t used) {
  door::InstanceView view;
  view.name = queue + "@" + host, view.queue = queue, view.host = host, view.qtype = "BIP";
  view.letters = letters, view.used = used, view.reserved = 1, view.total = 4;
  view.most_reserved = 3;
  view.resources = host == "h1" ? listed::host(host).resources : std::vector<door::ResourceView>();
  view.load_alarm = "alarm hl:np_load_avg=2.0 load-threshold=1.75";
  view.suspend_alarm = "alarm hl:mem_free=1M suspend-threshold=2M", view.reason = hard_to_write;
  return view;
}
inline ClusterList cluster() {
  door::Cluster frame;
  frame.instances = {instance("all.q", "h1", "", 2), instance("all.q", "h2", "aAcE", 1),
                     instance("b.q", "h1", "a", 0), instance("b.q", "h3", "u", 0)};
  frame.hosts = {host("h1"), host("h2")};
  door::HostView lost;
  lost.state.name = "h3";
  frame.hosts.push_back(lost);
  ClusterList list;
  list.add(frame);
  return list;
}

template <class Print> std::string printed(const Print& print) {
  std::ostringstream out;
  print(out);
  return out.str();
}

inline door::JobView detailed() {
  door::JobView view;
  view.job.number = {12}, view.job.owner = {"ann", "users", 1, 2, "h1"};
  view.job.submitted = {100'000};
  auto& request = view.job.request.edit();
  request.name = hard_to_write, request.command = "/bin/x", request.arguments = {"a", "<b>"};
  request.environment = {{"A", "<&>"}}, request.directory = "/w", request.output = "/o";
  request.error = "/e", request.shell = "/bin/sh", request.resources = {{"h_rt", "10"}};
  request.soft_resources = {{"arch", "lx"}}, request.queues = {"all.q"};
  request.soft_queues = {"b.q"}, request.master_queues = {"*@h1"}, request.pe = "mpi";
  request.slots = {{2, 8}}, request.tasks = {1, 9, 2}, request.most_running = 2;
  request.mail_at = "be", request.mail_to = {"ann@h", "bob"}, request.rerun = Rerun::yes;
  request.predecessors = {"first"}, request.deadline = {200'000}, request.project = "p";
  request.execution_time = {150'000}, request.reservation = {7}, request.input = "/i";
  request.binding = "set linear:1", request.checkpoint = "c", request.context = {{"k", "v"}};
  request.concurrent = true;
  view.department = "d", view.predecessors = {{3}}, view.successors = {{14}, {15}};
  door::TaskView task;
  task.number = 1, task.state = TaskState::running, task.started = {160'000}, task.pe = "mpi";
  task.grants = {{{"all.q", "h1"}, 2}}, task.reason = "again & again";
  task.binding = "SCTTctt";
  task.usage = {TaskUsage{100'000'000, 3 << 19, 3LL << 29, 0, 3 << 20, 1 << 20, 4 << 20}};
  view.job.tasks = {task};
  return view;
}

} // namespace almanac::listed
