#include "tools/coallocate/coordinator.hpp"

#include "actors/crash_point.hpp"
#include "actors/process/boot_clock.hpp"
#include "core/text/names.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t longest_wait_ms = 60'000;
constexpr std::int64_t time_to_end_ms = 1000, between_looks_ms = 20;

// "before-SETRES", "after-commit" ...: by the verb of the line that is sent, or the verdict that is
// written down.
void crash_around(const char* when, const std::string& what) {
  crash_point((std::string(when) + "-" + what.substr(0, what.find(' '))).c_str());
}

std::int64_t wall_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

} // namespace

std::int64_t now_ms() {
  static const auto between = wall_ms() - boot_clock_ms();
  return boot_clock_ms() + between;
}

Coordinator::Coordinator(DecisionLog& log, OnEnd on_end, OnEvent on_event, int ending)
    : log_(log), on_end_(std::move(on_end)), on_event_(std::move(on_event)), ending_(ending) {}
Coordinator::~Coordinator() = default;

void Coordinator::add(Coallocation machine, PlanFile file, PlanSource source) {
  auto run = std::make_unique<Run>(Run{std::move(machine), std::move(source), {}});
  for (auto& place : file.places) run->sites.push_back({std::move(place), nullptr, {}, no_time_ms});
  runs_.push_back(std::move(run));
}

Outcome Coordinator::run_last() {
  const auto* const last = runs_.empty() ? nullptr : runs_.back().get();
  return run_until([this, last] {
    return std::none_of(runs_.begin(), runs_.end(),
                        [&](const auto& run) { return run.get() == last; });
  });
}

Outcome Coordinator::run_all() {
  return run_until([this] { return runs_.empty(); });
}

Outcome Coordinator::run_until(const std::function<bool()>& is_done) {
  for (const auto& run : runs_)
    if (auto begun = follow(*run, run->machine.begin(now_ms())); !begun) return begun;
  while (!is_done())
    if (auto worked = wait_and_work(); !worked) return worked;
  return Done{};
}

// What a poll() has to wait for at most.
std::int64_t Coordinator::next_ms() const {
  auto next = now_ms() + (silences_.empty() ? longest_wait_ms : 0);
  for (const auto& run : runs_) {
    if (run->machine.is_over()) return now_ms();
    next = std::min(next, run->machine.wake_at_ms());
    for (const auto& site : run->sites) next = std::min(next, site.deadline_ms);
  }
  return next;
}

Outcome Coordinator::wait_and_work() {
  struct Owner {
    Run* run;
    std::size_t site;
  };
  std::vector<pollfd> descriptors;
  std::vector<Owner> owners;
  for (const auto& run : runs_)
    for (std::size_t i = 0; i < run->sites.size(); ++i) {
      if (!run->sites[i].way) continue;
      for (const auto& one : run->sites[i].way->waits_for()) {
        descriptors.push_back(one);
        owners.push_back({run.get(), i});
      }
    }
  descriptors.push_back({ending_, POLLIN, 0}); // poll() skips what is below 0
  const auto wait = std::clamp<std::int64_t>(next_ms() - now_ms(), 0, longest_wait_ms);
  if (::poll(descriptors.data(), descriptors.size(), static_cast<int>(wait)) < 0 && errno != EINTR)
    return Error{std::string("poll: ") + std::strerror(errno)};
  if (descriptors.back().revents != 0) {
    end_ways();
    return Error{"it was told to end"};
  }
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (descriptors[i].revents == 0) continue;
    if (auto worked = work(*owners[i].run, owners[i].site); !worked) return worked;
  }
  return pass_time();
}

// Programs that ignore the end of their input would outlive this process. All have the same second;
// what is left after it is ended with its way.
void Coordinator::end_ways() {
  const auto each_way = [this](auto&& take) {
    for (const auto& run : runs_)
      for (const auto& site : run->sites)
        if (site.way) take(*site.way);
  };
  each_way([](SiteWay& way) { way.ask_to_end(); });
  for (const auto until_ms = now_ms() + time_to_end_ms; now_ms() < until_ms;) {
    bool all = true;
    each_way([&](const SiteWay& way) { all = all && way.has_ended(); });
    if (all) return;
    ::poll(nullptr, 0, static_cast<int>(between_looks_ms));
  }
}

