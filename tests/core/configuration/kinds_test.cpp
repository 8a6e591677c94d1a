// The rows of the kinds of objects.
#include "core/configuration/configuration.hpp"
#include "core/configuration/objects/kind.hpp"

#include <gtest/gtest.h>

#include <set>

using namespace almanac;

namespace {

std::vector<ObjectKind> kinds() {
  std::vector<ObjectKind> all;
  for (int kind = 0; kind <= static_cast<int>(last_of<ObjectKind>); ++kind)
    all.push_back(static_cast<ObjectKind>(kind));
  return all;
}

} // namespace

TEST(GivenAKindOfObjects, WhenItsTemplateIsMadeThenNoAttributeIsThereTwiceAndAllMayBeWritten) {
  const auto complexes = *ComplexTable::parse(template_of(ObjectKind::complex, ""));
  for (const auto kind : kinds()) {
    const auto made = template_of(kind, "n");
    std::set<std::string> names;
    for (const auto& attribute : made.attributes)
      EXPECT_TRUE(names.insert(attribute.name).second) << kind_name(kind) << " " << attribute.name;
    EXPECT_TRUE(check_new_values(made, complexes).ok()) << kind_name(kind);
    EXPECT_EQ(kind_of(kind).shapes.size(), made.attributes.size()) << kind_name(kind);
  }
}

// Objects that were stored before there was an attribute lack it.
TEST(GivenAStoredObject, WhenAnAttributeIsMissingThenItIsReadLikeItsDefault) {
  const auto initial = Configuration::initial("root", "n1");
  for (const auto kind : {ObjectKind::global_configuration, ObjectKind::scheduler_configuration}) {
    for (const auto& left_out : template_of(kind, "").attributes) {
      auto objects = initial.objects();
      for (auto& object : objects)
        if (object.kind == kind)
          std::erase_if(object.attributes, [&](auto& a) { return a.name == left_out.name; });
      const auto restored = Configuration::restore(objects);
      ASSERT_TRUE(restored.ok()) << left_out.name << ": " << restored.what();
      EXPECT_EQ(restored->global().mailer, initial.global().mailer);
      EXPECT_EQ(restored->global().notify, initial.global().notify);
      EXPECT_EQ(restored->global().max_aj_tasks, initial.global().max_aj_tasks);
      EXPECT_EQ(restored->scheduler().schedule_interval, initial.scheduler().schedule_interval);
      EXPECT_EQ(restored->scheduler().load_adjustments, initial.scheduler().load_adjustments);
      EXPECT_EQ(restored->scheduler().weight_deadline, initial.scheduler().weight_deadline);
    }
  }
}

TEST(GivenSeveralValuesThatAreWrong, WhenTheyAreReadThenTheFirstRowIsNamed) {
  auto host = template_of(ObjectKind::exec_host, "n1");
  host.set("squash", "nonsense");
  host.set("complex_values", "nonsense");
  EXPECT_TRUE(ExecHost::parse(host).what().starts_with("attribute \"complex_values\""))
      << "in order";
}
