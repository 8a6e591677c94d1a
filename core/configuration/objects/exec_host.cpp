#include "core/configuration/objects/exec_host.hpp"

#include "core/configuration/objects/readers.hpp"
#include "core/text/words.hpp"

namespace almanac {

namespace {

using namespace readers;
using H = ExecHost;

const AttributeRow<H> rows[]{
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
