// Which folder variables of the environment mean, and what lies where in it.
#include "core/text/names.hpp"
#include "core/text/words.hpp"
#include "tools/client/client.hpp"
#include "tools/client/door_list.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

namespace almanac {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_of_settings = 64 << 10;

// Of one owner, and closed to others: daemons do not start with anything else. What somebody else
// may have laid there names no cell and no door.
bool are_of_one_owner(const std::string& folder, const std::string& path) {
  struct stat outer {
  }, inner{};
  return ::stat(folder.c_str(), &outer) == 0 && ::stat(path.c_str(), &inner) == 0 &&
         outer.st_uid == inner.st_uid && ((outer.st_mode | inner.st_mode) & 022) == 0;
}

// NAME of "NAME" or 'NAME', "" of anything else.
std::string name_in_quotes(std::string_view value) {
  if (value.empty() || (value.front() != '"' && value.front() != '\'')) return "";
  const auto end = value.find(value.front(), 1);
  if (end == std::string_view::npos) return "";
  const std::string name(value.substr(1, end - 1));
  return valid_object_name(name) ? name : "";
}

// What the settings of a master or an agent say.
std::string name_in_settings(const std::string& directory) {
  const auto path = directory + "/settings.toml";
  std::error_code error;
  if (!are_of_one_owner(directory, path) || !fs::is_regular_file(path, error)) return "";
  std::ifstream file(path);
  std::string content(most_of_settings, '\0');
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  content.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  for (const auto& line : words(content, "\n")) {
    const auto equals = std::min(line.find('='), line.size());
    const auto text = std::string_view(line);
    if (equals < line.size() && trim(text.substr(0, equals)) == "cell")
      return name_in_quotes(trim(text.substr(equals + 1)));
  }
  return "";
}

// A master that has run here has left its name (spec/cli.md C1.3).
bool has_master(const std::string& root, const std::string& cell) {
  for (const char* inner : {"", "/common", "/common/act_qmaster"})
    if (!are_of_one_owner(root, root + "/" + cell + inner)) return false;
  return true;
}

// Of the one cell that an SGE_ROOT has; "": it has none, or several.
std::string only_name(const std::string& root) {
  std::string only;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root, error)) {
    const auto name = entry.path().filename().string();
    if (!valid_object_name(name) || !has_master(root, name)) continue;
    if (!only.empty()) return "";
    only = name;
  }
  return only;
}

// As SGE_CELL says, then the settings, then what lies in an SGE_ROOT.
std::string name_of(const std::string& sge_cell, const std::vector<std::string>& directories,
                    const std::string& root) {
  auto name = sge_cell;
  for (const auto& directory : directories)
    if (name.empty()) name = name_in_settings(directory);
  if (name.empty()) name = only_name(root);
  return name.empty() ? "default" : name;
}

// An agent's folder is itself an SGE_ROOT; that of a master has one in it.
std::string common_in(const std::string& directory, const std::string& cell) {
  const auto masters = directory + "/root/" + cell + "/common";
  std::error_code error;
  return fs::is_directory(masters, error) ? masters : directory + "/" + cell + "/common";
}

// DIR of an SGE_ROOT that is DIR/root; "": it is another folder.
std::string master_above(const std::string& sge_root) {
  std::error_code error;
  const auto real = fs::canonical(sge_root, error);
  if (error || real.filename() != "root") return "";
  const auto above = real.parent_path().string();
  return are_of_one_owner(above, real.string()) ? above : "";
}

std::string with_doors(const std::string& sge_root, const std::string& cell,
                       const std::string& above) {
  if (const auto inner = sge_root + "/" + cell; names_doors(inner)) return inner;
  std::error_code error;
  const bool is_above = !names_doors(sge_root) && !above.empty() && names_doors(above) &&
                        fs::is_directory(sge_root + "/" + cell + "/common", error);
  return is_above ? above : sge_root;
}

} // namespace

CellPlace find_cell(const std::vector<Attribute>& environment) {
  const auto value = [&](const char* name) {
    const auto it = std::find_if(environment.begin(), environment.end(),
                                 [&](const Attribute& entry) { return entry.name == name; });
    return it == environment.end() ? std::string() : it->value;
  };
  const auto sge_root = value("SGE_ROOT"), sge_cell = value("SGE_CELL");
  auto directory = value("ALMANAC_DIR");
  if (sge_root.empty()) {
    if (directory.empty()) directory = ClientOptions().directory;
    const auto cell = name_of(sge_cell, {directory}, directory + "/root");
    return {directory, common_in(directory, cell)};
  }
  const auto above = master_above(sge_root);
  const auto cell = name_of(sge_cell, {sge_root, above}, sge_root);
  return {directory.empty() ? with_doors(sge_root, cell, above) : directory,
          common_in(sge_root, cell)};
}

} // namespace almanac
