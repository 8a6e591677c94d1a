#include "tools/commands/qconf_editor.hpp"

#include "tools/commands/edited_text.hpp"
#include "tools/commands/fetched_objects.hpp"
#include "tools/commands/file_lines.hpp"
#include "tools/commands/object_file.hpp"
#include "tools/commands/qconf_change.hpp"
#include "tools/commands/qconf_texts.hpp"

#include <algorithm>
#include <optional>
#include <ostream>

namespace almanac {

namespace {

// What a new object begins with: another host, where one of that name is there, or the template.
Result<ConfigurationObject> new_object(const std::vector<ConfigurationObject>& objects,
                                       ObjectKind kind, const std::string& name) {
  const auto known = std::find_if(objects.begin(), objects.end(),
                                  [&](auto& object) { return is_called(object, name); });
  if (known == objects.end() || name.empty()) {
    const auto* usual = kind == ObjectKind::host_group ? "@template" : "template";
    return template_of(kind, name.empty() ? usual : name);
  }
  if (kind != ObjectKind::exec_host)
    return Error{std::string(kind_name(kind)) + " \"" + name + "\" already exists"};
  auto object = *known;
  object.name = "template";
  return object;
}

// The object of this name; nothing after a complaint, with its exit status.
std::optional<ConfigurationObject> fetch_object(Context& context, ObjectKind kind,
                                                const std::string& name, int& code) {
  std::vector<ConfigurationObject> objects;
  if (code = fetch_objects(context, kind, objects); code != 0) return std::nullopt;
  const auto it = std::find_if(objects.begin(), objects.end(), [&](auto& object) {
    return is_single(kind) || is_called(object, name);
  });
  if (it != objects.end()) return *it;
  code = no_such_object(context, kind, name);
  return std::nullopt;
}

// Why an edited text changes nothing; "": it may.
std::string obstacle_to(Context& context, const ConfigurationObject& edited,
                        const Result<ConfigurationObject>& next) {
  if (!next) return next.what();
  const auto title =
      std::string(kind_name(edited.kind)) + (edited.name.empty() ? "" : " \"" + edited.name + "\"");
  if (next->name != edited.name) return title + " can't be given another name: nothing is changed";
  int code = 0;
  const auto present = fetch_object(context, edited.kind, edited.name, code);
  if (!present || !(*present == edited))
    return title + " was changed meanwhile: nothing is changed";
  return "";
}

struct Edited {
  std::string path, text;
};

// What is refused of it is said with its line.
int send(Context& context, ChangeVerb verb, const ConfigurationObject& object,
         const Edited& edited) {
  return change_configuration(context, Configure{{verb, object, {}}}, [&](Answer& answer) {
    add_lines_of_file(answer, edited.path, edited.text);
  });
}

} // namespace

int add_in_editor(Context& context, ObjectKind kind, const std::string& name) {
  if (const int refused = refuse_others_than_managers(context); refused != 0) return refused;
  std::vector<ConfigurationObject> objects;
  if (const int asked = fetch_objects(context, kind, objects); asked != 0) return asked;
  const auto object = new_object(objects, kind, name);
  if (!object) {
    context.err << object.what() << "\n";
    return 1;
  }
  return edit_text(context, shown(context, *object), [&](const auto& text, const auto& path) {
    const auto next = read_object(kind, text);
    const int code =
        next ? send(context, ChangeVerb::add, *next, {path, text}) : complain(context, next.what());
    return EditOutcome{code, code != 0};
  });
}

int modify_in_editor(Context& context, ObjectKind kind, const std::string& name) {
  if (const int refused = refuse_others_than_managers(context); refused != 0) return refused;
  int code = 0;
  const auto object = fetch_object(context, kind, name, code);
  if (!object) return code;
  return edit_text(context, shown(context, *object), [&](const auto& text, const auto& path) {
    const auto next = read_object(kind, text);
    const auto why = obstacle_to(context, *object, next);
    const int done = why.empty() ? send(context, ChangeVerb::modify, *next, {path, text})
                                 : complain(context, why);
    return EditOutcome{done, done != 0};
  });
}

} // namespace almanac
