#include "tools/commands/commands.hpp"

#include "core/request/site_line.hpp"
#include "core/text/words.hpp"
#include "tools/commands/site_exchange.hpp"

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>

namespace almanac {

namespace {

constexpr const char* usage = R"(usage: gmeta VERB [TOKENS]
       gmeta -reskey file VERB [TOKENS]
       gmeta -i
       gmeta claim-test -reskey file
   TOKENS                    NAME=value;NAME=value, or the positional form: USER TIMENEEDED ... RESOURCES
   -help                     print this help
   -i                        read lines from the standard input, and answer each
   -reskey file              COMMIT, ABORT, RELEASE and MODIFY show the key of the reservation (RESKEY),
                             which stands in this file
   claim-test                says whether the key in the file is good, without using it
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

// The line is for the metascheduler; why there is no better one, for people.
SiteReply printed(Context& context, SiteReply reply) {
  for (const auto& one : reply.lines) context.out << one << "\n";
  context.out.flush();
  if (!reply.cause.empty()) complain(context, reply.cause);
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
    if (const auto reply = printed(context, answer_line(context, line)); reply.status != 0)
      code = reply.exit_code();
  return code;
}

int wrong_usage(Context& context, const std::string& why) {
  context.err << usage << "error: " << why << "\n";
  return 1;
}

// What is about a reservation that is there; a verb that nobody knows is answered as such.
bool takes_key(std::string_view name) {
  const auto verb = find_site_verb(name);
  return !verb || verb == SiteVerb::commit || verb == SiteVerb::abort ||
         verb == SiteVerb::release || verb == SiteVerb::modify;
}

// With the arguments behind -reskey.
int with_key(Context& context, const std::vector<std::string>& words) {
  if (words.empty()) return wrong_usage(context, "-reskey needs a file");
  const auto& file = words.front();
  const std::vector<std::string> line(words.begin() + 1, words.end());
  if (line.empty()) return wrong_usage(context, "no verb is given");
  if (!takes_key(line.front()))
    return wrong_usage(context, "-reskey: " + line.front() + " takes no key");
  return printed(context, answer_line(context, join(line, " "), file)).exit_code();
}

} // namespace

int gmeta(Context& context) {
  const auto& words = context.arguments;
  if (words.empty()) return wrong_usage(context, "no verb is given");
  if (words.front() == "-help") {
    context.out << usage << "verbs: " << site_verb_names() << "\n" << table_of_tokens();
    return 0;
  }
  if (words.front() == "-i" && words.size() == 1) return answer_all(context);
  if (words.front() == "-reskey") return with_key(context, {words.begin() + 1, words.end()});
  if (words.front() == "claim-test") {
    if (words.size() != 3 || words[1] != "-reskey")
      return wrong_usage(context, "claim-test needs -reskey and a file");
    return printed(context, try_key(context, words[2])).exit_code();
  }
  if (words.front().starts_with("-")) {
    const auto& unknown = words.front() == "-i" ? words[1] : words.front();
    return wrong_usage(context, "unknown option or operand: " + unknown);
  }
  return printed(context, answer_line(context, join(words, " "))).exit_code();
}

} // namespace almanac
