// All that is wrong with a change: for who tries it before it is made (qconf -w v).
#include "core/configuration/configuration.hpp"
#include "core/configuration/error_list.hpp"

#include <algorithm>

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
      errors.note(next.put_if_sound(change_of(attribute, change, existing)));
    }
  }
  next.note_references(errors);
  return std::move(errors).list();
}

} // namespace almanac
