#include "actors/inspection.hpp"

#include "actors/record_json.hpp"
#include "core/host/host.hpp"
#include "core/records/effect.hpp"
#include "schema/session_messages.hpp"

namespace almanac {

namespace {

// Indented "name: value" lines; empty values are left out.
std::string as_text(const Json& value, const std::string& indent) {
  std::string text;
  for (const auto& [name, inner] : value.items()) {
    if (inner.is_object() || inner.is_array()) {
      if (!inner.empty()) text += indent + name + ":\n" + as_text(inner, indent + "  ");
    } else if (!(inner.is_string() && inner.get<std::string>().empty()) && inner != false)
      text += indent + name + ": " +
              (inner.is_string() ? inner.get<std::string>()
               : inner.is_null() ? "none"
                                 : inner.dump()) +
              "\n";
  }
  return text;
}

} // namespace

template <class T> std::string show(const T& record, bool json) {
  const auto value = to_json<JsonBytes::size>(record);
  return json ? value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"
              : as_text(value, "");
}

template std::string show<JobWithTasks>(const JobWithTasks&, bool);
template std::string show<Reservation>(const Reservation&, bool);
template std::string show<HookCall>(const HookCall&, bool);
template std::string show<HostState>(const HostState&, bool);
template std::string show<InstanceState>(const InstanceState&, bool);
template std::string show<std::vector<Attribute>>(const std::vector<Attribute>&, bool);
template std::string show<session::TaskReport>(const session::TaskReport&, bool);
template std::string show<std::vector<session::TaskReport>>(const std::vector<session::TaskReport>&,
                                                            bool);

} // namespace almanac
