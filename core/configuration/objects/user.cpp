#include "core/configuration/objects/user.hpp"

#include "core/configuration/objects/readers.hpp"
#include "core/text/words.hpp"

namespace almanac {

namespace {

using namespace readers;
using U = User;

Outcome read_default_project(U& user, const GivenAttribute& given) {
  if (!equal_ignoring_case(given.text, "NONE")) user.default_project = given.text;
  return Done{};
}

Outcome a_number(const GivenAttribute& given, const ComplexTable&) {
  const auto number = parse_number(given.text);
  return number ? Outcome(Done{}) : Outcome(number.error());
}

const AttributeRow<U> rows[]{
    {.name = "oticket",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = number<&U::override_tickets>,
     .check = anything},
    {.name = "fshare",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = number<&U::functional_share>,
     .check = anything},
    {.name = "delete_time",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = unread<U>,
     .check = a_number},
    {.name = "default_project",
     .fallback = "NONE",
     .shape = ValueShape::single,
     .read = read_default_project,
     .check = anything},
};

} // namespace

Result<User> User::parse(const ConfigurationObject& object) {
  User user;
  user.name = object.name;
  if (auto valid = valid_object_name(user.name); !valid) return valid.error();
  if (auto read = read_rows(rows, object, user); !read) return read.error();
  return user;
}

Kind user_kind() { return kind_with<rows>("user", "name", "user"); }

} // namespace almanac
