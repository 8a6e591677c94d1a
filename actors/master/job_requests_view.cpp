#include "actors/master/job_requests_view.hpp"

#include "core/policy/priority.hpp"

namespace almanac {

namespace {

std::vector<door::AskedResourceView> asked(const Configuration& configuration,
                                           const JobRequest& request,
                                           const std::vector<Attribute>& resources) {
  std::vector<door::AskedResourceView> list;
  for (const auto& [name, value] : resources) {
    const auto* complex = configuration.complexes().find(name);
    list.push_back({complex ? complex->name : name, value,
                    complex ? resource_urgency(configuration, request, {name, value}) : 0});
  }
  return list;
}

} // namespace

door::JobRequestsView requests_view(const Configuration& configuration, const JobRequest& request,
                                    std::vector<JobNumber> predecessors) {
  door::JobRequestsView view;
  view.pe = request.pe.empty() ? request.allocation_rule : request.pe;
  if (!view.pe.empty()) view.slots = print_slot_ranges(request.slots);
  view.hard = asked(configuration, request, request.resources);
  view.soft = asked(configuration, request, request.soft_resources);
  view.queues = request.queues, view.soft_queues = request.soft_queues;
  view.master_queues = request.master_queues;
  view.predecessors_asked = request.predecessors;
  view.predecessors = std::move(predecessors);
  return view;
}

} // namespace almanac
