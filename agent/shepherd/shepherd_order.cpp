#include "agent/shepherd/shepherd_order.hpp"

#include "core/execution/environment.hpp"
#include "core/text/values.hpp"

#include <fstream>

namespace almanac {

namespace {

constexpr std::string_view format = "almanac-shepherd-order 2\n";

// "name length\nvalue\n" for each field; a list says first how many it has.
struct OrderPrinter {
  std::string text{format};

  void put(const char* name, const std::string& value) {
    text += name;
    text += ' ' + std::to_string(value.size()) + '\n' + value + '\n';
  }
  void operator()(const char* name, std::string& value) { put(name, value); }
  void operator()(const char* name, std::int64_t& value) { put(name, std::to_string(value)); }
  void operator()(const char* name, bool& value) { put(name, value ? "1" : "0"); }
  template <class T> void operator()(const char* name, std::vector<T>& list) {
    put(name, std::to_string(list.size()));
    for (auto& item : list) (*this)("item", item);
  }
  template <class T> void operator()(const char*, T& part) { describe(*this, part); }
};

// Takes back what was printed, and nothing else: after the first thing that is wrong, nothing.
class OrderParser {
public:
  explicit OrderParser(std::string_view text) : rest_(text) {
    if (!skip(format)) fail("format", "is not what this shepherd reads");
  }

  void operator()(const char* name, std::string& value) {
    if (!problem_.empty()) return;
    if (!skip(name) || !skip(" ")) return fail(name, "is expected");
    const auto line_end = rest_.find('\n');
    const auto length = parse_number(std::string(rest_.substr(0, line_end)));
    if (line_end == std::string_view::npos || !length) return fail(name, "has no length");
    rest_.remove_prefix(line_end + 1);
    if (static_cast<std::uint64_t>(*length) >= rest_.size()) return fail(name, "is cut off");
    value = rest_.substr(0, static_cast<std::size_t>(*length));
    rest_.remove_prefix(value.size());
    if (!skip("\n")) return fail(name, "is longer than it says");
    // The system would take what comes before it for the whole.
    if (value.find('\0') != std::string::npos) fail(name, "has a zero byte in it");
  }
  void operator()(const char* name, std::int64_t& value) {
    std::string text;
    (*this)(name, text);
    if (!problem_.empty()) return;
    const auto number = parse_signed(text);
    if (number) value = *number;
    else fail(name, "is no number");
  }
  void operator()(const char* name, bool& value) {
    std::int64_t number = 0;
    (*this)(name, number);
    value = number == 1;
    if (number != 0 && number != 1) fail(name, "is neither 0 nor 1");
  }
  template <class T> void operator()(const char* name, std::vector<T>& list) {
    std::int64_t count = 0;
    (*this)(name, count);
    for (; count > 0 && problem_.empty(); --count) (*this)("item", list.emplace_back());
  }
  template <class T> void operator()(const char*, T& part) { describe(*this, part); }

  Outcome finish() {
    if (problem_.empty() && !rest_.empty()) fail("end", "is followed by something");
    if (!problem_.empty()) return Error{"the shepherd's order: " + problem_};
    return Done{};
  }

private:
  bool skip(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }
  void fail(const char* name, const char* why) {
    if (problem_.empty()) problem_ = std::string(name) + " " + why;
  }

  std::string_view rest_;
  std::string problem_;
};

// Nobody is a user by default.
Outcome valid_process(const char* name, const ShepherdProcess& process) {
  const auto wrong = [&](const std::string& why) {
    return Error{std::string("the shepherd's order: ") + name + ": " + why};
  };
  const auto& as = process.as;
  if (process.arguments.empty()) return Done{};
  if (!process.arguments.front().starts_with('/')) return wrong("it names no program by its path");
  if (as.self ? !as.user.empty() : as.user.empty()) return wrong("it does not say as whom it runs");
  if (!as.self && (as.uid < 0 || as.gid < 0)) return wrong("it gives its user no number");
  for (const auto& variable : process.environment)
    if (auto valid = valid_variable(variable); !valid) return wrong(valid.what());
  return Done{};
}

} // namespace

std::int64_t fence_at_ms(const ShepherdOrder& order) {
  std::int64_t stamp = 0;
  std::ifstream(order.lease) >> stamp;
  return stamp + order.fence * 1000;
}

std::string print_shepherd_order(const ShepherdOrder& order) {
  OrderPrinter printer;
  describe(printer, const_cast<ShepherdOrder&>(order));
  return std::move(printer.text);
}

Outcome check_shepherd_order(const ShepherdOrder& order) {
  auto parsed = parse_shepherd_order(print_shepherd_order(order));
  if (!parsed) return parsed.error();
  return Done{};
}

Result<ShepherdOrder> parse_shepherd_order(const std::string& text) {
  ShepherdOrder order;
  OrderParser parser(text);
  describe(parser, order);
  if (auto whole = parser.finish(); !whole) return whole.error();
  if (order.job.arguments.empty()) return Error{"the shepherd's order: job names no program"};
  const std::pair<const char*, const ShepherdProcess*> processes[]{{"job", &order.job},
                                                                   {"prolog", &order.prolog},
                                                                   {"pe_start", &order.pe_start},
                                                                   {"pe_stop", &order.pe_stop},
                                                                   {"epilog", &order.epilog}};
  for (const auto& [name, process] : processes)
    if (auto valid = valid_process(name, *process); !valid) return valid.error();
  return order;
}

} // namespace almanac