Outcome Coordinator::pass_time() {
  while (!silences_.empty()) {
    const auto silence = silences_.front();
    silences_.pop_front();
    if (auto failed = fail(*silence.run, silence.site, silence.why); !failed) return failed;
  }
  for (const auto& run : runs_) {
    for (std::size_t i = 0; i < run->sites.size(); ++i)
      if (run->sites[i].deadline_ms <= now_ms())
        if (auto failed = fail(*run, i, "no answer came in time"); !failed) return failed;
    if (!run->machine.is_over() && run->machine.wake_at_ms() <= now_ms())
      if (auto passed = follow(*run, run->machine.time_passed(now_ms())); !passed) return passed;
  }
  // Only here, where nobody holds on to one of them.
  for (const auto& run : runs_)
    if (run->machine.is_over())
      if (auto settled = settle(*run); !settled) return settled;
  std::erase_if(runs_, [](const auto& run) { return run->machine.is_over(); });
  return Done{};
}

// First it is told, then forgotten: after a crash in between, or where it could not be told, it is
// told again.
Outcome Coordinator::settle(Run& run) {
  crash_point("before-end");
  if (auto told = on_end_(run.machine.id(), run.machine.outcome()); !told) return told;
  crash_point("after-end");
  return log_.drop(run.machine.id());
}

Outcome Coordinator::follow(Run& run, CoallocationStep step) {
  while (step.record) {
    const auto verdict = name_of(step.record->verdict);
    crash_around("before", verdict);
    if (auto put = log_.put(*step.record, run.source); !put) return put;
    on_event_(run.machine.id() + ": " + verdict + " is written down");
    crash_around("after", verdict);
    step = run.machine.written(now_ms());
  }
  for (const auto& line : step.requests) send(run, line);
  return Done{};
}

void Coordinator::send(Run& run, const LineToSite& line) {
  auto& site = run.sites.at(line.site);
  crash_around("before", line.line);
  tell(run, line.site, "> " + line.line);
  site.deadline_ms = now_ms() + run.machine.plan().answer_within.seconds * 1000;
  if (!site.way) {
    auto way = open_way(site.place);
    if (!way) {
      silences_.push_back({&run, line.site, way.what()});
      return;
    }
    site.way = *std::move(way), site.reader = {};
  }
  site.way->send(line.line);
  crash_around("after", line.line);
}

// What is closed while nobody waits for an answer is opened again for the next line.
Outcome Coordinator::work(Run& run, std::size_t place) {
  auto& site = run.sites.at(place);
  if (!site.way) return Done{};
  const auto lines = site.way->work();
  if (!lines) return fail(run, place, lines.what());
  for (const auto& line : *lines)
    if (auto taken = take_line(run, place, line); !taken) return taken;
  return Done{};
}

Outcome Coordinator::take_line(Run& run, std::size_t place, const std::string& line) {
  auto& site = run.sites.at(place);
  if (!site.way) return Done{};
  tell(run, place, "< " + line);
  if (site.deadline_ms == no_time_ms) return fail(run, place, "it answers what nobody asked");
  auto answer = site.reader.take(line);
  if (!answer) return fail(run, place, answer.what());
  if (!*answer) return Done{};
  site.deadline_ms = no_time_ms;
  crash_point("answer");
  return follow(run, run.machine.answered(place, **answer, now_ms()));
}

// Ends the way: a late answer comes to nobody.
Outcome Coordinator::fail(Run& run, std::size_t place, const std::string& why) {
  auto& site = run.sites.at(place);
  site.way = nullptr;
  if (std::exchange(site.deadline_ms, no_time_ms) == no_time_ms) return Done{};
  tell(run, place, why);
  return follow(run, run.machine.silent(place, why, now_ms()));
}

// A key may be a secret: it is for the report only.
void Coordinator::tell(const Run& run, std::size_t site, std::string text) const {
  constexpr std::string_view key = "RESKEY=";
  if (const auto at = text.find(key); at != std::string::npos)
    text.replace(at + key.size(), text.find(';', at) - at - key.size(), "...");
  on_event_(run.machine.id() + " " + run.sites.at(site).place.name + ": " + printable(text));
}

} // namespace almanac
