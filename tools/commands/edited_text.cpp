#include "tools/commands/edited_text.hpp"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <unistd.h>

namespace almanac {

namespace {

bool wants_another_turn(Context& context) {
  if (!context.asks_person) return false;
  context.err << "edit again? [y/n] " << std::flush;
  std::string answer;
  std::getline(context.in, answer);
  return answer.starts_with('y') || answer.starts_with('Y');
}

int keep(Context& context, const std::string& path, int code) {
  context.err << "the text is kept in " << path << "\n";
  return code;
}

int drop(const std::string& path, int code) {
  ::unlink(path.c_str());
  return code;
}

} // namespace

int edit_text(Context& context, const std::string& text, const UseText& use) {
  char path[] = "/tmp/qconf-XXXXXX";
  const int file = ::mkstemp(path);
  if (file < 0) return complain(context, "can't make a file in /tmp");
  ::close(file);
  if (!(std::ofstream(path) << text << std::flush))
    return drop(path, complain(context, std::string("can't write to ") + path));
  for (bool is_first = true;; is_first = false) {
    const int edited = context.edit(path);
    if (edited != 0) {
      complain(context, "the editor ended with an error: nothing was changed");
      const auto left = read_text_file(path);
      const bool is_as_it_was = !left || (is_first && *left == text);
      return is_as_it_was ? drop(path, 1) : keep(context, path, 1);
    }
    const auto after = read_text_file(path);
    if (!after) return complain(context, after.what());
    if (*after == text) {
      context.err << "file unchanged\n";
      return drop(path, 1);
    }
    const auto outcome = use(*after, path);
    if (!outcome.is_wrong) return drop(path, outcome.code);
    if (!wants_another_turn(context)) return keep(context, path, outcome.code);
  }
}

} // namespace almanac
