// almanac-console: with words, one command; without, it asks for them, or reads them from a pipe.
#include "core/text/words.hpp"
#include "tools/commands/process.hpp"
#include "tools/commands/commands.hpp"
#include "tools/console/completion.hpp"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <editline/readline.h>
#include <iostream>
#include <optional>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr const char* program = "almanac-console";
constexpr int most_in_history = 1000;

// The completion that readline asks for, word by word.
std::vector<std::string> offered;

int find_completions(Context& context) {
  const auto begun = context.arguments.back();
  context.arguments.pop_back();
  std::ostringstream unread;
  Context quiet{context.program,  {},           context.in,        unread, unread,
                context.door,     context.user, context.directory, {},     context.now,
                context.group_of, context.edit};
  offered = console::completions(quiet, context.arguments, begun);
  return 0;
}

char* next_completion(const char*, int state) {
  const auto index = static_cast<std::size_t>(state);
  return index < offered.size() ? ::strdup(offered[index].c_str()) : nullptr;
}

char** complete(const char* begun, int start, int) {
  ::rl_attempted_completion_over = 1; // no file names
  auto before = words(std::string(::rl_line_buffer, static_cast<std::size_t>(start)), " ");
  before.push_back(begun);
  run_as_process(program, before, find_completions);
  return ::rl_completion_matches(begun, next_completion);
}

// In a process of its own: ^C ends the command, not the console.
void run_apart(const std::vector<std::string>& arguments) {
  std::cout.flush();
  const auto child = ::fork();
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);
    const int code = run_as_process(program, arguments, almanac_console);
    std::cout.flush();
    ::_exit(code);
  }
  int status = 0;
  if (child > 0) ::waitpid(child, &status, 0);
}

// A line at a time; nothing at the end.
class Prompt {
public:
  Prompt() : is_terminal_(::isatty(STDIN_FILENO)) {
    if (!is_terminal_) return;
    std::signal(SIGINT, SIG_IGN);
    ::rl_readline_name = const_cast<char*>(program);
    ::rl_attempted_completion_function = complete;
    ::rl_completer_word_break_characters = const_cast<char*>(" ");
    ::using_history();
    if (const char* home = std::getenv("HOME"))
      history_ = std::string(home) + "/.almanac_console_history";
    ::read_history(history_.c_str());
  }
  ~Prompt() {
    if (!is_terminal_) return;
    ::stifle_history(most_in_history);
    ::write_history(history_.c_str());
  }
  Prompt(const Prompt&) = delete;
  Prompt& operator=(const Prompt&) = delete;

  std::optional<std::string> ask() {
    std::string text;
    if (!is_terminal_) return std::getline(std::cin, text) ? std::optional(text) : std::nullopt;
    char* typed = ::readline("almanac> ");
    if (!typed) return std::nullopt;
    text = typed;
    std::free(typed);
    if (!text.empty()) ::add_history(text.c_str());
    return text;
  }

private:
  bool is_terminal_;
  std::string history_ = "/dev/null";
};

int converse() {
  Prompt prompt;
  while (auto text = prompt.ask()) {
    auto arguments = words(*text, " \t");
    if (arguments.empty()) continue;
    if (arguments.front() == "quit" || arguments.front() == "exit") break;
    if (arguments.front() == "help") arguments = {"--help"};
    run_apart(arguments);
  }
  return 0;
}

} // namespace

} // namespace almanac

int main(int argc, char** argv) {
  using namespace almanac;
  return argc > 1 ? run_as_process(program, {argv + 1, argv + argc}, almanac_console) : converse();
}
