#include "tools/commands/process.hpp"

#include "core/base/caller.hpp"
#include "tools/commands/official_hosts.hpp"
#include "tools/commands/process_door.hpp"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <grp.h>
#include <iostream>
#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace almanac {

namespace {

int run_editor(const std::string& path) {
  const char* editor = std::getenv("EDITOR");
  if ((!editor || !*editor) && !(::isatty(STDIN_FILENO) && ::isatty(STDOUT_FILENO))) {
    std::cerr << "there is no terminal for vi: set EDITOR, or use the switch with a file\n";
    return 1;
  }
  const auto command = std::string(editor && *editor ? editor : "vi") + " '" + path + "'";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::string user_name() {
  const auto* entry = ::getpwuid(::getuid());
  return entry ? entry->pw_name : std::to_string(::getuid());
}

std::string own_host() {
  char name[256] = "";
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

// With its number, which lists of users may name.
std::optional<std::string> group_of(const std::string& user) {
  const auto* entry = ::getpwnam(user.c_str());
  if (!entry) return std::nullopt;
  const auto* group = ::getgrgid(entry->pw_gid);
  Caller known;
  known.user = user, known.gid = entry->pw_gid;
  known.group = group ? group->gr_name : std::to_string(known.gid);
  return primary_group(known);
}

} // namespace

std::vector<Attribute> own_environment() {
  std::vector<Attribute> environment;
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    const auto equals = text.find('=');
    environment.push_back(
        {text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1)});
  }
  return environment;
}

int run_as_process(const std::string& program, std::vector<std::string> arguments,
                   CommandFunction command) {
  const auto is_only = [&](const char* word) {
    return arguments.size() == 1 && arguments.front() == word;
  };
  // Both spellings, whatever the command calls it.
  if (is_only("--help") && program != "almanac-console") arguments.front() = "-help";
  if (is_only("--version") || is_only("-version")) {
    std::cout << program << " " << ALMANAC_VERSION << "\n";
    return 0;
  }
  // A terminal's lines come at once; anything else is read faster in blocks.
  if (!::isatty(STDOUT_FILENO)) std::ios::sync_with_stdio(false);
  try {
    std::error_code error;
    const auto environment = own_environment();
    ProcessDoor door(environment);
    Context context{program,
                    std::move(arguments),
                    std::cin,
                    std::cout,
                    std::cerr,
                    door,
                    user_name(),
                    std::filesystem::current_path(error).string(),
                    environment,
                    [] { return Instant{std::time(nullptr)}; },
                    group_of,
                    run_editor,
                    ::isatty(STDIN_FILENO) == 1};
    context.host = own_host();
    context.shows_person = ::isatty(STDOUT_FILENO) == 1;
    context.prove = prove_beside_door;
    use_official_hosts(context);
    const int code = command(context);
    if (std::cout.flush()) return code;
    std::cerr << program << ": the output can't be written\n";
    return std::max(code, 1);
  } catch (const std::exception& problem) {
    std::cerr << program << ": " << problem.what() << "\n";
    return 1;
  }
}

} // namespace almanac
