#include "schema/store/spans.hpp"

#include "schema/codec.hpp"

namespace almanac::store {

namespace {

char letter_of(SpanOf of) {
  switch (of) {
  case SpanOf::instance: return 'i';
  case SpanOf::reservation: return 'r';
  case SpanOf::task: return 't';
  case SpanOf::gap: return 'g';
  }
  return '?';
}

std::string past_key(const UsageSpan& span, const std::string& detail) {
  return number_key(span.during.end.seconds) + letter_of(span.of) + detail + span.instance.text();
}

} // namespace

std::string key_of_spans_after(Instant at) { return number_key(at.seconds + 1); }

bool is_open_span(std::string_view key) { return key.starts_with(open_spans); }

Instant end_of_span(std::string_view key) { return {key_number(key)}; }

std::string open_span_key(const UsageSpan& span, std::int64_t of) {
  return std::string(open_spans) + letter_of(span.of) + number_key(of) + span.instance.text();
}

Write write_of_open(const UsageSpan& span, std::int64_t of) {
  return {Family::usage, open_span_key(span, of), encode(span)};
}

Write erase_of_open(const UsageSpan& span, std::int64_t of) {
  return {Family::usage, open_span_key(span, of), std::nullopt};
}

Write write_of_past(const UsageSpan& span) {
  const auto detail =
      number_key(span.reservation.number.value) + number_key(span.reservation.submitted.seconds);
  return {Family::usage, past_key(span, detail), encode(span)};
}

std::vector<Write> spans_of(const AccountingRecord& record) {
  if (!record.pe_task.empty()) return {}; // its task holds the slots
  if (record.started.seconds == 0 || record.ended <= record.started) return {};
  auto grants = record.grants;
  if (grants.empty()) grants.push_back({{record.queue, record.host}, record.slots});
  const auto detail =
      number_key(record.job.value) + number_key(record.task) + number_key(record.started.seconds);
  std::vector<Write> writes;
  for (const auto& grant : grants) {
    UsageSpan span;
    span.of = SpanOf::task, span.instance = grant.instance, span.slots = grant.slots;
    span.during = {record.started, record.ended};
    span.reservation = {record.reservation, record.reservation_submitted};
    writes.push_back({Family::usage, past_key(span, detail), encode(span)});
  }
  return writes;
}

} // namespace almanac::store
