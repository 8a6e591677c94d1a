// The project's utilization diagram behind the small C interface of an outside harness, which
// measures several calendars with the same work.
#include "core/utilization/diagram.hpp"

#include <calendar_shim.h>

#include <vector>

using namespace almanac;

namespace {

struct Span {
  Window window;
  std::vector<std::int64_t> amounts; // empty: removed
};

} // namespace

struct cal {
  std::int64_t end = 0, capacity = 0;
  Diagram diagram;
  struct Booked {
    std::int64_t start = 0, length = 0, amount = 0; // amount 0: free to be used again
  };
  std::vector<Booked> spans;
  std::vector<std::int64_t> unused;
  std::int64_t last = -1, length = 0, limit = 0; // of the last question

  std::int64_t answer(std::optional<Instant> start) {
    last = start && start->seconds + length <= end ? start->seconds : -1;
    return last;
  }
};

struct mcal {
  std::int64_t end = 0;
  std::vector<std::int64_t> capacities;
  std::vector<Diagram> diagrams;
  std::vector<Span> spans;
};

extern "C" {

const char* cal_name(void) { return "almanac"; }

cal_t* cal_new(std::int64_t t0, std::int64_t horizon, std::int64_t capacity) {
  auto* c = new cal();
  c->end = t0 + horizon, c->capacity = capacity;
  return c;
}
void cal_free(cal_t* c) { delete c; }

std::int64_t cal_add(cal_t* c, std::int64_t start, std::int64_t dur, std::int64_t amount) {
  const Window window{{start}, {start + dur}};
  if (c->diagram.max(window) + amount > c->capacity) return -1;
  c->diagram.add(window, amount);
  if (c->unused.empty()) {
    c->spans.push_back({start, dur, amount});
    return static_cast<std::int64_t>(c->spans.size()) - 1;
  }
  const auto handle = c->unused.back();
  c->unused.pop_back();
  c->spans[static_cast<std::size_t>(handle)] = {start, dur, amount};
  return handle;
}

int cal_rem(cal_t* c, std::int64_t handle) {
  if (handle < 0 || handle >= static_cast<std::int64_t>(c->spans.size())) return -1;
  auto& span = c->spans[static_cast<std::size_t>(handle)];
  if (span.amount == 0) return -1;
  c->diagram.remove({{span.start}, {span.start + span.length}}, span.amount);
  span.amount = 0;
  c->unused.push_back(handle);
  return 0;
}

std::int64_t cal_max(cal_t* c, std::int64_t start, std::int64_t dur) {
  return c->diagram.max({{start}, {start + dur}});
}

std::int64_t cal_below(cal_t* c, std::int64_t after, std::int64_t dur, std::int64_t amount) {
  c->length = dur, c->limit = c->capacity - amount;
  return c->answer(c->diagram.earliest_fit({after}, {dur}, c->limit));
}

std::int64_t cal_below_next(cal_t* c) {
  if (c->last < 0) return -1;
  return c->answer(c->diagram.next_fit({c->last}, {c->length}, c->limit));
}

mcal_t* mcal_new(std::int64_t t0, std::int64_t horizon, const std::int64_t* caps, int types) {
  auto* c = new mcal();
  c->end = t0 + horizon;
  c->capacities.assign(caps, caps + types);
  c->diagrams.resize(static_cast<std::size_t>(types));
  return c;
}
void mcal_free(mcal_t* c) { delete c; }

std::int64_t mcal_add(mcal_t* c, std::int64_t start, std::int64_t dur,
                      const std::int64_t* amounts) {
  const Window window{{start}, {start + dur}};
  for (std::size_t i = 0; i < c->diagrams.size(); ++i)
    if (amounts[i] > 0 && c->diagrams[i].max(window) + amounts[i] > c->capacities[i]) return -1;
  for (std::size_t i = 0; i < c->diagrams.size(); ++i)
    if (amounts[i] > 0) c->diagrams[i].add(window, amounts[i]);
  c->spans.push_back({window, {amounts, amounts + c->diagrams.size()}});
  return static_cast<std::int64_t>(c->spans.size()) - 1;
}

int mcal_rem(mcal_t* c, std::int64_t handle) {
  if (handle < 0 || handle >= static_cast<std::int64_t>(c->spans.size())) return -1;
  auto& span = c->spans[static_cast<std::size_t>(handle)];
  if (span.amounts.empty()) return -1;
  for (std::size_t i = 0; i < c->diagrams.size(); ++i)
    if (span.amounts[i] > 0) c->diagrams[i].remove(span.window, span.amounts[i]);
  span.amounts.clear();
  return 0;
}

// Each diagram in turn moves the start on, until a whole round agrees.
std::int64_t mcal_below(mcal_t* c, std::int64_t after, std::int64_t dur,
                        const std::int64_t* amounts) {
  auto start = after;
  const auto types = c->diagrams.size();
  for (std::size_t i = 0, agreed = 0; agreed < types; i = (i + 1) % types) {
    if (amounts[i] > c->capacities[i]) return -1;
    if (amounts[i] > 0) {
      const auto next = c->diagrams[i].earliest_fit({start}, {dur}, c->capacities[i] - amounts[i]);
      if (!next || next->seconds + dur > c->end) return -1;
      if (next->seconds > start) start = next->seconds, agreed = 0;
    }
    ++agreed;
  }
  return start + dur <= c->end ? start : -1;
}

} // extern "C"
