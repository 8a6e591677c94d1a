#include "tools/commands/fetched_objects.hpp"

namespace almanac {

int fetch_objects(Context& context, ObjectKind kind, std::vector<ConfigurationObject>& objects) {
  return ask<door::Objects>(context, door::GetObjects{kind}, [&](door::Objects& frame) {
    objects.insert(objects.end(), frame.objects.begin(), frame.objects.end());
  });
}

} // namespace almanac
