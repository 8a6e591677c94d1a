#include "tools/cell_import.hpp"

#include "core/answer/gridengine.hpp"
#include "core/configuration/spooled_cell.hpp"
#include "core/text/words.hpp"
#include "tools/commands/context.hpp"
#include "tools/commands/file_lines.hpp"
#include "tools/commands/process.hpp"
#include "tools/commands/process_door.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>

namespace almanac {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t longest_file = 16u << 20;
constexpr std::size_t most_files = 100'000;
// Of one request; those of a larger cell go in parts, each of which is sound.
constexpr std::size_t most_bytes = 700u << 10, most_changes = 1'500;

int fail(const std::string& why) {
  std::cerr << "almanac-admin: " << why << "\n";
  return 1;
}

// ---- the files ----------------------------------------------------------------------------------

struct FoundFiles {
  std::vector<SpooledFile> files;
  std::vector<std::string> paths; ///< of each
};

bool is_kept_by_editors(const std::string& name) {
  return name.starts_with('.') || name.ends_with('~');
}

Outcome read_into(FoundFiles& found, const fs::path& path, const std::string& place) {
  std::error_code error;
  if (!is_spooled_place(place) || !fs::is_regular_file(path, error)) return Done{};
  const auto known = std::find_if(found.files.begin(), found.files.end(),
                                  [&](const SpooledFile& file) { return file.place == place; });
  if (known != found.files.end()) return Done{};
  if (found.files.size() == most_files) return Error{"there are more than 100000 files"};
  if (fs::file_size(path, error) > longest_file)
    return Error{path.string() + " is larger than 16 MB"};
  auto text = read_text_file(path.string());
  if (!text) return text.error();
  found.files.push_back({place, std::move(*text)});
  found.paths.push_back(path.string());
  return Done{};
}

// The files of a folder, and those of the folders in it.
Outcome read_folder(FoundFiles& found, const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(folder, error)) all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  for (const auto& path : all) {
    const auto name = path.filename().string();
    if (!is_spooled_place(name)) continue;
    if (!fs::is_directory(path, error)) {
      if (auto read = read_into(found, path, name); !read) return read;
      continue;
    }
    std::vector<fs::path> inside;
    for (const auto& entry : fs::directory_iterator(path, error)) inside.push_back(entry.path());
    std::sort(inside.begin(), inside.end());
    for (const auto& file : inside)
      if (const auto base = file.filename().string(); !is_kept_by_editors(base))
        if (auto read = read_into(found, file, name + "/" + base); !read) return read;
  }
  return Done{};
}

// What a line of the bootstrap file says; "" if there is none.
std::string bootstrap_value(const fs::path& cell, const std::string& name) {
  const auto text = read_text_file((cell / "common" / "bootstrap").string());
  if (!text) return {};
  for (const auto& line : split(*text, '\n'))
    if (const auto all = words(line, " \t\r"); all.size() >= 2 && all.front() == name)
      return all[1];
  return {};
}

Result<FoundFiles> find_files(const std::string& from) {
  std::error_code error;
  const fs::path cell(from);
  if (!fs::is_directory(cell, error)) return Error{from + " is not a folder"};
  std::vector<fs::path> folders{cell, cell / "common", cell / "qmaster",
                                cell / "spool" / "qmaster"};
  if (const auto spool = bootstrap_value(cell, "qmaster_spool_dir"); spool.starts_with('/'))
    folders.emplace_back(spool);
  FoundFiles found;
  for (const auto& folder : folders)
    if (fs::is_directory(folder, error))
      if (auto read = read_folder(found, folder); !read) return read.error();
  const bool has_queues = std::any_of(found.files.begin(), found.files.end(), [](const auto& file) {
    return file.place.starts_with("cqueues/");
  });
  if (found.files.empty() || !has_queues) {
    const auto method = bootstrap_value(cell, "spooling_method");
    return Error{"no queues are found in " + from +
                 (method.empty() || method == "classic"
                      ? ": it is neither a cell with classic spooling nor what "
                        "save_sge_config.sh has written"
                      : ", whose spooling_method is " + method +
                            ": run util/upgrade_modules/save_sge_config.sh FOLDER there, and "
                            "import that folder")};
  }
  return found;
}

// ---- the cell -----------------------------------------------------------------------------------

class Cell {
public:
  explicit Cell(const std::string& directory) : door_(own_environment(), directory) {}

  Result<Configuration> configuration() {
    std::vector<ConfigurationObject> objects;
    for (int i = 0; i <= static_cast<int>(last_of<ObjectKind>); ++i) {
      const auto asked =
          door_.call(door::GetObjects{static_cast<ObjectKind>(i)}, [&](door::ReplyBody& frame) {
            if (auto* given = std::get_if<door::Objects>(&frame))
              objects.insert(objects.end(), given->objects.begin(), given->objects.end());
          });
      if (!asked) return asked.error();
    }
    return Configuration::restore(objects);
  }

