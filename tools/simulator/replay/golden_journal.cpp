#include "tools/simulator/replay/golden_journal.hpp"

#include "core/planning/planner.hpp"
#include "core/planning/valid_input.hpp"
#include "schema/codec.hpp"
#include "schema/store/checkpoint.hpp"
#include "tools/simulator/replay/gz_file.hpp"
#include "tools/simulator/world/virtual_ports.hpp"

#include <array>
#include <memory>
#include <ostream>
#include <set>
#include <tuple>

namespace almanac {

namespace {

constexpr std::array families{store::Family::checkpoint, store::Family::inputs};
constexpr std::uint32_t longest = 64 << 20;

bool put(gzFile file, std::string_view text) {
  const auto size = static_cast<std::uint32_t>(text.size());
  return gzwrite(file, &size, sizeof size) == sizeof size &&
         (size == 0 || gzwrite(file, text.data(), size) == static_cast<int>(size));
}

std::optional<std::string> take(gzFile file) {
  std::uint32_t size = 0;
  if (gzread(file, &size, sizeof size) != sizeof size || size > longest) return std::nullopt;
  std::string text(size, '\0');
  if (size > 0 && gzread(file, text.data(), size) != static_cast<int>(size)) return std::nullopt;
  return text;
}

Result<MemoryJournal> load_journal(const std::string& path) {
  const GzFile file(gzopen(path.c_str(), "rb"));
  std::vector<store::Write> writes;
  for (const auto family : families) {
    const auto count = file ? take(file.get()) : std::nullopt;
    if (!count) return Error{path + " is not a kept journal"};
    for (auto left = std::stoull(*count); left > 0; --left) {
      auto key = take(file.get()), value = take(file.get());
      if (!key || !value) return Error{path + " ends too early"};
      writes.push_back({family, std::move(*key), std::move(*value)});
    }
  }
  MemoryJournal journal;
  journal.commit(writes, {});
  return journal;
}

// Each start once, however often its task is written afterwards.
class Starts {
public:
  explicit Starts(std::ostream& out) : out_(out) {}
  std::int64_t count() const { return static_cast<std::int64_t>(known_.size()); }

  void note(const Task& task, const State& state, Instant now) {
    if (task.state == TaskState::sent &&
        known_.insert({task.job, task.number, task.attempt}).second)
      print(*state.job(task.job), task, now);
  }

private:
  void print(const Job& job, const Task& task, Instant now) {
    out_ << job.number.value << '.' << task.number << ' ' << task.attempt << ' ' << now.seconds;
    for (const auto& grant : task.grants)
      out_ << ' ' << grant.instance.text() << '=' << grant.slots;
    out_ << '\n';
  }

  std::ostream& out_;
  std::set<Attempt> known_;
};

} // namespace

Outcome save_journal(const Journal& journal, const std::string& path) {
  const GzFile file(gzopen(path.c_str(), "wb9"));
  bool written = file != nullptr;
  for (const auto family : families) {
    std::vector<std::pair<std::string, std::string>> entries;
    journal.scan(family, [&](std::string_view key, std::string_view value) {
      entries.emplace_back(key, value);
    });
    written = written && put(file.get(), std::to_string(entries.size()));
    for (const auto& [key, value] : entries)
      written = written && put(file.get(), key) && put(file.get(), value);
  }
  return written ? Outcome(Done{}) : Error{"can't write " + path};
}

Result<GoldenRun> decide_again(const std::string& path, std::ostream& out) {
  const auto journal = load_journal(path);
  if (!journal) return journal.error();
  auto checkpoint = store::read_checkpoint(
      [&](store::Family family, const auto& visit) { journal->scan(family, visit); });
  if (!checkpoint) return checkpoint.error();
  auto planner = Planner::restore(std::move(checkpoint->records));
  if (!planner) return planner.error();
  GoldenRun run;
  Starts starts(out);
  Outcome outcome = Done{};
  journal->scan(store::Family::inputs, [&](std::string_view, std::string_view value) {
    const auto input = decode<JournaledInput>(value);
    if (!input) outcome = input.error();
    if (!outcome) return;
    const auto checked = validated_input(input->input);
    if (!std::holds_alternative<ValidInput>(checked)) return; // it was refused then, or is now
    ++run.inputs;
    for (const auto& effect : planner->handle(std::get<ValidInput>(checked), input->now).effects)
      if (const auto* task = std::get_if<TaskPtr>(&effect))
        starts.note(**task, planner->state(), input->now);
  });
  if (!outcome) return outcome.error();
  run.starts = starts.count(), run.digest = planner->digest();
  return run;
}

} // namespace almanac
