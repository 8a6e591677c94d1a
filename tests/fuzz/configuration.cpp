// What qconf sends: objects as an administrator writes them, put into the configuration of a new
// cell, changed and taken out again.
#include "core/configuration/objects/printed_object.hpp"
#include "core/configuration/configuration.hpp"
#include "core/configuration/objects/lists.hpp"
#include "core/configuration/objects/kind.hpp"
#include "core/configuration/objects/quota_file.hpp"
#include "core/configuration/value_change.hpp"
#include "core/request/valid.hpp"
#include "core/text/words.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace almanac;

namespace {

ConfigurationChange change_of(ChangeVerb verb, ObjectKind kind, std::string_view text) {
  if (kind == ObjectKind::quota_set) {
    const auto sets = parse_quota_sets(text);
    if (sets) return {verb, sets->front(), {}};
  }
  ConfigurationObject object;
  object.kind = kind;
  auto attributes =
      kind == ObjectKind::complex ? parse_complex_table(text) : parse_attribute_file(text);
  if (attributes) object.attributes = *attributes;
  if (const auto key = name_attribute(kind); !key.empty())
    if (const auto* name = object.find(key)) object.name = *name;
  return {verb, object, parse_name_list(text.substr(0, text.find('\n')))};
}

// As a command makes it: what a change of values comes to depends on what is there. The name has no
// line of its own in one.
Result<Configuration::Changed> changed_by(const Configuration& configuration,
                                          ConfigurationChange change) {
  if (!is_of_values(change.verb)) return configuration.with(change);
  if (const auto key = name_attribute(change.object.kind); change.object.find(key))
    std::erase_if(change.object.attributes, [&](const auto& one) { return one.name == key; });
  const auto decided = decide_values(configuration, change);
  if (!decided) return decided.error();
  return configuration.with_all(decided->changes);
}

void check_printed(const ConfigurationObject& object) {
  if (object.kind == ObjectKind::complex) {
    const auto printed = print_complex_table(object);
    const auto again = parse_complex_table(printed);
    check(again.ok() && *again == object.attributes, "a table reads back");
    return;
  }
  if (object.kind == ObjectKind::quota_set) {
    const auto again = parse_quota_sets(print_object(object));
    check(again.ok() && again->size() == 1 && again->front().name == object.name,
          "a quota set that is shown reads back");
    for (const auto& attribute : again->front().attributes)
      check(attribute.value == *object.find(attribute.name), "each of its values reads back");
    return;
  }
  const auto printed = print_object(object);
  const auto again = parse_attribute_file(printed);
  check(again.ok(), "an object that is shown reads back");
  const ConfigurationObject shown{object.kind, "", *again};
  for (const auto& attribute : object.attributes) {
    const auto* value = shown.find(attribute.name);
    check(value && words(*value, " \t,") == words(attribute.value, " \t,"),
          "each value reads back");
  }
}

void check_hours(const OpeningHours& hours) {
  const TimeZone zone{{{{0}, 3600}, {{1'700'000'000}, 7200}}};
  Instant at{1'699'990'000};
  for (int turn = 0; turn < 20 && !at.is_never(); ++turn) {
    const auto next = hours.next_change(at, zone);
    check(next > at, "the next change comes after now");
    check(next.is_never() || hours.at(next, zone) != hours.at(next - Duration{1}, zone),
          "a change is one");
    at = next;
  }
  Instant last{0};
  for (const auto& closure : hours.closures({{1'699'990'000}, {1'710'000'000}}, zone)) {
    check(last <= closure.window.start && closure.window.start < closure.window.end,
          "closures ascend and do not overlap");
    last = closure.window.end;
  }
}

} // namespace

// Changes, each a byte for verb and kind and a text that ends at a zero byte.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto initial = Configuration::initial("root", "master");
  auto configuration = initial;
  Pieces pieces(as_text(data, size));
  for (int turn = 0; turn < 8 && !pieces.at_end(); ++turn) {
    const auto verb =
        static_cast<ChangeVerb>(pieces.byte() % (static_cast<unsigned>(last_of<ChangeVerb>) + 1));
    const auto kind =
        static_cast<ObjectKind>(pieces.byte() % (static_cast<unsigned>(last_of<ObjectKind>) + 1));
    const auto text = pieces.bytes(pieces.rest().find('\0'));
    pieces.byte();
    const auto change = change_of(verb, kind, text);
    if (!valid(CommandBody(Configure{change}))) continue; // it gets no further than the gate
    const auto changed = changed_by(configuration, change);
    if (!changed) continue;
    for (const auto& object : changed->stored) check_printed(object);
    configuration = changed->configuration;
    for (const auto& [name, hours] : configuration.calendars()) check_hours(hours);
  }
  const auto restored = Configuration::restore(configuration.objects());
  check(restored.ok() && restored->objects() == configuration.objects(),
        "what is stored can be restored");
  return 0;
}
