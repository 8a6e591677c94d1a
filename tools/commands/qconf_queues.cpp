#include "tools/commands/qconf_queues.hpp"

#include "core/configuration/objects/cluster_queue.hpp"
#include "core/configuration/objects/printed_object.hpp"
#include "core/text/words.hpp"
#include "tools/commands/qconf_change.hpp"
#include "tools/commands/qconf_texts.hpp"
#include "tools/commands/queue_objects.hpp"

#include <algorithm>
#include <ostream>
#include <set>

namespace almanac {

namespace {

constexpr const char* nothing_given = "no name is given: is a variable not set?";

// ---- -sq ------------------------------------------------------------------------------------------

int no_match(Context& context, const std::string& phrase) {
  if (phrase.starts_with('@'))
    context.err << "The queue name \"" << phrase
                << "\" is not correct.  Queue names may not begin with @.  Perhaps you mean \"*"
                << phrase << "\"?\n";
  else
    context.err << "No cluster queue or queue instance matches the phrase \"" << phrase << "\"\n";
  return 1;
}

// What a phrase means, in the order of its queues.
std::vector<ConfigurationObject> matching(const QueueObjects& cell, const QueuePhrase& phrase) {
  std::vector<ConfigurationObject> found;
  for (const auto& queue : cell.queues()) {
    if (!phrase.matches_queue(queue.name)) continue;
    if (!phrase.is_of_instances()) {
      found.push_back(arranged(queue));
      continue;
    }
    for (const auto& host : cell.hosts_of(queue))
      if (phrase.matches_host(host, cell.groups())) found.push_back(cell.instance(queue, host));
  }
  return found;
}

int show(Context& context, const std::vector<std::string>& values) {
  if (values.empty()) {
    context.out << shown(context, template_of(ObjectKind::cluster_queue, "template"));
    return 0;
  }
  QueueObjects cell;
  if (const int asked = cell.fetch(context); asked != 0) return asked;
  int code = 0;
  for (const auto& word : words(values.front())) {
    const auto found = matching(cell, QueuePhrase(word));
    if (found.empty()) code = no_match(context, word);
    for (std::size_t i = 0; i < found.size(); ++i)
      context.out << (i > 0 ? "\n" : "") << shown_as_it_is(context, found[i]);
  }
  return code;
}

// ---- -sds -----------------------------------------------------------------------------------------

// Values of hosts without an instance of the queue, and of groups with such hosts.
void show_detached(Context& context, const QueueObjects& cell, const ConfigurationObject& queue) {
  std::set<std::string> used;
  for (const auto& host : cell.hosts_of(queue)) used.insert(lower(host));
  const auto is_unused = [&](const std::string& host) { return !used.contains(lower(host)); };
  for (const auto& [name, text] : queue.attributes) {
    const auto value = OverridableValue::parse(text);
    if (name == "hostlist" || !value) continue;
    for (const auto& one : value->overrides) {
      const auto& target = one.name;
      const auto hosts = cell.groups().hosts_of({target});
      if (std::none_of(hosts.begin(), hosts.end(), is_unused)) continue;
      if (target.starts_with('@'))
        context.out << "default value of \"" << name << "\" is overwritten for hostgroup \""
                    << target << "\" in queue \"" << queue.name << "\". Not all hosts of \""
                    << target << "\" are contained in the hostlist specification of queue \""
                    << queue.name << "\".\n";
      else
        context.out << "unused setting for attribute \"" << name << "\" and host \"" << target
                    << "\" in queue \"" << queue.name << "\".\n";
    }
  }
}

int show_all_detached(Context& context) {
  QueueObjects cell;
  if (const int asked = cell.fetch(context); asked != 0) return asked;
  for (const auto& queue : cell.queues()) show_detached(context, cell, queue);
  return 0;
}

// ---- -purge ---------------------------------------------------------------------------------------

int purge(Context& context, const std::vector<std::string>& values) {
  if (values[0] != "queue") {
    context.err << "Modification of object \"" << values[0] << "\" not supported\n";
    return 1;
  }
  std::vector<Attribute> attributes;
  for (auto& name : words(values[1])) attributes.push_back({std::move(name), ""});
  const auto names = words(values[2]);
  if (attributes.empty() || names.empty()) return complain(context, nothing_given);
  int code = 0;
  for (const auto& name : names)
    code = std::max(code, change_configuration(
                              context, Configure{{ChangeVerb::purge_values,
                                                  {ObjectKind::cluster_queue, name, attributes},
                                                  {}}}));
  return code;
}

// ---- -cq ------------------------------------------------------------------------------------------

bool runs_in(const door::TaskView& task, const QueuePhrase& phrase, const HostGroups& groups) {
  return std::any_of(task.grants.begin(), task.grants.end(), [&](const Grant& grant) {
    return phrase.matches_queue(grant.instance.queue) &&
           phrase.matches_host(grant.instance.host, groups);
  });
}

int fetch_tasks(Context& context, const std::vector<QueuePhrase>& phrases, const HostGroups& groups,
                std::vector<std::string>& targets) {
  return ask<door::Jobs>(context, door::GetJobs{}, [&](door::Jobs& frame) {
    for (const auto& view : frame.jobs)
      for (const auto& task : view.job.tasks) {
        const bool is_meant =
            task.is_active() && std::any_of(phrases.begin(), phrases.end(), [&](auto& phrase) {
              return runs_in(task, phrase, groups);
            });
        const auto number = to_string(view.job.number);
        if (is_meant)
          targets.push_back(task.number > 0 ? number + "." + std::to_string(task.number) : number);
      }
  });
}

// What runs in queue instances is taken off the books, as by `qdel -f`.
int clean(Context& context, const std::string& list) {
  constexpr std::size_t most_at_once = 100;
  QueueObjects cell;
  if (const int asked = cell.fetch(context); asked != 0) return asked;
  std::vector<QueuePhrase> phrases;
  int code = 0;
  for (const auto& word : words(list)) {
    phrases.emplace_back(word);
    if (!matching(cell, phrases.back()).empty()) continue;
    context.err << "invalid queue \"" << word << "\"\n";
    phrases.pop_back(), code = 1;
  }
  std::vector<std::string> targets;
  if (const int asked = fetch_tasks(context, phrases, cell.groups(), targets); asked != 0)
    return asked;
  for (std::size_t at = 0; at < targets.size(); at += most_at_once) {
    const auto end = std::min(at + most_at_once, targets.size());
    const auto first = targets.begin() + static_cast<std::ptrdiff_t>(at);
    const std::vector<std::string> some(first, targets.begin() + static_cast<std::ptrdiff_t>(end));
    code = std::max(code, run_command(context, DeleteJobs{some, {}, {}, true}));
  }
  return code;
}

} // namespace

const std::vector<QconfVerb>& queue_verbs() {
  static const std::vector<QconfVerb> verbs{
      {"-sq", -1, "QUEUES: show cluster queues, or queue instances; without QUEUES, the template"},
      {"-sds", 0, "show values of hosts and host groups that no queue instance has"},
      {"-purge", 3, "queue ATTRIBUTES|* INSTANCES: delete their own values of attributes"},
      {"-cq", 1, "QUEUES: delete what runs in queues, as qdel -f does"}};
  return verbs;
}

std::optional<int> run_queue_verb(Context& context, const std::string& option,
                                  const std::vector<std::string>& values) {
  const auto& all = queue_verbs();
  if (std::none_of(all.begin(), all.end(), [&](auto& one) { return option == one.option; }))
    return std::nullopt;
  if (std::any_of(values.begin(), values.end(),
                  [](const std::string& value) { return words(value).empty(); }))
    return complain(context, nothing_given);
  if (option == "-sq") return show(context, values);
  if (option == "-sds") return show_all_detached(context);
  return option == "-purge" ? purge(context, values) : clean(context, values.front());
}

} // namespace almanac
