#include "tools/commands/qconf_configurations.hpp"

#include "core/configuration/foreign_attributes.hpp"
#include "core/configuration/objects/lists.hpp"
#include "core/configuration/objects/local_configuration.hpp"
#include "core/configuration/objects/printed_object.hpp"
#include "core/text/words.hpp"
#include "tools/client/client.hpp"
#include "tools/commands/edited_text.hpp"
#include "tools/commands/fetched_objects.hpp"
#include "tools/commands/qconf_change.hpp"
#include "tools/commands/qconf_texts.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace almanac {

namespace {

constexpr const char* global = "global";

// That of a host or of the cell; nothing where there is none, or where the code is not 0.
std::optional<ConfigurationObject> fetch(Context& context, const std::string& name, int& code) {
  std::vector<ConfigurationObject> objects;
  const auto kind =
      name == global ? ObjectKind::global_configuration : ObjectKind::local_configuration;
  code = fetch_objects(context, kind, objects);
  const auto found = std::find_if(objects.begin(), objects.end(), [&](const auto& object) {
    return name == global || equal_ignoring_case(object.name, name);
  });
  if (code != 0 || found == objects.end()) return std::nullopt;
  return *found;
}

int not_defined(Context& context, const std::string& name) {
  context.err << "configuration " << name << " not defined\n";
  return 1;
}

// Scripts look for it in each cell. Agents have folders of their own (spec/objects.md section 7).
ConfigurationObject with_spool_folder(const Context& context, ConfigurationObject object) {
  constexpr std::string_view spool = "execd_spool_dir";
  if (object.kind == ObjectKind::global_configuration && !object.find(spool)) {
    const auto common = find_cell(context.environment).common;
    object.set(spool, common.substr(0, common.rfind('/')) + "/spool");
  }
  return object;
}

int show(Context& context, const std::string& wanted) {
  int code = 0;
  for (const auto& name : words(wanted.empty() ? global : wanted)) {
    int asked = 0;
    const auto object = fetch(context, name, asked);
    if (asked != 0) return asked;
    if (object)
      context.out << "#" << (name == global ? global : object->name) << ":\n"
                  << shown(context, with_spool_folder(context, *object)) << "\n";
    else code = not_defined(context, name);
  }
  return code;
}

int list(Context& context) {
  std::vector<ConfigurationObject> objects;
  if (const int asked = fetch_objects(context, ObjectKind::local_configuration, objects);
      asked != 0)
    return asked;
  if (objects.empty()) {
    context.err << "no local configuration defined\n";
    return 1;
  }
  for (const auto& object : objects) context.out << object.name << "\n";
  return 0;
}

// Of all hosts that the cell knows, whatever they are for; in small letters.
int fetch_host_names(Context& context, std::set<std::string>& hosts) {
  for (const auto kind :
       {ObjectKind::exec_host, ObjectKind::admin_hosts, ObjectKind::submit_hosts}) {
    std::vector<ConfigurationObject> objects;
    if (const int asked = fetch_objects(context, kind, objects); asked != 0) return asked;
    for (const auto& object : objects)
      if (kind == ObjectKind::exec_host) hosts.insert(lower(object.name));
      else
        for (const auto& host : parse_name_list(*object.find("entries"))) hosts.insert(lower(host));
  }
  return 0;
}

int change(Context& context, ChangeVerb verb, const std::string& name, const std::string& text,
           const std::string& file) {
  if (name == global)
    return change_from_text(context, verb, ObjectKind::global_configuration, {file, text});
  return change_from_text(context, verb, ObjectKind::local_configuration, {file, text}, name);
}

// A file is named after the host that it is for; under any other name it is for the cell.
int change_from_files(Context& context, ChangeVerb verb, const std::string& files) {
  std::set<std::string> hosts;
  if (const int asked = fetch_host_names(context, hosts); asked != 0) return asked;
  int code = 0;
  for (const auto& path : words(files, ",")) {
    const auto name = path.substr(path.rfind('/') + 1);
    const bool is_local = name != global && hosts.contains(lower(name));
    if (!is_local && verb == ChangeVerb::add) {
      code =
          complain(context, name == global ? "configuration global already exists"
                                           : "\"" + name +
                                                 "\" is not a host of the cell: the file is named "
                                                 "after the host that it is for");
      continue;
    }
    const auto text = read_text_file(path.starts_with('/') ? path : context.directory + "/" + path);
    code = std::max(code, text ? change(context, verb, is_local ? name : global, *text, path)
                               : complain(context, text.what()));
  }
  return code;
}

// What a host may have of its own, as comments: nothing of it is the host's yet.
std::string template_for(const ConfigurationObject& cell, const std::string& host) {
  std::string text = "# What " + host + " has of its own. Without the # a line holds there.\n";
  for (const auto& [name, value] : arranged(cell).attributes)
    if (may_be_local(name)) text += "# " + name + " " + value + "\n";
  return text;
}

int change_in_editor(Context& context, ChangeVerb verb, const std::string& wanted) {
  if (const int refused = refuse_others_than_managers(context); refused != 0) return refused;
  int code = 0;
  for (const auto& name : words(wanted.empty() ? global : wanted)) {
    int asked = 0;
    const auto known = fetch(context, name, asked);
    if (asked != 0) return asked;
    if (verb == ChangeVerb::modify && !known) {
      code = not_defined(context, name);
      continue;
    }
    if (verb == ChangeVerb::add && known) {
      context.err << "configuration " << name << " already exists\n";
      code = 1;
      continue;
    }
    const auto cell = known ? known : fetch(context, global, asked);
    if (!cell) return asked;
    const auto text = known ? shown(context, *known) : template_for(*cell, name);
    code = std::max(code, edit_text(context, text, [&](const std::string& next, const auto& path) {
                      const int done = change(context, verb, name, next, path);
                      return EditOutcome{done, done != 0};
                    }));
  }
  return code;
}

int erase(Context& context, const std::string& names) {
  int code = 0;
  for (const auto& name : words(names)) {
    if (name == global) {
      context.err << "can't delete configuration \"global\" from list\n";
      code = 1;
      continue;
    }
    code = std::max(
        code, change_configuration(
                  context,
                  Configure{{ChangeVerb::erase, {ObjectKind::local_configuration, name, {}}, {}}}));
  }
  return code;
}

// What was taken from a configuration of Grid Engine and has no effect here, and why.
int show_unused(Context& context) {
  for (const auto kind : {ObjectKind::global_configuration, ObjectKind::local_configuration,
                          ObjectKind::scheduler_configuration, ObjectKind::exec_host,
                          ObjectKind::parallel_environment, ObjectKind::cluster_queue,
                          ObjectKind::checkpoint, ObjectKind::user}) {
    std::vector<ConfigurationObject> objects;
    if (const int asked = fetch_objects(context, kind, objects); asked != 0) return asked;
    for (const auto& object : objects)
      for (const auto& attribute : arranged(object).attributes)
        if (const auto why = why_unused(kind, attribute))
          context.out << kind_name(kind) << (object.name.empty() ? "" : " \"" + object.name + "\"")
                      << ": " << attribute.name << " " << attribute.value << " (" << *why << ")\n";
  }
  return 0;
}

} // namespace

