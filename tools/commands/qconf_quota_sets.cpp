#include "tools/commands/qconf_quota_sets.hpp"

#include "core/configuration/objects/quota_file.hpp"
#include "core/text/pattern.hpp"
#include "core/text/words.hpp"
#include "tools/commands/edited_text.hpp"
#include "tools/commands/fetched_objects.hpp"
#include "tools/commands/qconf_change.hpp"
#include "tools/commands/quota_set_changes.hpp"

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <tuple>

namespace almanac {

namespace {

using Sets = std::vector<ConfigurationObject>;
using Names = std::vector<std::string>;
using Changes = std::vector<ConfigurationChange>;

// Programs look for these texts: they stand by themselves.
int trouble(Context& context, const std::string& what) {
  context.err << what << "\n";
  return 1;
}

int no_set_defined(Context& context) {
  return trouble(context, "no resource quota set list defined");
}
int no_such_set(Context& context, const std::string& name) {
  return trouble(context, "resource quota set \"" + name + "\" does not exist");
}
int not_in_file(Context& context, const std::string& name, const std::string& path) {
  return trouble(context, "resource quota set \"" + name + "\" not found in file \"" + path + "\"");
}

// In the order in which they are asked.
int fetch_sets(Context& context, Sets& sets) {
  const int asked = fetch_objects(context, ObjectKind::quota_set, sets);
  std::sort(
      sets.begin(), sets.end(), [](const ConfigurationObject& a, const ConfigurationObject& b) {
        return std::make_tuple(position_of(a), a.name) < std::make_tuple(position_of(b), b.name);
      });
  return asked;
}

const ConfigurationObject* find(const Sets& sets, const std::string& name) {
  const auto it =
      std::find_if(sets.begin(), sets.end(), [&](auto& set) { return set.name == name; });
  return it == sets.end() ? nullptr : &*it;
}

Names names_of(const Sets& sets) {
  Names names;
  for (const auto& set : sets) names.push_back(set.name);
  return names;
}

std::string printed(const Sets& sets) {
  std::string text;
  for (const auto& set : sets) text += print_quota_set(set);
  return text;
}

// The same but for its place.
bool is_same(const ConfigurationObject& stored, const ConfigurationObject& given) {
  return print_quota_set(stored) == print_quota_set(given);
}

Changes changes_of(ChangeVerb verb, const Sets& sets) {
  Changes changes;
  for (const auto& set : sets) changes.push_back({verb, set, {}});
  return changes;
}

ConfigurationChange erasure_of(const std::string& name) {
  return {ChangeVerb::erase, {ObjectKind::quota_set, name, {}}, {}};
}

// Whether the given sets come in that order by themselves: new ones come behind those that stay.
bool is_usual_order(const Sets& stored, const Sets& given) {
  auto usual = names_of(stored);
  std::erase_if(usual, [&](const std::string& name) { return !find(given, name); });
  for (const auto& set : given)
    if (!find(stored, set.name)) usual.push_back(set.name);
  return usual == names_of(given);
}

// What makes the given sets those of the cell, in their order.
Changes replacement(const Sets& stored, const Sets& given) {
  Changes changes;
  for (const auto& set : stored)
    if (!find(given, set.name)) changes.push_back(erasure_of(set.name));
  const bool keeps_order = is_usual_order(stored, given);
  for (std::size_t i = 0; i < given.size(); ++i) {
    auto set = given[i];
    if (!keeps_order) set.set("position", std::to_string(i));
    const auto verb = find(stored, set.name) ? ChangeVerb::modify : ChangeVerb::add;
    changes.push_back({verb, std::move(set), {}});
  }
  return changes;
}

// Of the sets in a file, those of the names; nothing after a complaint about one of them.
std::optional<Sets> sets_to_modify(Context& context, const Sets& stored, const Sets& given,
                                   const Names& names, const std::string& path) {
  Sets wanted;
  bool is_sound = true;
  for (const auto& name : std::set<std::string>(names.begin(), names.end())) {
    const auto* set = find(given, name);
    if (!set) not_in_file(context, name, path), is_sound = false;
    else if (!find(stored, name)) no_such_set(context, name), is_sound = false;
    else wanted.push_back(*set);
  }
  if (!is_sound) return std::nullopt;
  return wanted;
}

// ---- showing --------------------------------------------------------------------------------------

int list_sets(Context& context) {
  Sets sets;
  if (const int asked = fetch_sets(context, sets); asked != 0) return asked;
  if (sets.empty()) return no_set_defined(context);
  for (const auto& set : sets) context.out << set.name << "\n";
  return 0;
}

int show_sets(Context& context, const Names& patterns) {
  Sets sets;
  if (const int asked = fetch_sets(context, sets); asked != 0) return asked;
  const auto is_meant = [](const std::string& pattern, const ConfigurationObject& set) {
    return pattern == set.name || matches_pattern(pattern, set.name);
  };
  Names missing;
  for (const auto& pattern : patterns)
    if (std::none_of(sets.begin(), sets.end(), [&](auto& set) { return is_meant(pattern, set); }))
      missing.push_back(pattern);
  std::erase_if(sets, [&](const ConfigurationObject& set) {
    return !patterns.empty() &&
           std::none_of(patterns.begin(), patterns.end(),
                        [&](const std::string& pattern) { return is_meant(pattern, set); });
  });
  if (sets.empty()) return trouble(context, "No resource quota set found");
  context.out << printed(sets);
  int code = 0;
  for (const auto& name : missing) code = no_such_set(context, name);
  return code;
}

// ---- from a file ----------------------------------------------------------------------------------

struct FileOfSets {
  WrittenSets written;
  Sets sets;
};

std::string all_of(const std::vector<Error>& errors, const std::string& path) {
  Names texts;
  for (const auto& error : errors) texts.push_back(located(error, path).what);
  return join(texts, "\n");
}

Result<FileOfSets> read_file(const Context& context, const std::string& path) {
  auto text = read_text_file(path.starts_with('/') ? path : context.directory + "/" + path);
  if (!text) return text.error();
  auto file = read_quota_file(*text);
  if (!file.errors.empty()) return Error{all_of(file.errors, path)};
  return FileOfSets{{path, std::move(*text)}, std::move(file.sets)};
}

int add_from_file(Context& context, const std::string& path) {
  const auto given = read_file(context, path);
  if (!given) return trouble(context, given.what());
  return change_quota_sets(context, changes_of(ChangeVerb::add, given->sets), given->written);
}

int modify_from_file(Context& context, const std::string& path, const Names& names) {
  const auto given = read_file(context, path);
  if (!given) return trouble(context, given.what());
  Sets stored;
  if (const int asked = fetch_sets(context, stored); asked != 0) return asked;
  if (names.empty())
    return change_quota_sets(context, replacement(stored, given->sets), given->written);
  const auto wanted = sets_to_modify(context, stored, given->sets, names, path);
  if (!wanted) return 1;
  return change_quota_sets(context, changes_of(ChangeVerb::modify, *wanted), given->written);
}

// ---- in the editor --------------------------------------------------------------------------------

using UseSets = std::function<EditOutcome(const Sets& given, const WrittenSets& written)>;

int edit_sets(Context& context, const Sets& sets, const UseSets& use) {
  return edit_text(context, printed(sets), [&](const std::string& text, const std::string& path) {
    const auto given = read_quota_file(text);
    if (given.errors.empty()) return use(given.sets, {path, text});
    return EditOutcome{trouble(context, all_of(given.errors, path)), true};
  });
}

EditOutcome outcome_of(int code) { return {code, code != 0}; }

int add_in_editor(Context& context, Names names) {
  if (names.empty()) names = {"template"};
  Sets stored, fresh;
  if (const int asked = fetch_sets(context, stored); asked != 0) return asked;
  int code = 0;
  for (const auto& name : names) {
    if (find(stored, name))
      code = trouble(context, "resource quota set \"" + name + "\" already exists");
    fresh.push_back(new_quota_set(name));
  }
  if (code != 0) return code;
  return edit_sets(context, fresh, [&](const Sets& given, const WrittenSets& written) {
    return outcome_of(change_quota_sets(context, changes_of(ChangeVerb::add, given), written));
  });
}

// What is as it was is not sent again.
EditOutcome change_what_differs(Context& context, const Sets& stored, Changes changes,
                                const WrittenSets& written) {
  std::erase_if(changes, [&](const ConfigurationChange& change) {
    const auto* before = find(stored, change.object.name);
    return change.verb == ChangeVerb::modify && before && is_same(*before, change.object) &&
           !change.object.find("position");
  });
  if (changes.empty()) return {trouble(context, "Object has not been changed"), false};
  return outcome_of(change_quota_sets(context, changes, written));
}

// Somebody else may have changed the sets while they were in the editor; 0: nobody has.
int refuse_old(Context& context, const Sets& edited, bool is_whole_list) {
  Sets present;
  if (const int asked = fetch_sets(context, present); asked != 0) return asked;
  for (const auto& set : edited) {
    const auto* now = find(present, set.name);
    if (!now || !is_same(set, *now))
      return trouble(context, "resource quota set \"" + set.name +
                                  "\" was changed meanwhile: nothing was changed");
  }
  if (is_whole_list && names_of(present) != names_of(edited))
    return trouble(context,
                   "the list of resource quota sets was changed meanwhile: nothing was changed");
  return 0;
}

int modify_in_editor(Context& context, const Names& names) {
  Sets stored, chosen;
  if (const int asked = fetch_sets(context, stored); asked != 0) return asked;
  int code = 0;
  for (const auto& name : names)
    if (!find(stored, name)) code = no_such_set(context, name);
  if (code != 0) return code;
  for (const auto& set : stored)
    if (names.empty() || std::find(names.begin(), names.end(), set.name) != names.end())
      chosen.push_back(set);
  if (chosen.empty()) return no_set_defined(context);
  return edit_sets(context, chosen, [&](const Sets& given, const WrittenSets& written) {
    if (const int refused = refuse_old(context, chosen, names.empty()); refused != 0)
      return outcome_of(refused);
    if (names.empty())
      return change_what_differs(context, stored, replacement(stored, given), written);
    for (const auto& set : given)
      if (!find(chosen, set.name)) return outcome_of(no_such_set(context, set.name));
    const auto wanted = sets_to_modify(context, chosen, given, names, written.path);
    if (!wanted) return outcome_of(1);
    return change_what_differs(context, stored, changes_of(ChangeVerb::modify, *wanted), written);
  });
}

// ---- deleting -------------------------------------------------------------------------------------

int delete_all(Context& context) {
  Sets stored;
  if (const int asked = fetch_sets(context, stored); asked != 0) return asked;
  if (stored.empty()) return no_set_defined(context);
  Changes changes;
  for (const auto& set : stored) changes.push_back(erasure_of(set.name));
  return change_quota_sets(context, changes);
}

// One by one: what can be deleted is (spec/quotas.md Q5.19).
int delete_sets(Context& context, const Names& names) {
  int code = 0;
  for (const auto& name : names)
    code = std::max(code, change_configuration(context, Configure{erasure_of(name)}));
  return code;
}

using Run = int (*)(Context& context, const std::string& path, const Names& names);

const std::map<std::string, Run>& runs() {
  static const std::map<std::string, Run> all{
      {"-srqsl", [](auto& c, auto&, auto&) { return list_sets(c); }},
      {"-srqs", [](auto& c, auto&, auto& names) { return show_sets(c, names); }},
      {"-arqs", [](auto& c, auto&, auto& names) { return add_in_editor(c, names); }},
      {"-Arqs", [](auto& c, auto& path, auto&) { return add_from_file(c, path); }},
      {"-mrqs", [](auto& c, auto&, auto& names) { return modify_in_editor(c, names); }},
      {"-Mrqs", [](auto& c, auto& path, auto& names) { return modify_from_file(c, path, names); }},
      {"-drqs", [](auto& c, auto&, auto& names) {
         return names.empty() ? delete_all(c) : delete_sets(c, names);
       }}};
  return all;
}

} // namespace

const std::vector<QconfVerb>& quota_verbs() {
  static const std::vector<QconfVerb> verbs{
      {"-srqsl", 0, "list resource quota sets"},
      {"-srqs", -1, "show resource quota sets"},
      {"-arqs", -1, "add resource quota sets in $EDITOR"},
      {"-Arqs", 1, "add those of a file"},
      {"-mrqs", -1, "modify some in $EDITOR, or all"},
      {"-Mrqs", -2, "modify some from a file, or replace all by those of the file"},
      {"-drqs", -1, "delete resource quota sets, or all"}};
  return verbs;
}

std::optional<int> run_quota_verb(Context& context, const std::string& option,
                                  const std::vector<std::string>& values) {
  const auto run = runs().find(option);
  if (run == runs().end()) return std::nullopt;
  const bool has_file = option == "-Arqs" || option == "-Mrqs";
  const std::size_t names_at = has_file ? 1 : 0;
  const bool names_some = values.size() > names_at;
  const auto names = names_some ? words(values[names_at]) : Names();
  // No name would mean all of them.
  if (names_some && names.empty())
    return complain(context, "no name is given: is a variable not set?");
  return run->second(context, has_file ? values.front() : "", names);
}

} // namespace almanac
