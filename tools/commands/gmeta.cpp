#include "tools/commands/commands.hpp"

#include "core/request/site_line.hpp"
#include "core/text/words.hpp"
#include "tools/commands/site_exchange.hpp"

#include <iostream>
#include <string>

namespace almanac {

namespace {

constexpr const char* usage = R"(usage: gmeta VERB [TOKENS]
       gmeta -i
   TOKENS                    NAME=value;NAME=value, or the positional form: USER TIMENEEDED ... RESOURCES
   -help                     print this help
   -i                        read lines from the standard input, and answer each
)";

std::string table_of_tokens() {
  std::string text = "tokens:\n";
  for (const auto& token : site_tokens()) {
    std::string name(token.name);
    name.resize(std::max<std::size_t>(name.size(), 12), ' ');
    text += "   " + name + std::string(token.help);
    if (!token.without.empty()) text += " (" + std::string(token.without) + ")";
    text += "\n";
  }
  return text;
}

SiteReply answer(Context& context, std::string_view line) {
  auto reply = exchange(context, line);
  for (const auto& one : reply.lines) context.out << one << "\n";
  context.out.flush();
  return reply;
}

// A line that is longer than any is read to its end, and its first part is refused.
bool read_line(std::istream& in, std::string& line) {
  line.clear();
  for (int c = in.get(); c != std::char_traits<char>::eof(); c = in.get()) {
    if (line.size() <= longest_site_line + 2) line += static_cast<char>(c);
    if (c == '\n') return true;
  }
  return !line.empty();
}

// The exit code is that of the last line that was not good.
int answer_all(Context& context) {
  int code = 0;
  for (std::string line; read_line(context.in, line);)
    if (const auto reply = answer(context, line); reply.status != 0) code = reply.exit_code();
  return code;
}

} // namespace

int gmeta(Context& context) {
  const auto& words = context.arguments;
  if (words.empty()) {
    context.err << usage << "error: no verb is given\n";
    return 1;
  }
  if (words.front() == "-help") {
    context.out << usage << "verbs: " << site_verb_names() << "\n" << table_of_tokens();
    return 0;
  }
  if (words.front() == "-i" && words.size() == 1) return answer_all(context);
  if (words.front().starts_with("-")) {
    context.err << usage << "error: unknown option or operand: " << words.back() << "\n";
    return 1;
  }
  return answer(context, join(words, " ")).exit_code();
}

} // namespace almanac
