#include "tools/host_admin.hpp"

#include "core/answer/gridengine.hpp"
#include "core/answer/sentence.hpp"
#include "actors/process/daemon.hpp"
#include "actors/process/rights.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "master/cell.hpp"
#include "tools/commands/context.hpp"
#include "tools/commands/process.hpp"
#include "tools/commands/process_door.hpp"
#include "core/text/table.hpp"

#include <ctime>
#include <filesystem>
#include <iostream>
#include <optional>
#include <unistd.h>

namespace almanac {

namespace {

int host_trouble(const std::string& why) {
  std::cerr << "almanac-admin: " << why << "\n";
  return 1;
}

// The address at which the agents of the cell reach the master, which has to run.
Result<std::string> address_of_master(const std::string& directory) {
  auto settings = read_master_settings(directory + "/settings.toml");
  if (!settings) return settings.error();
  auto port = read_file(directory + "/run/port");
  if (!port) return Error{"the master does not run: " + port.what()};
  // Root reads what somebody else may have written.
  const auto number = parse_number(trim(*port));
  if (!number || *number < 1 || *number > 65'535)
    return Error{directory + "/run/port holds no port"};
  return settings->address + ":" + std::to_string(*number);
}

// Whom the agents' network half runs as, where root adds hosts to a cell of somebody else.
std::string agent_user(const std::string& directory) {
  const auto owner = owner_of(directory);
  return ::geteuid() == 0 && owner && owner->uid != 0 ? owner->name : "";
}

// Prints the answer.
Result<Answer> run_at(const std::string& directory, CommandBody body) {
  ProcessDoor door(own_environment(), directory);
  Answer answer;
  const auto asked = door.call(door::RunCommand{std::move(body)}, [&](door::ReplyBody& frame) {
    if (const auto* given = std::get_if<Answer>(&frame)) answer = *given;
  });
  if (!asked) return asked.error();
  say_times(answer.statements, print_time);
  for (const auto& line : gridengine::lines_of(answer))
    (line.trouble ? std::cerr : std::cout) << line.text << "\n";
  return answer;
}

// A master of an earlier version names no serial.
Outcome check_serial(const Answer& answer) {
  if (answer.number > 0) return Done{};
  return Error{"the master gave no serial for the ticket: it is of an earlier version"};
}

int tell_folder(const std::string& folder, const char* what) {
  std::cout << what << ": " << folder << "; start it with: almanac-agent --dir " << folder << "\n";
  return 0;
}

std::string date_of(Instant at, const char* none) {
  return at.seconds == 0 ? none : print_local(at, "%Y-%m-%d %H:%M");
}

void print_host(const door::HostView& host) {
  static const char* const phases[] = {"unknown", "suspect", "up"};
  const auto& key = host.key;
  const bool has_key = !key.key.empty() || key.state == KeyState::revoked;
  std::cout << line(
      left(host.state.name, 20) + left(phases[static_cast<int>(host.state.phase)], 9) +
      left(name_of(key.state), 9) + right(std::to_string(key.serial), 7) + "  " +
      left(has_key ? date_of(key.since, "-") : "-", 17) + left(date_of(key.expires, "never"), 17) +
      (host.state.facts.address.empty() ? "-" : host.state.facts.address));
  if (!key.alarm.empty())
    std::cout << "    " << date_of(key.alarm_at, "-") << ": " << key.alarm << "\n";
}

// The slots in use on a host; nothing if no queue has it.
Result<std::optional<std::int64_t>> used_slots(const std::string& directory,
                                               const std::string& host) {
  ProcessDoor door(own_environment(), directory);
  std::optional<std::int64_t> used;
  const auto asked = door.call(door::GetCluster{}, [&](door::ReplyBody& frame) {
    if (const auto* cluster = std::get_if<door::Cluster>(&frame))
      for (const auto& instance : cluster->instances)
        if (equal_ignoring_case(instance.host, host)) used = used.value_or(0) + instance.used;
  });
  if (!asked) return asked.error();
  return used;
}

// Interrupted, it leaves the host disabled: qhost says by what.
Outcome drain(const std::string& directory, const std::string& host) {
  auto used = used_slots(directory, host);
  if (!used) return used.error();
  if (!*used) return Done{};
  const auto disabled =
      run_at(directory,
             ModifyQueues{QueueAction::disable, {"*@" + host}, true, "almanac-admin remove-host"});
  if (!disabled) return disabled.error();
  if (disabled->exit_code != 0) return Error{host + " could not be disabled"};
  std::optional<std::int64_t> told;
  while (used && used->value_or(0) > 0) {
    if (told != *used)
      std::cout << "waiting until nothing runs on " << host << ": " << **used << " slots in use"
                << std::endl;
    told = *used;
    ::sleep(2);
    used = used_slots(directory, host);
  }
  return used ? Outcome(Done{}) : Outcome(used.error());
}

} // namespace

int add_host(const std::string& directory, const std::string& host, std::int64_t slots,
             Instant expires) {
  if (!valid_host_name(host)) return host_trouble("\"" + host + "\" is not a host name");
  const auto folder = agent_folder(directory, host);
  std::error_code error;
  if (std::filesystem::exists(folder, error))
    return host_trouble(folder + " exists already: move it away, or see rekey-host");
  auto address = address_of_master(directory);
  if (!address) return host_trouble(address.what());
  const auto answer = run_at(directory, AddHost{host, slots});
  if (!answer) return host_trouble(answer.what());
  if (answer->exit_code != 0) return static_cast<int>(answer->exit_code);
  if (auto checked = check_serial(*answer); !checked) return host_trouble(checked.what());
  if (auto created = create_agent_folder(directory, {host, *address, agent_user(directory)},
                                         {answer->number, expires});
      !created)
    return host_trouble(created.what());
  return tell_folder(folder, "agent folder");
}

int rekey_host(const std::string& directory, const std::string& host, KeyAction action,
               Instant expires) {
  if (!valid_host_name(host)) return host_trouble("\"" + host + "\" is not a host name");
  auto address = address_of_master(directory);
  if (!address) return host_trouble(address.what());
  const auto answer = run_at(directory, ChangeHostKey{action, host});
  if (!answer) return host_trouble(answer.what());
  if (answer->exit_code != 0) return static_cast<int>(answer->exit_code);
  if (auto checked = check_serial(*answer); !checked) return host_trouble(checked.what());
  const TicketTerms terms{answer->number, expires};
  const auto folder = agent_folder(directory, host);
  std::error_code error;
  const auto made =
      std::filesystem::exists(folder, error)
          ? replace_agent_keys(directory, host, terms)
          : create_agent_folder(directory, {host, *address, agent_user(directory)}, terms);
  if (!made) return host_trouble(made.what());
  return tell_folder(folder, "new keys and ticket for the agent");
}

int revoke_host(const std::string& directory, const std::string& host) {
  if (!valid_host_name(host)) return host_trouble("\"" + host + "\" is not a host name");
  const auto answer = run_at(directory, ChangeHostKey{KeyAction::revoke, host});
  return answer ? static_cast<int>(answer->exit_code) : host_trouble(answer.what());
}

int remove_host(const std::string& directory, const std::string& host, bool waits) {
  if (!valid_host_name(host)) return host_trouble("\"" + host + "\" is not a host name");
  if (waits)
    if (auto drained = drain(directory, host); !drained) return host_trouble(drained.what());
  const auto answer = run_at(directory, RemoveHost{host});
  if (!answer) return host_trouble(answer.what());
  if (answer->exit_code != 0) {
    if (waits)
      std::cerr << "almanac-admin: " << host << " stays disabled: qmod -e " << host << "\n";
    return static_cast<int>(answer->exit_code);
  }
  const auto retired = retire_agent_folder(directory, host, {std::time(nullptr)});
  if (!retired) return host_trouble(retired.what());
  if (!retired->empty())
    std::cout << "its keys are deleted; what else the agent's folder had is in " << *retired
              << "\n";
  std::cout << "stop the agent on " << host << ", and delete its folder there\n";
  return 0;
}

int list_hosts(const std::string& directory) {
  ProcessDoor door(own_environment(), directory);
  std::vector<door::HostView> hosts;
  int code = 0;
  const auto asked = door.call(door::GetCluster{}, [&](door::ReplyBody& frame) {
    if (const auto* cluster = std::get_if<door::Cluster>(&frame))
      hosts.insert(hosts.end(), cluster->hosts.begin(), cluster->hosts.end());
    else if (const auto* answer = std::get_if<Answer>(&frame)) {
      code = static_cast<int>(answer->exit_code);
      for (const auto& line : gridengine::lines_of(*answer)) std::cerr << line.text << "\n";
    }
  });
  if (!asked) return host_trouble(asked.what());
  if (code != 0) return code;
  std::cout << line(left("host", 20) + left("agent", 9) + left("key", 9) + right("serial", 7) +
                    "  " + left("since", 17) + left("expires", 17) + "address");
  for (const auto& host : hosts) print_host(host);
  return 0;
}

} // namespace almanac
