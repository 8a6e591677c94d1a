#include "tools/commands/commands.hpp"
#include "tools/commands/fetched_objects.hpp"
#include "tools/commands/host_reports.hpp"
#include "tools/commands/object_file.hpp"
#include "tools/commands/qconf_attributes.hpp"
#include "tools/commands/qconf_change.hpp"
#include "tools/commands/qconf_configurations.hpp"
#include "tools/commands/qconf_daemons.hpp"
#include "tools/commands/qconf_editor.hpp"
#include "tools/commands/qconf_host_groups.hpp"
#include "tools/commands/qconf_hosts.hpp"
#include "tools/commands/qconf_queues.hpp"
#include "tools/commands/qconf_quota_sets.hpp"
#include "tools/commands/qconf_search.hpp"
#include "tools/commands/qconf_texts.hpp"

#include "core/configuration/objects/lists.hpp"
#include "core/text/pattern.hpp"
#include "core/text/table.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <functional>
#include <optional>

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
  show_entries
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
    {"-ahgrp", Form::add, ObjectKind::host_group, -1, "add a host group in $EDITOR"},
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
    {"-ssconf", Form::show, ObjectKind::scheduler_configuration, 0,
     "show the scheduler configuration"},
    {"-msconf", Form::modify, ObjectKind::scheduler_configuration, 0, "modify it in $EDITOR"},
    {"-Msconf", Form::modify_file, ObjectKind::scheduler_configuration, 1, "modify it from a file"},
};

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

int show(Context& context, const Verb& verb, const std::string& wanted) {
  std::vector<ConfigurationObject> objects;
  if (const int asked = fetch_objects(context, verb.kind, objects); asked != 0) return asked;
  HostReports reports;
  if (verb.kind == ObjectKind::exec_host)
    if (const int asked = reports.fetch(context); asked != 0) return asked;
  const bool single = is_single(verb.kind);
  int code = 0;
  for (const auto& name :
       single ? std::vector<std::string>{""} : words(wanted.empty() ? "*" : wanted)) {
    bool any = false;
    for (const auto& object : objects) {
      if (!single && !is_called(object, name) &&
          !(is_pattern(name) && matches_pattern(name, object.name)))
        continue;
      const bool is_host = verb.kind == ObjectKind::exec_host;
      context.out << shown(context, is_host ? reports.with_report(object) : object);
      any = true;
    }
    if (!any) code = no_such_object(context, verb.kind, name);
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

constexpr const char* nobody_named = "no name is given: is a variable not set?";

int change(Context& context, ChangeVerb verb, ConfigurationObject object,
           std::vector<std::string> entries = {}, const std::function<void(Answer&)>& amend = {}) {
  return change_configuration(context, Configure{{verb, std::move(object), std::move(entries)}},
                              amend);
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
  return change_from_text(context,
                          verb.form == Form::add_file ? ChangeVerb::add : ChangeVerb::modify,
                          verb.kind, {path, *text});
}

// One by one, as in Grid Engine: one that is there already keeps no other out.
int change_entries(Context& context, ChangeVerb verb, ObjectKind kind,
                   const std::vector<std::string>& values) {
  const auto entries = words(values.front());
  const auto lists =
      kind == ObjectKind::userset ? words(values.at(1)) : std::vector<std::string>{""};
  if (entries.empty() || lists.empty()) return complain(context, nobody_named);
  int code = 0;
  for (const auto& list : lists)
    for (const auto& entry : entries)
      code = std::max(code, change(context, verb, named(kind, list), {entry}));
  return code;
}

// One after the other (-mu, -me and others take lists).
int modify_each(Context& context, ObjectKind kind, const std::string& names) {
  if (is_single(kind)) return modify_in_editor(context, kind, names);
  if (words(names).empty()) return complain(context, nobody_named);
  int code = 0;
  for (const auto& name : words(names))
    code = std::max(code, modify_in_editor(context, kind, name));
  return code;
}

int run(Context& context, const Verb& verb, const std::vector<std::string>& values) {
  const auto value = values.empty() ? std::string() : values.front();
  if (!values.empty() && value.empty()) return complain(context, nobody_named);
  switch (verb.form) {
  case Form::list: return list(context, verb.kind);
  case Form::show: return show(context, verb, value);
  case Form::show_entries: return show_entries(context, verb.kind);
  case Form::add: return add_in_editor(context, verb.kind, value);
  case Form::modify: return modify_each(context, verb.kind, value);
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
    return change_entries(context, ChangeVerb::add_entries, verb.kind, values);
  case Form::remove_entries:
    return change_entries(context, ChangeVerb::remove_entries, verb.kind, values);
  }
  return 1;
}

// The switches that have files of their own.
struct Noun {
  const std::vector<QconfVerb>& (*verbs)();
  std::optional<int> (*run)(Context& context, const std::string& option,
                            const std::vector<std::string>& values);
};
constexpr Noun nouns[]{
    {queue_verbs, run_queue_verb},           {host_verbs, run_host_verb},
    {host_group_verbs, run_host_group_verb}, {quota_verbs, run_quota_verb},
    {attribute_verbs, run_attribute_verb},   {configuration_verbs, run_configuration_verb},
    {search_verbs, run_search_verb},         {daemon_verbs, run_daemon_verb}};

template <class AnyVerb> void print_help(Context& context, const AnyVerb& verb) {
  context.out << "   " << left(verb.option, 16) << verb.help << "\n";
}

int run(Context& context, const GivenOption& option) {
  for (const auto& noun : nouns)
    if (const auto done = noun.run(context, option.name, option.values)) return *done;
  const auto verb =
      std::find_if(verbs.begin(), verbs.end(), [&](auto& v) { return option.name == v.option; });
  return run(context, *verb, option.values);
}

bool changes_no_configuration(const std::string& option) {
  return option == "-cq" || option == "-tsm" || option == "-at" || option.starts_with("-k");
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
    else if (changes_no_configuration(option.name))
      return "-w v tries a change of the configuration: " + option.name + " makes none";
  return "";
}

} // namespace

int qconf(Context& context) {
  std::vector<OptionRule> rules{{"-help", 0}, {"-w", 1}};
  for (const auto& verb : verbs) rules.push_back({verb.option, verb.values});
  for (const auto& noun : nouns)
    for (const auto& verb : noun.verbs()) rules.push_back({verb.option, verb.values});
  for (const char* other :
       {"-clearusage", "-sstree",   "-sst",    "-cb",      "-astree",  "-mstree",
        "-dstree",     "-Astree",   "-Mstree", "-sstnode", "-astnode", "-mstnode",
        "-dstnode",    "-rsstnode", "-bonsai", "-scat",    "-sce",     "-scel",
        "-ace",        "-Ace",      "-mce",    "-Mce"})
    rules.push_back({other, 0, false});
  auto given = parse_options(context.arguments, rules, Operands::anywhere);
  if (!given) {
    context.err << "error: " << given.what() << "\nUsage: qconf -help\n";
    return 1;
  }
  if (given->has("-help")) {
    context.out << "usage: qconf [-w v] option [values]\n"
                << "   " << left("-w v", 16)
                << "first of all: only say what the change would be refused for, break or touch\n";
    for (const auto& verb : verbs) print_help(context, verb);
    for (const auto& noun : nouns)
      for (const auto& verb : noun.verbs()) print_help(context, verb);
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
    code = std::max(code, run(context, option));
  }
  // What is refused here is said as the master says it.
  if (context.only_tries && !context.is_judged && code != 0)
    print_answer(context, Answer::refusal({AnswerCode::change_would_be_refused, {}}));
  return code;
}

} // namespace almanac
