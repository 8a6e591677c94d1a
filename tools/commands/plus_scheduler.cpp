// plus_scheduler and plus_schedkill: the scheduler is a part of the master, so they store settings,
// and switch it on and off (spec/plus.md P3.1 to P3.12).
#include "tools/commands/commands.hpp"
#include "tools/commands/plus_call.hpp"
#include "tools/commands/sched_conf_file.hpp"

#include "core/configuration/objects/lists.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

// Those of others stay as they are.
void set_param(std::vector<std::string>& params, const std::string& name,
               const std::string& value) {
  const auto entry = name + "=" + value;
  const auto known = std::find_if(params.begin(), params.end(), [&](const std::string& one) {
    return one.substr(0, one.find('=')) == name;
  });
  if (known == params.end()) params.push_back(entry);
  else *known = entry;
}

bool has_params(const PlusOptions& options) {
  return options.sorts || options.kept || options.only_queues;
}

ConfigurationObject with_params(ConfigurationObject object, const PlusOptions& options) {
  const auto* present = object.find("params");
  auto params = parse_name_list(present ? *present : "");
  if (options.sorts) set_param(params, "SORT_MODE", *options.sorts ? "plus" : "default");
  if (options.kept) set_param(params, "EXPIRED_AR", std::to_string(*options.kept));
  if (options.only_queues) set_param(params, "PLUS_QUEUES", *options.only_queues);
  object.set("params", params.empty() ? "none" : join(params, ","));
  return object;
}

// Where no master answers (spec/plus.md P3.7): no command starts one.
constexpr const char* starts_masters =
    "a master is started by the service manager of its host: systemctl start almanac-master";

// Also says whether the master is there.
int fetch(Context& context, ConfigurationObject& object) {
  return ask_plus<door::Objects>(context, door::GetObjects{ObjectKind::scheduler_configuration},
                                 [&](door::Objects& frame) {
                                   if (!frame.objects.empty())
                                     object = std::move(frame.objects.front());
                                 });
}

// As it is already, it is as wanted.
int start(Context& context) {
  int code = plus_exit::done;
  const auto called = context.door.call(
      door::RunCommand{ControlScheduler{SchedulerAction::start}}, [&](door::ReplyBody& frame) {
        const auto* answer = std::get_if<Answer>(&frame);
        if (!answer) return;
        const auto& said = answer->statements;
        const bool runs = std::any_of(said.begin(), said.end(), [](const Statement& one) {
          return one.code == AnswerCode::scheduler_already_so;
        });
        if (!runs) code = tell_troubles(context, *answer);
      });
  return called ? code : tell_failure(context, called.what());
}

} // namespace

int plus_scheduler(Context& context) {
  int code = 0;
  const auto options = read_plus(context, "scheduler", code);
  if (!options) return code;
  ConfigurationObject object{ObjectKind::scheduler_configuration, "", {}};
  code = fetch(context, object);
  if (code == plus_exit::unreached) return complain(context, starts_masters, code);
  if (code != plus_exit::done) return code;
  if (!options->store.empty())
    return complain(context, "-r: the master has its store open, and reservations stay in it");
  std::string keys;
  if (!options->sort_file.empty()) {
    auto read = read_sched_conf(path_of(context, options->sort_file));
    if (!read) return complain(context, read.what(), plus_exit::usage);
    keys = std::move(*read);
  }
  // Also where only a file is to be written: so the master says who may.
  if (has_params(*options) || !keys.empty())
    code = run_plus(context,
                    Configure{{ChangeVerb::modify, with_params(std::move(object), *options), {}}});
  if (code != plus_exit::done) return code;
  if (!keys.empty()) {
    if (const auto written = write_sched_conf(context, keys); !written)
      return complain(context, written.what());
    await_sched_conf(context, keys);
  }
  return start(context);
}

int plus_schedkill(Context& context) {
  int code = 0;
  const auto options = read_plus(context, "schedkill", code);
  if (!options) return code;
  return run_plus(context, ControlScheduler{SchedulerAction::stop});
}

} // namespace almanac
