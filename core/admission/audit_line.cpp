#include "core/admission/audit_line.hpp"

#include "core/answer/gridengine.hpp"
#include "core/text/names.hpp"

#include <algorithm>

namespace almanac {

namespace {

std::string escaped_for_quotes(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    // Nor a tab: some readers of logs take it for the end of a field.
    if (c == '\t') result += "\\t";
    else result += c;
  }
  return printable(result);
}

bool is_plain(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

std::string quoted(std::string_view text, std::size_t most) {
  if (text.size() <= most && std::all_of(text.begin(), text.end(), is_plain))
    return '"' + std::string(text) + '"';
  auto taken = text.substr(0, most);
  auto safe = escaped_for_quotes(taken);
  while (safe.size() > most) {
    // One byte makes at most four.
    taken.remove_suffix((safe.size() - most + 3) / 4);
    safe = escaped_for_quotes(taken);
  }
  return "\"" + safe + (taken.size() < text.size() ? "..." : "") + "\"";
}

constexpr std::size_t name = 64, identifier = 128, sentence = 160;

std::string who_wants(const Caller& caller, std::string_view request, std::string_view what) {
  return "uid=" + std::to_string(caller.uid) + " user=" + quoted(caller.user, name) +
         " host=" + quoted(caller.host, name) + " through=" + quoted(caller.through, name) +
         " request=" + quoted(request, identifier) + " what=" + quoted(what, sentence);
}

} // namespace

std::string audit_line_ahead(const Caller& caller, std::string_view request,
                             std::string_view what) {
  return who_wants(caller, request, what) + " begins";
}

std::string audit_line(const Caller& caller, std::string_view request, std::string_view what,
                       const Answer& answer) {
  auto line = who_wants(caller, request, what) + " exit=" + std::to_string(answer.exit_code);
  if (answer.number != 0) line += " number=" + std::to_string(answer.number);
  if (answer.exit_code != 0 && !(answer.statements.empty() && answer.lines.empty()))
    line += " why=" + quoted(gridengine::first_line_of(answer), sentence);
  return line;
}

std::string audited_taker(const Caller& caller) {
  auto taker = "uid=" + std::to_string(caller.uid);
  if (caller.uid == nobody) taker += " host=" + quoted(caller.host, name);
  return taker;
}

std::string audit_line_of_rest(std::string_view taker, std::int64_t count) {
  return std::string(taker) +
         " what=\"is refused more often than is written\" count=" + std::to_string(count);
}

} // namespace almanac