const std::vector<QconfVerb>& configuration_verbs() {
  static const std::vector<QconfVerb> verbs{
      {"-sconf", -1, "show the configuration of the cell, or of hosts"},
      {"-sconfl", 0, "list the hosts with a configuration of their own"},
      {"-mconf", -1, "modify that of the cell, or of hosts, in $EDITOR"},
      {"-aconf", 1, "add one for hosts in $EDITOR"},
      {"-Aconf", 1, "add one for hosts from files with their names"},
      {"-Mconf", 1, "modify that of the cell, or of hosts, from files"},
      {"-dconf", 1, "delete the one of hosts"},
      {"-sunused", 0, "show attributes without effect"}};
  return verbs;
}

std::optional<int> run_configuration_verb(Context& context, const std::string& option,
                                          const std::vector<std::string>& values) {
  const auto& verbs = configuration_verbs();
  if (std::none_of(verbs.begin(), verbs.end(), [&](auto& v) { return option == v.option; }))
    return std::nullopt;
  const auto value = values.empty() ? std::string() : values.front();
  if (!values.empty() && words(value).empty())
    return complain(context, "no name is given: is a variable not set?");
  if (option == "-sconf") return show(context, value);
  if (option == "-sconfl") return list(context);
  if (option == "-sunused") return show_unused(context);
  if (option == "-mconf") return change_in_editor(context, ChangeVerb::modify, value);
  if (option == "-aconf") return change_in_editor(context, ChangeVerb::add, value);
  if (option == "-dconf") return erase(context, value);
  return change_from_files(context, option == "-Aconf" ? ChangeVerb::add : ChangeVerb::modify,
                           value);
}

} // namespace almanac
