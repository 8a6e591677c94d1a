// One diagram, beside the plain step function on a std::map that it has to be better than.
//
// Spans as in a pool of 10,000 slots: amounts of 1 to 256, one minute to a day long, about 150 at a
// time.
#include "core/utilization/diagram.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <random>

namespace {

using namespace almanac;

class StepFunction {
public:
  void add(Window window, std::int64_t amount) {
    auto at = cut(window.start);
    for (const auto end = cut(window.end); at != end; ++at) at->second += amount;
  }
  void remove(Window window, std::int64_t amount) {
    add(window, -amount);
    join(window.start), join(window.end);
  }
  std::int64_t max(Window window) const {
    auto highest = before(window.start)->second;
    for (auto at = levels_.upper_bound(window.start); at != levels_.end() && at->first < window.end;
         ++at)
      highest = std::max(highest, at->second);
    return highest;
  }
  std::optional<Instant> earliest_fit(Instant from, Duration length, std::int64_t limit) const {
    auto start = from;
    for (auto at = before(from); at != levels_.end(); ++at) {
      const auto next = std::next(at);
      if (at->second > limit) {
        if (next == levels_.end()) return std::nullopt;
        start = next->first;
      } else if (next == levels_.end() || next->first >= start + length) return start;
    }
    return std::nullopt;
  }

private:
  using Levels = std::map<Instant, std::int64_t>;
  Levels::const_iterator before(Instant at) const { return std::prev(levels_.upper_bound(at)); }
  Levels::iterator cut(Instant at) {
    const auto after = levels_.upper_bound(at);
    const auto here = std::prev(after);
    return here->first == at ? here : levels_.emplace_hint(after, at, here->second);
  }
  void join(Instant at) {
    const auto here = levels_.find(at);
    if (here != levels_.begin() && std::prev(here)->second == here->second) levels_.erase(here);
  }

  Levels levels_{{Instant{-1}, 0}};
};

struct Span {
  Window window;
  std::int64_t amount;
};

class Dice {
public:
  explicit Dice(std::int64_t spans) : horizon_(spans * 12'000 / 150) {}
  Instant time() { return {up_to(horizon_)}; }
  Duration length() { return {static_cast<std::int64_t>(60 * std::pow(1440.0, part()))}; }
  std::size_t one_of(std::size_t count) {
    return static_cast<std::size_t>(up_to(static_cast<std::int64_t>(count) - 1));
  }
  Span span() {
    const auto start = time();
    return {{start, start + length()}, static_cast<std::int64_t>(std::pow(256.0, part()))};
  }
  Duration tenth() const { return {horizon_ / 10}; }

private:
  std::int64_t up_to(std::int64_t highest) {
    return std::uniform_int_distribution<std::int64_t>(0, highest)(engine_);
  }
  double part() { return std::uniform_real_distribution<>(0, 1)(engine_); }

  std::int64_t horizon_;
  std::mt19937_64 engine_{42};
};

template <class Calendar> struct Filled {
  explicit Filled(std::int64_t count) : dice(count) {
    for (std::int64_t i = 0; i < count; ++i) {
      spans.push_back(dice.span());
      calendar.add(spans.back().window, spans.back().amount);
    }
  }
  Dice dice;
  Calendar calendar;
  std::vector<Span> spans;
};

template <class Calendar> void remove_and_add(benchmark::State& state) {
  Filled<Calendar> filled(state.range(0));
  for (auto _ : state) {
    auto& span = filled.spans[filled.dice.one_of(filled.spans.size())];
    filled.calendar.remove(span.window, span.amount);
    span = filled.dice.span();
    filled.calendar.add(span.window, span.amount);
  }
}

template <class Calendar> void max_in_a_job(benchmark::State& state) {
  Filled<Calendar> filled(state.range(0));
  for (auto _ : state) {
    const auto start = filled.dice.time();
    benchmark::DoNotOptimize(filled.calendar.max({start, start + filled.dice.length()}));
  }
}

template <class Calendar> void max_in_a_tenth(benchmark::State& state) {
  Filled<Calendar> filled(state.range(0));
  for (auto _ : state) {
    const auto start = filled.dice.time();
    benchmark::DoNotOptimize(filled.calendar.max({start, start + filled.dice.tenth()}));
  }
}

template <class Calendar> void earliest_fit(benchmark::State& state) {
  Filled<Calendar> filled(state.range(0));
  const auto limit = filled.calendar.max({{0}, Instant::never()}) * 6 / 10;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        filled.calendar.earliest_fit(filled.dice.time(), filled.dice.length(), limit));
}

// What a question costs before its calendar is asked.
void only_drawn(benchmark::State& state) {
  Dice dice(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(dice.time() + dice.length());
}

// A lower bound of a fit that starts elsewhere: two points found in a sorted array of as many.
void two_points_found(benchmark::State& state) {
  Filled<Diagram> filled(state.range(0));
  const auto points = filled.calendar.points();
  const auto find = [&](Instant at) {
    return static_cast<std::size_t>(std::lower_bound(points.begin(), points.end(), at) -
                                    points.begin());
  };
  for (auto _ : state) {
    const auto start = filled.dice.time();
    const auto first = find(start);
    benchmark::DoNotOptimize(find(start + filled.dice.length() + filled.dice.tenth()) + first);
  }
}

BENCHMARK(only_drawn)->Arg(1000)->Arg(100'000);
BENCHMARK(two_points_found)->Arg(1000)->Arg(100'000);
BENCHMARK(remove_and_add<Diagram>)->Arg(1000)->Arg(100'000);
BENCHMARK(remove_and_add<StepFunction>)->Arg(1000)->Arg(100'000);
BENCHMARK(max_in_a_job<Diagram>)->Arg(1000)->Arg(100'000);
BENCHMARK(max_in_a_job<StepFunction>)->Arg(1000)->Arg(100'000);
BENCHMARK(max_in_a_tenth<Diagram>)->Arg(1000)->Arg(100'000);
BENCHMARK(max_in_a_tenth<StepFunction>)->Arg(1000)->Arg(100'000);
BENCHMARK(earliest_fit<Diagram>)->Arg(1000)->Arg(100'000);
BENCHMARK(earliest_fit<StepFunction>)->Arg(1000)->Arg(100'000);

} // namespace

BENCHMARK_MAIN();
