#include "core/configuration/objects/checkpoint.hpp"

#include "core/configuration/objects/control_method.hpp"
#include "core/configuration/objects/readers.hpp"
#include "core/configuration/objects/step_line.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace almanac {

namespace {

using namespace readers;
using C = CheckpointEnvironment;

// In the order of CheckpointInterface.
constexpr std::string_view interfaces[]{
    "userdefined", "application-level", "transparent", "hibernator", "cpr", "cray-ckpt"};

// What a command may name with a $ in front, as in Grid Engine.
constexpr std::string_view variables[]{"host",  "job_owner", "job_id",   "job_name",
                                       "queue", "job_pid",   "ckpt_dir", "ckpt_signal"};

template <class List> bool is_one_of(const List& list, std::string_view text) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

bool is_none(std::string_view text) { return equal_ignoring_case(text, "NONE"); }

Outcome read_interface(C& into, const GivenAttribute& given) {
  const auto* found = std::find_if(std::begin(interfaces), std::end(interfaces), [&](auto name) {
    return equal_ignoring_case(name, given.text);
  });
  if (found == std::end(interfaces))
    return Error{"\"" + given.text +
                 "\" is not userdefined, application-level, transparent, "
                 "hibernator, cpr or cray-ckpt"};
  into.interface = static_cast<CheckpointInterface>(found - std::begin(interfaces));
  return Done{};
}

// The first that no command knows; "": none.
std::string unknown_variable(std::string_view text) {
  constexpr const char* letters = "abcdefghijklmnopqrstuvwxyz_";
  for (auto at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    const auto rest = text.substr(at + 1);
    const auto name = rest.substr(0, rest.find_first_not_of(letters));
    if (!is_one_of(variables, name)) return "$" + std::string(name);
  }
  return {};
}

// It runs as the job's owner, so it names no user.
template <auto member> Outcome command(C& into, const GivenAttribute& given) {
  const auto step = parse_step_command(given.text);
  if (!step) return step.error();
  if (!step->user.empty())
    return Error{"\"" + given.text + "\": it runs as the owner of the job, without user@"};
  if (const auto name = unknown_variable(given.text); !name.empty())
    return Error{"\"" + given.text + "\": there is no variable " + name};
  into.*member = step->words.empty() ? "" : given.text;
  return Done{};
}

Outcome read_signal(C& into, const GivenAttribute& given) {
  into.signal.clear();
  if (is_none(given.text)) return Done{};
  if (signal_called(given.text) == 0)
    return Error{"\"" + given.text + "\" is not NONE, the name of a signal or a number from 1 to " +
                 std::to_string(highest_signal)};
  into.signal = given.text;
  return Done{};
}

Outcome read_when(C& into, const GivenAttribute& given) {
  into.when = is_none(given.text) ? "" : given.text;
  for (std::size_t i = 0; i < into.when.size(); ++i)
    if (std::string_view("smxr").find(into.when[i]) == std::string_view::npos ||
        into.when.find(into.when[i]) < i)
      return Error{"\"" + given.text + "\" is not NONE or letters of s, m, x and r, each once"};
  return Done{};
}

const AttributeRow<C> rows[]{
    {.name = "interface",
     .fallback = "userdefined",
     .shape = ValueShape::single,
     .read = read_interface,
     .check = anything},
    {.name = "ckpt_command",
     .fallback = "NONE",
     .shape = ValueShape::single,
     .read = command<&C::checkpoint>,
     .check = anything},
    {.name = "migr_command",
     .fallback = "NONE",
     .shape = ValueShape::single,
     .read = command<&C::migration>,
     .check = anything},
    {.name = "restart_command",
     .fallback = "NONE",
     .shape = ValueShape::single,
     .read = command<&C::restart>,
     .check = anything},
    {.name = "clean_command",
     .fallback = "NONE",
     .shape = ValueShape::single,
     .read = command<&C::cleaning>,
     .check = anything},
    {.name = "ckpt_dir",
     .fallback = "/tmp",
     .shape = ValueShape::single,
     .read = path<&C::directory>,
     .check = anything},
    {.name = "signal",
     .fallback = "NONE",
     .shape = ValueShape::single,
     .read = read_signal,
     .check = anything},
    {.name = "when",
     .fallback = "sx",
     .shape = ValueShape::single,
     .read = read_when,
     .check = anything},
};

} // namespace

Result<CheckpointEnvironment> CheckpointEnvironment::parse(const ConfigurationObject& object) {
  CheckpointEnvironment environment;
  environment.name = object.name;
  if (auto valid = valid_object_name(environment.name); !valid) return valid.error();
  if (auto read = read_rows(rows, object, environment); !read) return read.error();
  return environment;
}

Kind checkpoint_kind() { return kind_with<rows>("checkpoint interface", "ckpt_name", "ckpt"); }

} // namespace almanac
