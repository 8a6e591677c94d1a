#include "tools/commands/commands.hpp"
#include "tools/commands/edited_text.hpp"
#include "tools/commands/fetched_objects.hpp"
#include "tools/commands/qconf_attributes.hpp"
#include "tools/commands/qconf_change.hpp"
#include "tools/commands/qconf_hosts.hpp"
#include "tools/commands/qconf_quota_sets.hpp"

#include "core/configuration/objects/lists.hpp"
#include "core/text/pattern.hpp"
#include "core/text/table.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <set>

namespace almanac {

namespace {

enum class Form {
  list,
  show,
  add,
  modify,
  add_file,
  modify_file,
  erase,
  add_entries,
  remove_entries,
  show_entries,
  show_unused
};

struct Verb {
  const char* option;
  Form form;
  ObjectKind kind;
  int values; ///< -1: one that may be missing
  const char* help;
};

const std::vector<Verb> verbs{
    {"-sql", Form::list, ObjectKind::cluster_queue, 0, "list cluster queues"},
    {"-sq", Form::show, ObjectKind::cluster_queue, -1, "show cluster queues"},
    {"-aq", Form::add, ObjectKind::cluster_queue, -1, "add a cluster queue in $EDITOR"},
    {"-mq", Form::modify, ObjectKind::cluster_queue, 1, "modify one in $EDITOR"},
    {"-Aq", Form::add_file, ObjectKind::cluster_queue, 1, "add one from a file"},
    {"-Mq", Form::modify_file, ObjectKind::cluster_queue, 1, "modify one from a file"},
    {"-dq", Form::erase, ObjectKind::cluster_queue, 1, "delete cluster queues"},
    {"-sel", Form::list, ObjectKind::exec_host, 0, "list exec hosts"},
    {"-se", Form::show, ObjectKind::exec_host, 1, "show an exec host"},
    {"-ae", Form::add, ObjectKind::exec_host, -1, "add an exec host in $EDITOR"},
    {"-me", Form::modify, ObjectKind::exec_host, 1, "modify one in $EDITOR"},
    {"-Ae", Form::add_file, ObjectKind::exec_host, 1, "add one from a file"},
    {"-Me", Form::modify_file, ObjectKind::exec_host, 1, "modify one from a file"},
    {"-de", Form::erase, ObjectKind::exec_host, 1, "delete exec hosts"},
    {"-shgrpl", Form::list, ObjectKind::host_group, 0, "list host groups"},
    {"-shgrp", Form::show, ObjectKind::host_group, 1, "show a host group"},
    {"-ahgrp", Form::add, ObjectKind::host_group, 1, "add a host group in $EDITOR"},
    {"-mhgrp", Form::modify, ObjectKind::host_group, 1, "modify one in $EDITOR"},
    {"-Ahgrp", Form::add_file, ObjectKind::host_group, 1, "add one from a file"},
    {"-Mhgrp", Form::modify_file, ObjectKind::host_group, 1, "modify one from a file"},
    {"-dhgrp", Form::erase, ObjectKind::host_group, 1, "delete host groups"},
    {"-spl", Form::list, ObjectKind::parallel_environment, 0, "list parallel environments"},
    {"-sp", Form::show, ObjectKind::parallel_environment, 1, "show a parallel environment"},
    {"-ap", Form::add, ObjectKind::parallel_environment, 1, "add one in $EDITOR"},
    {"-mp", Form::modify, ObjectKind::parallel_environment, 1, "modify one in $EDITOR"},
    {"-Ap", Form::add_file, ObjectKind::parallel_environment, 1, "add one from a file"},
    {"-Mp", Form::modify_file, ObjectKind::parallel_environment, 1, "modify one from a file"},
    {"-dp", Form::erase, ObjectKind::parallel_environment, 1, "delete parallel environments"},
    {"-sckptl", Form::list, ObjectKind::checkpoint, 0, "list checkpointing environments"},
    {"-sckpt", Form::show, ObjectKind::checkpoint, 1, "show a checkpointing environment"},
    {"-ackpt", Form::add, ObjectKind::checkpoint, 1, "add one in $EDITOR"},
    {"-mckpt", Form::modify, ObjectKind::checkpoint, 1, "modify one in $EDITOR"},
    {"-Ackpt", Form::add_file, ObjectKind::checkpoint, 1, "add one from a file"},
    {"-Mckpt", Form::modify_file, ObjectKind::checkpoint, 1, "modify one from a file"},
    {"-dckpt", Form::erase, ObjectKind::checkpoint, 1, "delete checkpointing environments"},
    {"-sc", Form::show, ObjectKind::complex, 0, "show the complexes"},
    {"-mc", Form::modify, ObjectKind::complex, 0, "modify them in $EDITOR"},
    {"-Mc", Form::modify_file, ObjectKind::complex, 1, "replace them from a file"},
    {"-dce", Form::erase, ObjectKind::complex, 1, "delete complexes"},
    {"-sul", Form::list, ObjectKind::userset, 0, "list usersets"},
    {"-su", Form::show, ObjectKind::userset, 1, "show a userset"},
    {"-mu", Form::modify, ObjectKind::userset, 1, "modify one in $EDITOR"},
    {"-Au", Form::add_file, ObjectKind::userset, 1, "add one from a file"},
    {"-Mu", Form::modify_file, ObjectKind::userset, 1, "modify one from a file"},
    {"-dul", Form::erase, ObjectKind::userset, 1, "delete usersets"},
    {"-au", Form::add_entries, ObjectKind::userset, 2, "add users to usersets"},
    {"-du", Form::remove_entries, ObjectKind::userset, 2, "remove users from usersets"},
    {"-scall", Form::list, ObjectKind::calendar, 0, "list calendars"},
    {"-scal", Form::show, ObjectKind::calendar, 1, "show a calendar"},
    {"-acal", Form::add, ObjectKind::calendar, 1, "add a calendar in $EDITOR"},
    {"-mcal", Form::modify, ObjectKind::calendar, 1, "modify one in $EDITOR"},
    {"-Acal", Form::add_file, ObjectKind::calendar, 1, "add one from a file"},
    {"-Mcal", Form::modify_file, ObjectKind::calendar, 1, "modify one from a file"},
    {"-dcal", Form::erase, ObjectKind::calendar, 1, "delete calendars"},
    {"-sprjl", Form::list, ObjectKind::project, 0, "list projects"},
    {"-sprj", Form::show, ObjectKind::project, 1, "show a project"},
    {"-aprj", Form::add, ObjectKind::project, -1, "add a project in $EDITOR"},
    {"-mprj", Form::modify, ObjectKind::project, 1, "modify one in $EDITOR"},
    {"-Aprj", Form::add_file, ObjectKind::project, 1, "add one from a file"},
    {"-Mprj", Form::modify_file, ObjectKind::project, 1, "modify one from a file"},
    {"-dprj", Form::erase, ObjectKind::project, 1, "delete projects"},
    {"-suserl", Form::list, ObjectKind::user, 0, "list users"},
    {"-suser", Form::show, ObjectKind::user, 1, "show a user"},
    {"-auser", Form::add, ObjectKind::user, -1, "add a user in $EDITOR"},
    {"-muser", Form::modify, ObjectKind::user, 1, "modify one in $EDITOR"},
    {"-Auser", Form::add_file, ObjectKind::user, 1, "add one from a file"},
    {"-Muser", Form::modify_file, ObjectKind::user, 1, "modify one from a file"},
    {"-duser", Form::erase, ObjectKind::user, 1, "delete users"},
    {"-sm", Form::show_entries, ObjectKind::managers, 0, "show the managers"},
    {"-am", Form::add_entries, ObjectKind::managers, 1, "add managers"},
    {"-dm", Form::remove_entries, ObjectKind::managers, 1, "remove managers"},
    {"-so", Form::show_entries, ObjectKind::operators, 0, "show the operators"},
    {"-ao", Form::add_entries, ObjectKind::operators, 1, "add operators"},
    {"-do", Form::remove_entries, ObjectKind::operators, 1, "remove operators"},
    {"-sconf", Form::show, ObjectKind::global_configuration, -1, "show the global configuration"},
    {"-mconf", Form::modify, ObjectKind::global_configuration, -1, "modify it in $EDITOR"},
    {"-Mconf", Form::modify_file, ObjectKind::global_configuration, 1, "modify it from a file"},
    {"-sunused", Form::show_unused, ObjectKind::global_configuration, 0,
     "show attributes without effect"},
    {"-ssconf", Form::show, ObjectKind::scheduler_configuration, 0,
     "show the scheduler configuration"},
    {"-msconf", Form::modify, ObjectKind::scheduler_configuration, 0, "modify it in $EDITOR"},
    {"-Msconf", Form::modify_file, ObjectKind::scheduler_configuration, 1, "modify it from a file"},
};

// Grid Engine has a name of its own for checkpoints here, which programs look for.
int none_defined(Context& context, ObjectKind kind) {
  const bool is_ckpt = kind == ObjectKind::checkpoint;
  const auto what = is_ckpt ? "ckpt interface definition" : kind_name(kind);
  context.err << "no " << what << " defined\n";
  return 1;
}

int list(Context& context, ObjectKind kind) {
  std::vector<ConfigurationObject> objects;
  if (const int asked = fetch_objects(context, kind, objects); asked != 0) return asked;
  std::erase_if(objects, [&](auto& object) {
    return kind == ObjectKind::exec_host && object.name == "global";
  });
  if (objects.empty()) return none_defined(context, kind);
  for (const auto& object : objects) context.out << object.name << "\n";
  return 0;
}

// Hosts are the same in any case.
bool is_called(const ConfigurationObject& object, const std::string& name) {
  return object.name == name ||
         (object.kind == ObjectKind::exec_host && equal_ignoring_case(object.name, name));
}

int show(Context& context, const Verb& verb, const std::string& wanted) {
  std::vector<ConfigurationObject> objects;
  if (const int asked = fetch_objects(context, verb.kind, objects); asked != 0) return asked;
  const bool single = is_single(verb.kind);
  int code = 0;
  for (const auto& name :
       single ? std::vector<std::string>{""} : words(wanted.empty() ? "*" : wanted)) {
    bool any = false;
    for (const auto& object : objects) {
      if (!single && !is_called(object, name) &&
          !(is_pattern(name) && matches_pattern(name, object.name)))
        continue;
      if (verb.kind == ObjectKind::global_configuration) context.out << "#global:\n";
      context.out << print_object(object);
      any = true;
    }
    if (!any)
      code =
          complain(context, std::string(kind_name(verb.kind)) + " \"" + name + "\" does not exist");
  }
  return code;
}

int show_entries(Context& context, ObjectKind kind) {
  std::vector<ConfigurationObject> objects;
  if (const int asked = fetch_objects(context, kind, objects); asked != 0) return asked;
  bool any = false;
  for (const auto& object : objects)
    for (const auto& entry : parse_name_list(*object.find("entries"))) {
      context.out << entry << "\n";
      any = true;
    }
  return any ? 0 : none_defined(context, kind);
}

// Nothing looks at what a checkpointing environment says, as no job is checkpointed yet.
bool is_unused(const Attribute& attribute, const ConfigurationObject& usual) {
  const auto* value = usual.find(attribute.name);
  return !value || (usual.kind == ObjectKind::checkpoint && *value != attribute.value);
}

// What was taken from a configuration of Grid Engine and has no effect here.
int show_unused(Context& context) {
  for (const auto kind :
       {ObjectKind::global_configuration, ObjectKind::exec_host, ObjectKind::parallel_environment,
        ObjectKind::cluster_queue, ObjectKind::checkpoint}) {
    std::vector<ConfigurationObject> objects;
    if (const int asked = fetch_objects(context, kind, objects); asked != 0) return asked;
    const auto usual = template_of(kind, "");
    for (const auto& object : objects)
      for (const auto& attribute : object.attributes)
        if (is_unused(attribute, usual))
          context.out << kind_name(kind) << (object.name.empty() ? "" : " \"" + object.name + "\"")
                      << ": " << attribute.name << " " << attribute.value << "\n";
  }
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

// Grid Engine keeps a configuration for each host, too, named by a word or by a file: what is said
// about one must not change everybody's.
int refuse_local(Context& context, const Verb& verb, const std::string& value) {
  const bool of_file = verb.form == Form::modify_file;
  std::set<std::string> hosts;
  if (of_file)
    if (const int asked = fetch_host_names(context, hosts); asked != 0) return asked;
  for (const auto& word : split(value, ',')) {
    const auto name = of_file ? word.substr(word.rfind('/') + 1) : word;
    const bool local = name != "global" && (!of_file || hosts.contains(lower(name)));
    if (local) return complain(context, "local configurations are not built yet: \"" + name + "\"");
  }
  return 0;
}

// The object that a file's text describes; its name is an attribute of it.
Result<ConfigurationObject> read_object(ObjectKind kind, const std::string& text) {
  ConfigurationObject object;
  object.kind = kind;
  auto attributes =
      kind == ObjectKind::complex ? parse_complex_table(text) : parse_attribute_file(text);
  if (!attributes) return attributes.error();
  object.attributes = *attributes;
  if (const auto key = name_attribute(kind); !key.empty()) {
    const auto* name = object.find(key);
    if (!name) return Error{"attribute \"" + std::string(key) + "\" is missing"};
    object.name = *name;
  }
  return object;
}

constexpr const char* nobody_named = "no name is given: is a variable not set?";

int change(Context& context, ChangeVerb verb, ConfigurationObject object,
           std::vector<std::string> entries = {}) {
  return change_configuration(context, Configure{{verb, std::move(object), std::move(entries)}});
}

ConfigurationObject named(ObjectKind kind, const std::string& name) {
  ConfigurationObject object;
  object.kind = kind;
  object.name = name;
  return object;
}

int change_from_file(Context& context, const Verb& verb, const std::string& path) {
  auto text = read_text_file(path.starts_with('/') ? path : context.directory + "/" + path);
  if (!text) return complain(context, text.what());
  auto object = read_object(verb.kind, *text);
  if (!object) return complain(context, path + ": " + object.what());
  return change(context, verb.form == Form::add_file ? ChangeVerb::add : ChangeVerb::modify,
                *object);
}

int change_in_editor(Context& context, const Verb& verb, const std::string& name) {
  std::vector<ConfigurationObject> objects;
  if (const int asked = fetch_objects(context, verb.kind, objects); asked != 0) return asked;
  auto object = template_of(verb.kind, name.empty() ? "template" : name);
  if (verb.form == Form::modify) {
    const auto it = std::find_if(objects.begin(), objects.end(), [&](auto& o) {
      return is_single(verb.kind) || is_called(o, name);
    });
    if (it == objects.end())
      return complain(context,
                      std::string(kind_name(verb.kind)) + " \"" + name + "\" does not exist");
    object = *it;
  }
  const bool adds = verb.form == Form::add;
  return edit_text(context, print_object(object), [&](const std::string& text, const auto&) {
    const auto next = read_object(verb.kind, text);
    int code = 0;
    if (!next) code = complain(context, next.what());
    else if (!adds && next->name != object.name)
      code = complain(context, std::string(kind_name(verb.kind)) + " \"" + object.name +
                                   "\" can't be given another name: nothing is changed");
    else code = change(context, adds ? ChangeVerb::add : ChangeVerb::modify, *next);
    return EditOutcome{code, code != 0};
  });
}

int run(Context& context, const Verb& verb, const std::vector<std::string>& values) {
  const auto value = values.empty() ? std::string() : values.front();
  if (!values.empty() && value.empty()) return complain(context, nobody_named);
  if (verb.kind == ObjectKind::global_configuration)
    if (const int refused = refuse_local(context, verb, value); refused != 0) return refused;
  switch (verb.form) {
  case Form::list: return list(context, verb.kind);
  case Form::show: return show(context, verb, value);
  case Form::show_unused: return show_unused(context);
  case Form::show_entries: return show_entries(context, verb.kind);
  case Form::add:
  case Form::modify: return change_in_editor(context, verb, value);
  case Form::add_file:
  case Form::modify_file: return change_from_file(context, verb, value);
  case Form::erase: {
    if (words(value).empty()) return complain(context, nobody_named);
    int code = 0;
    for (const auto& name : words(value))
      code = std::max(code, change(context, ChangeVerb::erase, named(verb.kind, name)));
    return code;
  }
  case Form::add_entries:
  case Form::remove_entries: {
    const auto form =
        verb.form == Form::add_entries ? ChangeVerb::add_entries : ChangeVerb::remove_entries;
    if (words(value).empty() || (verb.kind == ObjectKind::userset && words(values[1]).empty()))
      return complain(context, nobody_named);
    if (verb.kind != ObjectKind::userset)
      return change(context, form, named(verb.kind, ""), words(value));
    int code = 0;
    for (const auto& name : words(values[1]))
      code = std::max(code, change(context, form, named(verb.kind, name), words(value)));
    return code;
  }
  }
  return 1;
}

template <class AnyVerb> void print_help(Context& context, const AnyVerb& verb) {
  context.out << "   " << left(verb.option, 12) << verb.help << "\n";
}

// What is wrong with -w among the options; "": nothing.
std::string dry_run_mistake(const std::vector<GivenOption>& options) {
  const auto is_dry = [](const GivenOption& option) { return option.name == "-w"; };
  const auto count = std::count_if(options.begin(), options.end(), is_dry);
  if (count == 0) return "";
  if (count > 1 || !is_dry(options.front())) return "-w v stands once, before all other options";
  if (options.front().values.front() != "v")
    return "-w takes \"v\" only: the change is tried and not made";
  if (options.size() == 1) return "-w v tries a change: a switch that changes something is missing";
  for (const auto& option : options)
    if (option.name.starts_with("-s"))
      return "-w v tries a change: " + option.name + " shows something and changes nothing";
  return "";
}

} // namespace

int qconf(Context& context) {
  std::vector<OptionRule> rules{{"-help", 0}, {"-w", 1}};
  for (const auto& verb : verbs) rules.push_back({verb.option, verb.values});
  const auto others = {host_verbs(), quota_verbs(), attribute_verbs()};
  for (const auto& table : others)
    for (const auto& verb : table) rules.push_back({verb.option, verb.values});
  for (const char* other : {"-purge",      "-aconf",
                            "-dconf",      "-Aconf",
                            "-sconfl",     "-tsm",
                            "-ke",         "-kej",
                            "-km",         "-ks",
                            "-kt",         "-at",
                            "-sds",        "-cq",
                            "-sss",        "-sep",
                            "-secl",       "-kec",
                            "-clearusage", "-sstree",
                            "-astree",     "-mstree",
                            "-dstree",     "-Astree",
                            "-Mstree",     "-sstnode",
                            "-astnode",    "-mstnode",
                            "-dstnode",    "-rsstnode",
                            "-sobjl",      "-scat",
                            "-shgrp_tree", "-shgrp_resolved",
                            "-sce",        "-scel",
                            "-ace",        "-Ace",
                            "-mce",        "-Mce"})
    rules.push_back({other, 0, false});
  auto given = parse_options(context.arguments, rules, Operands::anywhere);
  if (!given) {
    context.err << "error: " << given.what() << "\nUsage: qconf -help\n";
    return 1;
  }
  if (given->has("-help")) {
    context.out << "usage: qconf [-w v] option [values]\n"
                << "   " << left("-w v", 12)
                << "first of all: only say what the change would be refused for, break or touch\n";
    for (const auto& verb : verbs) print_help(context, verb);
    for (const auto& table : others)
      for (const auto& verb : table) print_help(context, verb);
    return 0;
  }
  if (given->options.empty() || !given->operands.empty()) {
    context.err << "error: "
                << (given->options.empty()
                        ? "no option argument"
                        : "invalid option argument \"" + given->operands.front() + "\"")
                << "\nUsage: qconf -help\n";
    return 1;
  }
  if (const auto why = dry_run_mistake(given->options); !why.empty()) return complain(context, why);
  context.only_tries = given->has("-w");
  int code = 0;
  for (const auto& option : given->options) {
    if (option.name == "-w") continue;
    if (const auto done = run_host_verb(context, option.name, option.values)) {
      code = std::max(code, *done);
      continue;
    }
    if (const auto done = run_quota_verb(context, option.name, option.values)) {
      code = std::max(code, *done);
      continue;
    }
    if (const auto done = run_attribute_verb(context, option.name, option.values)) {
      code = std::max(code, *done);
      continue;
    }
    const auto verb =
        std::find_if(verbs.begin(), verbs.end(), [&](auto& v) { return option.name == v.option; });
    code = std::max(code, run(context, *verb, option.values));
  }
  // What is refused here is said as the master says it.
  if (context.only_tries && !context.is_judged && code != 0)
    print_answer(context, Answer::refusal({AnswerCode::change_would_be_refused, {}}));
  return code;
}

} // namespace almanac
