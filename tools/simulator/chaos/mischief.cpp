#include "tools/simulator/chaos/mischief.hpp"

#include "schema/codec.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

constexpr unsigned client_pause = 12; // messages of the world between two requests, on average
constexpr unsigned agent_pause = 6;

// That there are arguments and variables is no secret; what is in them is.
bool says_what_it_does(const JobRequest& request) {
  const auto is_told = [](const auto& variable) { return !variable.value.empty(); };
  return !request.script.content.empty() || !request.command.empty() ||
         std::ranges::any_of(request.arguments, [](auto& text) { return !text.empty(); }) ||
         std::ranges::any_of(request.environment, is_told) ||
         std::ranges::any_of(request.origin, is_told);
}

} // namespace

Mischief::Mischief(VirtualWorld& world, Plans plans, std::uint64_t seed)
    : world_(world), plans_(std::move(plans)), chance_(seed) {}

void Mischief::begin_client(int at_once) {
  client_ = true;
  for (int i = 0; i < at_once; ++i)
    if (!send()) return;
}

void Mischief::begin_agent(const std::string& host, std::vector<Lie> lies) {
  agents_.erase(host);
  agents_.try_emplace(host, world_, host, std::move(lies), plans_, chance_());
}

void Mischief::end_agent(const std::string& host) {
  const auto it = agents_.find(host);
  if (it == agents_.end()) return;
  const bool is_there = it->second.is_there();
  if (done_.empty()) done_ = it->second.success();
  agents_.erase(it);
  if (!is_there) return;
  check(world_.stage("kill", host).ok() && world_.stage("start", host).ok(),
        "the host gets its own agent back");
}

void Mischief::end() {
  end_client();
  while (!agents_.empty()) end_agent(std::string(agents_.begin()->first));
}

void Mischief::act() {
  if (client_ && chance_() % client_pause == 0) send();
  for (auto& [host, agent] : agents_)
    if (chance_() % agent_pause == 0) agent.act();
}

bool Mischief::send() {
  auto frame = encode(hostile_request(chance_, plans_.targets()));
  constexpr unsigned seldom = 8;
  if (chance_() % seldom == 0) frame = mangled(std::move(frame), chance_);
  ++sent_;
  return world_.knock(caller_of("mallory"), frame,
                      [this](const std::string& reply) { take_reply(reply); });
}

// What belongs to others is in none of them.
void Mischief::take_reply(const std::string& frame) {
  const auto reply = decode<door::Reply>(frame);
  check(reply.ok(), "the gate's answers can be read");
  const auto* jobs = std::get_if<door::Jobs>(&reply->body);
  if (!jobs) return;
  for (const auto& view : jobs->jobs) {
    const auto& job = view.job;
    const bool is_own = job.owner.user == "mallory";
    const JobRequest& request = job.request;
    if (!is_own && says_what_it_does(request) && seen_.empty())
      seen_ =
          "mallory sees what job " + to_string(job.number) + " of " + job.owner.user + " is to do";
  }
}

std::optional<Violation> Mischief::found() const {
  if (!seen_.empty()) return Violation{Invariant::others_stay_untouched, seen_};
  if (!done_.empty()) return Violation{Invariant::the_forbidden_is_not_heard, done_};
  for (const auto& [host, agent] : agents_)
    if (!agent.success().empty())
      return Violation{Invariant::the_forbidden_is_not_heard, agent.success()};
  return std::nullopt;
}

} // namespace almanac
