#include "tools/simulator/replay/replay_report.hpp"

#include <algorithm>
#include <array>
#include <iomanip>
#include <map>
#include <ostream>

namespace almanac {

namespace {

constexpr double shortest_run = 10; // seconds: shorter jobs count as this long for the slowdown

double wait_of(const ReplayedJob& job) {
  return static_cast<double>(job.start - job.traced.submit);
}

std::vector<const ReplayedJob*> by_end(const std::vector<ReplayedJob>& jobs) {
  std::vector<const ReplayedJob*> ended;
  for (const auto& job : jobs)
    if (job.start >= 0) ended.push_back(&job);
  std::stable_sort(ended.begin(), ended.end(), [](auto* a, auto* b) { return a->end < b->end; });
  return ended;
}

struct Span {
  std::int64_t from = 0, until = 0;
};
Span span_of(const std::vector<const ReplayedJob*>& ended) {
  Span span{ended.front()->traced.submit, ended.back()->end};
  for (const auto* job : ended) span.from = std::min(span.from, job->traced.submit);
  span.until = std::max(span.until, span.from + 1);
  return span;
}

double processor_seconds(const ReplayedJob& job, std::int64_t from, std::int64_t until) {
  const auto seconds = std::min(job.end, until) - std::max(job.start, from);
  return seconds <= 0 ? 0 : static_cast<double>(seconds) * static_cast<double>(job.traced.size);
}

double processors(const ReplaySettings& settings) {
  return static_cast<double>(settings.nodes * settings.slots);
}

constexpr int width = 1000, height = 260, left = 60, panel = 200;

void write_axis(std::ostream& out, int top, const std::string& title, const std::string& highest) {
  out << "<text x='" << left << "' y='" << top - 8 << "'>" << title << "</text>\n<text x='4' y='"
      << top + 12 << "'>" << highest << "</text>\n<text x='4' y='" << top + panel
      << "'>0</text>\n<rect x='" << left << "' y='" << top << "' width='" << width << "' height='"
      << panel << "' fill='none' stroke='#888'/>\n";
}

void draw_utilization(std::ostream& out, const std::vector<const ReplayedJob*>& ended,
                      const ReplaySettings& settings) {
  constexpr int steps = 500;
  const auto span = span_of(ended);
  const auto length = static_cast<double>(span.until - span.from) / steps;
  std::vector<double> used(steps, 0);
  for (const auto* job : ended) {
    const auto step = [&](std::int64_t at) {
      return std::clamp(static_cast<int>(static_cast<double>(at - span.from) / length), 0,
                        steps - 1);
    };
    for (int i = step(job->start); i <= step(job->end); ++i) {
      const auto from = span.from + static_cast<std::int64_t>(i * length);
      const auto until = span.from + static_cast<std::int64_t>((i + 1) * length);
      used[static_cast<std::size_t>(i)] += processor_seconds(*job, from, until);
    }
  }
  write_axis(out, 30,
             "utilization over " + std::to_string((span.until - span.from) / 86400) + " days",
             "100 %");
  out << "<polyline fill='none' stroke='#2060a0' points='";
  for (int i = 0; i < steps; ++i)
    out << left + i * width / steps << ','
        << 30 + panel -
               std::min(1.0, used[static_cast<std::size_t>(i)] / (length * processors(settings))) *
                   panel
        << ' ';
  out << "'/>\n";
}

// Bars for sizes of one processor, up to 2, up to 4, …
void draw_waits(std::ostream& out, const std::vector<const ReplayedJob*>& ended) {
  std::map<int, std::pair<double, std::int64_t>> waits;
  for (const auto* job : ended) {
    int group = 0;
    while ((std::int64_t{1} << group) < job->traced.size) ++group;
    waits[group].first += wait_of(*job);
    ++waits[group].second;
  }
  double highest = 1;
  for (const auto& [group, sum] : waits)
    highest = std::max(highest, sum.first / static_cast<double>(sum.second) / 60);
  write_axis(out, 30 + height, "mean wait in minutes, by processors",
             std::to_string(static_cast<std::int64_t>(highest)));
  const int bar = width / (waits.rbegin()->first + 1);
  for (const auto& [group, sum] : waits) {
    const auto tall =
        static_cast<int>(sum.first / static_cast<double>(sum.second) / 60 / highest * panel);
    const int x = left + group * bar;
    out << "<rect x='" << x + 2 << "' y='" << 30 + height + panel - tall << "' width='" << bar - 4
        << "' height='" << tall << "' fill='#a06020'/>\n<text x='" << x + 4 << "' y='"
        << 30 + height + panel + 16 << "'>" << (std::int64_t{1} << group) << "</text>\n";
  }
}

} // namespace

void write_starts(std::ostream& out, const std::vector<ReplayedJob>& jobs) {
  out << "job,submit,start\n";
  for (const auto& job : jobs)
    if (job.start >= 0)
      out << job.traced.number << ',' << job.traced.submit << ',' << job.start << '\n';
}

void write_summary(std::ostream& out, const std::vector<ReplayedJob>& jobs,
                   const ReplaySettings& settings) {
  const auto ended = by_end(jobs);
  const auto count_if = [&](auto matches) {
    return std::count_if(jobs.begin(), jobs.end(), matches);
  };
  out << "policy               " << settings.policy << "\njobs                 " << ended.size()
      << '\n';
  if (settings.reserved_percent > 0)
    out << "reservations         "
        << count_if([](auto& job) { return job.reserved && !job.refused; }) << " granted, "
        << count_if([](auto& job) { return job.refused; }) << " refused\n";
  if (ended.empty()) return;
  const auto skipped = ended.size() / 100;
  double wait = 0, slowdown = 0, longest = 0, work = 0;
  const auto span = span_of(ended);
  for (std::size_t i = 0; i < ended.size(); ++i) {
    const auto& job = *ended[i];
    longest = std::max(longest, wait_of(job));
    work += processor_seconds(job, span.from, span.until);
    if (i < skipped) continue;
    const auto run = static_cast<double>(job.end - job.start);
    wait += wait_of(job);
    slowdown += std::max(1.0, (wait_of(job) + run) / std::max(shortest_run, run));
  }
  const auto counted = static_cast<double>(ended.size() - skipped);
  out << std::fixed << std::setprecision(2) << "mean wait            " << wait / counted / 60
      << " min\n"
      << std::setprecision(3) << "bounded slowdown     " << slowdown / counted << '\n'
      << std::setprecision(1) << "utilization          "
      << 100 * work / (static_cast<double>(span.until - span.from) * processors(settings)) << " %\n"
      << std::setprecision(2) << "longest wait         " << longest / 3600 << " h\n";
}

void write_picture(std::ostream& out, const std::vector<ReplayedJob>& jobs,
                   const ReplaySettings& settings) {
  const auto ended = by_end(jobs);
  out << "<svg xmlns='http://www.w3.org/2000/svg' width='" << left + width + 20 << "' height='"
      << 2 * height + 20 << "' font-family='sans-serif' font-size='12'>\n";
  if (!ended.empty()) {
    draw_utilization(out, ended, settings);
    draw_waits(out, ended);
  }
  out << "</svg>\n";
}

} // namespace almanac
