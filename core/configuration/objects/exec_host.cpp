#include "core/configuration/objects/exec_host.hpp"

#include "core/configuration/objects/complex.hpp"
#include "core/configuration/objects/readers.hpp"
#include "core/text/words.hpp"

namespace almanac {

namespace {

using namespace readers;
using H = ExecHost;

Outcome read_scaling(H& host, const GivenAttribute& given) {
  const auto factors = parse_value_list(given.text);
  if (!factors) return factors.error();
  for (const auto& [name, text] : *factors) {
    const auto factor = weight_of(text);
    if (!factor) return factor.error();
    host.load_scaling[name] = *factor;
  }
  return Done{};
}

Outcome numbers_only(const GivenAttribute& given, const ComplexTable& complexes) {
  const auto factors = parse_value_list(given.text);
  if (!factors) return factors.error();
  for (const auto& [name, text] : *factors) {
    const auto* complex = complexes.find(name);
    if (!complex) return Error{"complex attribute \"" + name + "\" does not exist"};
    if (complex->is_text()) return Error{"\"" + name + "\" is a text: there is no factor for it"};
  }
  return Done{};
}

Outcome known_names(const GivenAttribute& given, const ComplexTable& complexes) {
  for (const auto& name : parse_name_list(given.text))
    if (!complexes.find(name)) return Error{"complex attribute \"" + name + "\" does not exist"};
  return Done{};
}

// An older store may hold any text: it had no effect, and has none now.
Outcome read_usage_scaling(H& host, const GivenAttribute& given) {
  if (const auto factors = parse_value_list(given.text))
    for (const auto& [name, text] : *factors)
      if (const auto factor = weight_of(text)) host.usage_scaling[name] = *factor;
  return Done{};
}

Outcome usage_only(const GivenAttribute& given, const ComplexTable&) {
  const auto factors = parse_value_list(given.text);
  if (!factors) return factors.error();
  for (const auto& [name, text] : *factors) {
    if (name != "cpu" && name != "mem" && name != "io")
      return Error{"\"" + name + "\" is not cpu, mem or io"};
    if (const auto factor = weight_of(text); !factor) return factor.error();
  }
  return Done{};
}

const AttributeRow<H> rows[]{
    {.name = "load_scaling",
     .fallback = "NONE",
     .shape = ValueShape::amounts,
     .read = read_scaling,
     .check = numbers_only},
    {.name = "complex_values",
     .fallback = "NONE",
     .shape = ValueShape::amounts,
     .read = values<&H::complex_values>,
     .check = amounts},
    {.name = "user_lists",
     .fallback = "NONE",
     .shape = ValueShape::names,
     .read = names<&H::user_lists>,
     .check = anything},
    {.name = "xuser_lists",
     .fallback = "NONE",
     .shape = ValueShape::names,
     .read = names<&H::xuser_lists>,
     .check = anything},
    {.name = "projects",
     .fallback = "NONE",
     .shape = ValueShape::names,
     .read = names<&H::projects>,
     .check = anything},
    {.name = "xprojects",
     .fallback = "NONE",
     .shape = ValueShape::names,
     .read = names<&H::xprojects>,
     .check = anything},
    {.name = "usage_scaling",
     .fallback = "NONE",
     .shape = ValueShape::amounts,
     .read = read_usage_scaling,
     .check = usage_only},
    {.name = "report_variables",
     .fallback = "NONE",
     .shape = ValueShape::names,
     .read = names<&H::report_variables>,
     .check = known_names},
    {.name = "squash",
     .fallback = "NONE",
     .shape = ValueShape::single,
     .read = [](H& host,
                const GivenAttribute& g) { return take<&H::squash>(host, Squash::parse(g.text)); },
     .check = anything},
};

} // namespace

Result<ExecHost> ExecHost::parse(const ConfigurationObject& object) {
  ExecHost host;
  host.name = object.name;
  if (!valid_host_name(host.name)) return Error{"\"" + host.name + "\" is not a host name"};
  if (equal_ignoring_case(host.name, "localhost"))
    return Error{"localhost cannot be an exec host: it is a different machine on each"};
  if (auto read = read_rows(rows, object, host); !read) return read.error();
  return host;
}

Kind exec_host_kind() { return kind_with<rows>("exechost", "hostname", "exechost"); }

} // namespace almanac