  Result<Answer> change(std::vector<ConfigurationChange> changes, bool only_tries) {
    ConfigureAll all{std::move(changes)};
    auto body = only_tries ? door::RequestBody(door::AskConfigure{std::move(all)})
                           : door::RequestBody(door::RunCommand{std::move(all)});
    Answer answer;
    const auto asked = door_.call(std::move(body), [&](door::ReplyBody& frame) {
      if (auto* given = std::get_if<Answer>(&frame)) answer = std::move(*given);
    });
    if (!asked) return asked.error();
    return answer;
  }

private:
  ProcessDoor door_;
};

std::size_t bytes_of(const ConfigurationChange& change) {
  std::size_t bytes = 64 + change.object.name.size();
  for (const auto& [name, value] : change.object.attributes)
    bytes += 32 + name.size() + value.size();
  for (const auto& entry : change.entries) bytes += 16 + entry.size();
  return bytes;
}

std::vector<std::vector<ConfigurationChange>> in_parts(const std::vector<SpooledChange>& changes,
                                                       const std::vector<std::size_t>& which) {
  std::vector<std::vector<ConfigurationChange>> parts;
  std::size_t bytes = most_bytes;
  for (const auto i : which) {
    const auto more = bytes_of(changes[i].change);
    if (bytes + more > most_bytes || parts.back().size() == most_changes)
      parts.emplace_back(), bytes = 0;
    parts.back().push_back(changes[i].change);
    bytes += more;
  }
  return parts;
}

// With the line of the file that it is about.
void print_refusal(const FoundFiles& found, const SpooledChange& change, const Error& why) {
  for (const auto& text : split(why.what, '\n')) {
    Answer one = Answer::refusal(text);
    add_lines_of_file(one, found.files[change.file].place, found.files[change.file].text);
    for (const auto& line : gridengine::lines_of(one)) {
      const bool names_file = line.text.ends_with(')') && line.text != text;
      std::cerr << line.text << (names_file ? "" : " (" + found.files[change.file].place + ")")
                << "\n";
    }
  }
}

// Hosts whose agents have no keys yet.
void tell_hosts(const std::string& directory, const std::vector<SpooledChange>& changes,
                const std::vector<std::size_t>& made) {
  std::vector<std::string> hosts;
  for (const auto i : made)
    if (const auto& change = changes[i].change;
        change.object.kind == ObjectKind::exec_host && change.verb == ChangeVerb::add)
      hosts.push_back(change.object.name);
  if (hosts.empty()) return;
  std::cout << hosts.size() << " exec hosts are new: make the folders of their agents with\n"
            << "  for host in " << join(hosts, " ") << "; do almanac-admin rekey-host " << directory
            << " $host; done\n";
}

int make(Cell& cell, const CellImport& wanted, const std::vector<SpooledChange>& changes,
         const std::vector<std::size_t>& accepted) {
  const auto parts = in_parts(changes, accepted);
  std::size_t made = 0;
  for (const auto& part : parts) {
    // What the first part brings is not there for a trial of the second.
    if (wanted.only_tries && made > 0) break;
    const auto answer = cell.change(part, wanted.only_tries);
    if (!answer) return fail(answer.what());
    for (const auto& line : gridengine::lines_of(*answer))
      if (line.trouble || wanted.only_tries)
        (line.trouble ? std::cerr : std::cout) << line.text << "\n";
    if (answer->exit_code != 0) {
      if (made > 0)
        std::cerr << "almanac-admin: the first " << made << " of " << accepted.size()
                  << " changes are made; run it again for the others\n";
      return static_cast<int>(answer->exit_code);
    }
    made += part.size();
    if (parts.size() > 1 && !wanted.only_tries)
      std::cout << made << " of " << accepted.size() << " changes are made\n" << std::flush;
  }
  return 0;
}

} // namespace

int import_gridengine(const CellImport& wanted) {
  const auto found = find_files(wanted.from);
  if (!found) return fail(found.what());
  Cell cell(wanted.directory);
  const auto here = cell.configuration();
  if (!here) return fail(here.what());
  const auto read = read_spooled_cell(*here, found->files);
  for (const auto& error : read.errors) std::cerr << error.what << "\n";
  const auto tried = try_spooled_cell(*here, read.changes);
  std::set<std::size_t> refused;
  for (const auto& [change, error] : tried.refused)
    refused.insert(change), print_refusal(*found, read.changes[change], error);
  for (const auto& note : read.notes) std::cout << note << "\n";
  const bool is_whole = read.errors.empty() && refused.empty();
  if (!is_whole && !wanted.takes_part)
    return fail("nothing is changed: " + std::to_string(read.errors.size() + refused.size()) +
                " objects are refused, " + std::to_string(tried.accepted.size()) +
                " would be taken (--partial takes these)");
  if (tried.accepted.empty()) {
    std::cout << "everything is here already: nothing is changed\n";
    return is_whole ? 0 : 1;
  }
  if (const int code = make(cell, wanted, read.changes, tried.accepted); code != 0) return code;
  std::cout << tried.accepted.size() << " objects of " << found->files.size() << " files "
            << (wanted.only_tries ? "would be" : "are") << " taken";
  if (!is_whole) std::cout << ", " << read.errors.size() + refused.size() << " are left out";
  std::cout << "\n";
  if (!wanted.only_tries) tell_hosts(wanted.directory, read.changes, tried.accepted);
  return is_whole ? 0 : 1;
}

} // namespace almanac
