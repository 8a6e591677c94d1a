#include "core/configuration/override_purge.hpp"

#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

bool is_same_target(const std::string& a, const std::string& b) {
  return a.starts_with('@') ? a == b : equal_ignoring_case(a, b);
}

// The attributes that are meant; an error for one that has no values of single hosts.
Result<std::vector<std::string>> meant_attributes(const ConfigurationObject& queue,
                                                  const std::vector<Attribute>& given) {
  std::vector<std::string> all;
  for (const auto& attribute : queue.attributes)
    if (attribute.name != "hostlist") all.push_back(attribute.name);
  std::vector<std::string> names;
  for (const auto& attribute : given) {
    if (attribute.name == "*") return all;
    const auto& name = attribute.name;
    if (name == "hostlist" || name == name_attribute(ObjectKind::cluster_queue))
      return in_attribute(name, "it has no values of single hosts and groups");
    if (std::find(all.begin(), all.end(), name) == all.end())
      return Error{"unknown attribute name \"" + excerpt(name) + "\""};
    names.push_back(name);
  }
  return names;
}

} // namespace

Result<DecidedValues> decide_purge(const Configuration& configuration,
                                   const ConfigurationChange& change) {
  const auto& given = change.object;
  const auto at = given.name.find('@');
  const auto name = given.name.substr(0, at);
  if (given.kind != ObjectKind::cluster_queue)
    return Error{"Modification of object \"" + std::string(kind_name(given.kind)) +
                 "\" not supported"};
  const auto* queue = configuration.find(given.kind, name);
  if (!queue) return Error{"denied: cluster queue \"" + excerpt(name) + "\" does not exist"};
  if (at == std::string::npos || at + 1 == given.name.size())
    return Error{"\"" + excerpt(given.name) +
                 "\" is no queue instance and no queue domain: write queue@host or queue@@group"};
  const auto target = given.name.substr(at + 1);
  const auto meant = meant_attributes(*queue, given.attributes);
  if (!meant) return meant.error();
  const bool is_all = given.attributes.front().name == "*";
  DecidedValues decided{{}, name, {}};
  ConfigurationChange next{ChangeVerb::modify, {given.kind, name, {}}, {}};
  for (const auto& attribute : *meant) {
    auto value = OverridableValue::parse(*queue->find(attribute));
    if (!value) return in_attribute(attribute, value.what());
    const auto gone = std::erase_if(
        value->overrides, [&](const Attribute& one) { return is_same_target(one.name, target); });
    if (gone > 0) next.object.set(attribute, value->print());
    else if (!is_all)
      decided.notes.push_back(
          {AnswerCode::value_is_missing,
           {{"value", excerpt(target)}, {"list", attribute}, {"object", "queue"}}});
  }
  decided.changes = {std::move(next)};
  return decided;
}

} // namespace almanac
