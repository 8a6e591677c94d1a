// All that is wrong with a change: for who tries it before it is made (qconf -w v).
#include "core/configuration/configuration.hpp"
#include "core/configuration/error_list.hpp"
#include "core/configuration/objects/kind.hpp"
#include "core/configuration/objects/lists.hpp"
#include "core/configuration/objects/overridable_value.hpp"

#include <algorithm>
#include <functional>

namespace almanac {

namespace {

// The change of one attribute, whether the object is there or not. A row of the complex table stands
// among those that are there.
ConfigurationChange change_of(const Attribute& attribute, const ConfigurationChange& whole,
                              const ConfigurationObject* existing) {
  ConfigurationChange one{existing ? ChangeVerb::modify : ChangeVerb::add,
                          {whole.object.kind, whole.object.name, {}},
                          {}};
  if (existing && one.object.kind == ObjectKind::complex)
    one.object.attributes = existing->attributes;
  one.object.set(attribute.name, attribute.value);
  return one;
}

constexpr std::size_t most_elements = 200; ///< of one attribute that are tried one by one

using Put = std::function<bool(const std::string& value)>;

// Puts each element of a list by itself, then those together that are sound: they may refer to what is
// not there.
void put_elements(const std::string& text, bool is_by_host, const Put& put) {
  const auto whole = OverridableValue::parse(text);
  if (!whole || (!is_by_host && !whole->overrides.empty())) return;
  std::size_t tried = 0;
  bool any_is_sound = false;
  const auto sound_ones = [&](const std::string& list, const std::string& before,
                              const std::string& behind) {
    std::vector<std::string> kept;
    for (const auto& one : parse_name_list(list))
      if (tried++ < most_elements && put(before + one + behind)) kept.push_back(one);
    any_is_sound = any_is_sound || !kept.empty();
    return print_name_list(kept);
  };
  OverridableValue sound{sound_ones(whole->fallback, "", ""), {}};
  for (const auto& [target, list] : whole->overrides)
    sound.overrides.push_back({target, sound_ones(list, "NONE,[" + target + "=", "]")});
  if (any_is_sound) put(sound.print());
}

// Those whose elements can be told from each other without knowing the attribute. Parameters of the
// cell depend on each other.
void put_list(ObjectKind kind, const Attribute& attribute, const Put& put) {
  if (is_single(kind) || kind == ObjectKind::local_configuration) return;
  const auto shape = shape_of(kind, attribute.name);
  const bool is_by_host =
      shape == ValueShape::names_by_host || shape == ValueShape::amounts_by_host;
  const bool is_list = shape == ValueShape::names || shape == ValueShape::amounts || is_by_host;
  if (is_list && attribute.name != "subordinate_list")
    put_elements(attribute.value, is_by_host, put);
}

} // namespace

// What does not parse is as it was.
Outcome Configuration::put_if_sound(const ConfigurationChange& change) {
  const Key key{change.object.kind, change.object.name};
  if (change.verb == ChangeVerb::erase) return erase(key.first, key.second);
  auto object = edited(change);
  if (!object) return object.error();
  const auto known = objects_.find(key);
  const auto before = known == objects_.end() ? std::nullopt : std::optional(known->second);
  auto sound = put(*object);
  if (!sound && before) objects_.insert_or_assign(key, *before);
  else if (!sound) forget(key.first, key.second);
  return sound;
}

std::vector<Error> Configuration::errors_of(const std::vector<ConfigurationChange>& changes) const {
  const auto whole = with_all(changes);
  if (whole) return {};
  ErrorList errors;
  errors.note(whole.error());
  auto next = *this;
  for (auto change : changes) {
    auto& object = change.object;
    if (is_single(object.kind)) object.name.clear();
    const auto sound = next.put_if_sound(change);
    if (sound) continue;
    errors.note(sound);
    for (const auto& attribute : object.attributes) {
      const auto* existing = next.find(object.kind, object.name);
      const auto* before = existing ? existing->find(attribute.name) : nullptr;
      if (attribute.name == name_attribute(object.kind) || (before && *before == attribute.value))
        continue;
      const Put put = [&](const std::string& value) {
        const auto done = next.put_if_sound(
            change_of({attribute.name, value}, change, next.find(object.kind, object.name)));
        errors.note(done);
        return done.ok();
      };
      if (!put(attribute.value)) put_list(object.kind, attribute, put);
    }
  }
  next.note_references(errors);
  return std::move(errors).list();
}

} // namespace almanac
