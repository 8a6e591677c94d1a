#include "actors/inspection.hpp"

#include "core/host/host.hpp"
#include "core/records/effect.hpp"
#include "schema/session_messages.hpp"

#include <nlohmann/json.hpp>

namespace almanac {

namespace {

using Json = nlohmann::ordered_json;

struct ToJson {
  static constexpr bool only_looks = true;
  Json object = Json::object();
  template <class T> void operator()(const char* name, T& field) { object[name] = convert(field); }

  template <class T> static Json convert(T& field) {
    if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, bool>) return field;
    else if constexpr (IsText<T>) return field.text();
    else if constexpr (IsId<T>) return field.value;
    else if constexpr (std::is_same_v<T, Bytes>)
      return std::to_string(field.content.size()) + " bytes";
    else if constexpr (std::is_same_v<T, Instant> || std::is_same_v<T, Duration>) {
      if (field.seconds == Duration::endless().seconds) return nullptr;
      return field.seconds;
    } else if constexpr (std::is_enum_v<T>) return static_cast<int>(field);
    else if constexpr (std::is_integral_v<T>) return field;
    else if constexpr (is_vector<T>::value) {
      auto list = Json::array();
      for (auto& element : field) list.push_back(convert(element));
      return list;
    } else {
      ToJson inner;
      describe(inner, field);
      return inner.object;
    }
  }
};

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
  const auto value = ToJson::convert(const_cast<T&>(record));
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
