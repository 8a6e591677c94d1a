#include "tools/simulator/chaos/harmed_world.hpp"

#include "core/text/values.hpp"
#include "schema/codec.hpp"
#include "tools/simulator/chaos/mischief.hpp"
#include "tools/simulator/chaos/witness.hpp"

#include <algorithm>
#include <iterator>

namespace almanac {

struct HarmedWorld::Harm {
  Harm(VirtualWorld& world, const std::vector<std::string>& hosts)
      : witness(world, hosts, 0), mischief(world, plans(hosts), seed_of_harm) {
    witness.expect_mischief();
  }

  void look() {
    mischief.act();
    if (found) return;
    found = mischief.found();
    try {
      witness.look();
    } catch (const Broken& broken) {
      if (!found) found = broken.violation;
    }
  }

  Plans plans(const std::vector<std::string>& hosts) {
    Plans plans;
    plans.some_attempt = [this] { return some_attempt(); };
    plans.targets = [this, hosts] { return targets(hosts); };
    plans.on_start = [this](const std::string& host) { witness.distrust(host); };
    return plans;
  }

  Attempt some_attempt() {
    std::vector<Attempt> attempts;
    for (const auto& [id, task] : witness.records().all<Task>())
      attempts.push_back({id.job, id.task, task->attempt});
    return attempts.empty() ? Attempt{{1}, 0, 1} : attempts[turn++ % attempts.size()];
  }

  Targets targets(const std::vector<std::string>& hosts) {
    Targets targets{{}, {"root", "mallory"}, hosts};
    for (const auto& [key, job] : witness.records().all<Job>()) {
      targets.jobs.push_back(to_string(job->number));
      targets.users.push_back(job->owner.user);
    }
    return targets;
  }

  static constexpr std::uint64_t seed_of_harm = 1;
  std::size_t turn = 0;
  std::optional<Violation> found;
  Witness witness;
  Mischief mischief;
};

HarmedWorld::HarmedWorld(std::uint64_t seed) : VirtualWorld(seed) {}
HarmedWorld::~HarmedWorld() = default;

namespace {

Result<std::vector<Lie>> lies_of(const std::vector<std::string>& words) {
  std::vector<Lie> lies;
  for (const auto& word : words) {
    const auto it = std::find(lie_names.begin(), lie_names.end(), word);
    if (it == lie_names.end()) return Error{"\"" + word + "\" is nothing that an agent says"};
    lies.push_back(static_cast<Lie>(it - lie_names.begin()));
  }
  if (lies.empty()) return Error{"what does the agent say?"};
  return lies;
}

} // namespace

Outcome HarmedWorld::mischief(const std::vector<std::string>& words) {
  if (!harm_) {
    harm_ = std::make_unique<Harm>(*this, hosts());
    before_step = [this] { harm_->look(); };
  }
  const bool is_client = words.size() == 3 && words[1] == "client";
  if (is_client) {
    const auto number = parse_number(words[2]);
    if (!number || *number < 1 || *number > 100'000)
      return Error{"\"" + words[2] + "\" is not a number of requests"};
    harm_->mischief.begin_client(static_cast<int>(*number));
    harm_->mischief.end_client();
    return Done{};
  }
  if (words.size() < 4 || words[1] != "agent" || !is_up(words[2]))
    return Error{"mischief is that of a client, or of an agent that is up"};
  auto lies = lies_of({words.begin() + 3, words.end()});
  if (!lies) return lies.error();
  harm_->mischief.begin_agent(words[2], std::move(*lies));
  return Done{};
}

// Those who are still there go, and their hosts get their agents back.
Outcome HarmedWorld::end_mischief() {
  if (!harm_) return Done{};
  harm_->mischief.end();
  wait(Duration{10});
  harm_->look();
  if (harm_->found) return Error{harm_->found->text()};
  return Done{};
}

Outcome HarmedWorld::finish() {
  if (auto ended = end_mischief(); !ended) return ended;
  return VirtualWorld::finish();
}

} // namespace almanac
