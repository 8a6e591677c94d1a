#include "core/configuration/objects/project.hpp"

#include "core/configuration/objects/readers.hpp"
#include "core/text/words.hpp"

namespace almanac {

namespace {

using namespace readers;
using P = Project;

const AttributeRow<P> rows[]{
    {.name = "oticket",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = number<&P::override_tickets>,
     .check = anything},
    {.name = "fshare",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = number<&P::functional_share>,
     .check = anything},
    {.name = "acl",
     .fallback = "NONE",
     .shape = ValueShape::names,
     .read = names<&P::users>,
     .check = anything},
    {.name = "xacl",
     .fallback = "NONE",
     .shape = ValueShape::names,
     .read = names<&P::excluded_users>,
     .check = anything},
};

} // namespace

Result<Project> Project::parse(const ConfigurationObject& object) {
  Project project;
  project.name = object.name;
  if (auto valid = valid_object_name(project.name); !valid) return valid.error();
  if (auto read = read_rows(rows, object, project); !read) return read.error();
  return project;
}

Kind project_kind() { return kind_with<rows>("project", "name", "project"); }

} // namespace almanac
