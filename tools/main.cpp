// All commands in one program: the name under which it is called chooses.
#include "tools/client/context.hpp"
#include "core/text/words.hpp"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace almanac {

namespace {

int run_editor(const std::string& path) {
  const char* editor = std::getenv("EDITOR");
  const auto command = std::string(editor && *editor ? editor : "vi") + " '" + path + "'";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::string user_name() {
  const auto* entry = ::getpwuid(::getuid());
  return entry ? entry->pw_name : std::to_string(::getuid());
}

} // namespace

int run(int argc, char** argv) {
  const std::string called = argv[0];
  const auto name = called.substr(called.rfind('/') + 1);
  const auto command = find_command(name);
  if (!command) {
    std::cerr << "Call it as one of: " << join(command_names(), " ") << "\n";
    return 1;
  }
  if (argc == 2 && std::string(argv[1]) == "--version") {
    std::cout << name << " " << ALMANAC_VERSION << "\n";
    return 0;
  }
  std::vector<Attribute> environment;
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    const auto equals = text.find('=');
    environment.push_back(
        {text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1)});
  }
  std::error_code error;
  DoorClient door(find_directory());
  Context context{name,
                  {argv + 1, argv + argc},
                  std::cin,
                  std::cout,
                  std::cerr,
                  door,
                  user_name(),
                  std::filesystem::current_path(error).string(),
                  std::move(environment),
                  [] { return Instant{std::time(nullptr)}; },
                  [](const std::string& user) { return ::getpwnam(user.c_str()) != nullptr; },
                  run_editor};
  const int code = command(context);
  std::cout.flush();
  return code;
}

} // namespace almanac

int main(int argc, char** argv) {
  try {
    return almanac::run(argc, argv);
  } catch (const std::exception& problem) {
    std::cerr << argv[0] << ": " << problem.what() << "\n";
    return 1;
  }
}
