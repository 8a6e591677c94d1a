#include "agent/shepherd/shepherd_order.hpp"

#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <fstream>

namespace almanac {

namespace {

struct NamedStep {
  std::string name;
  ShepherdStep ShepherdOrder::*step;
};
const NamedStep named_steps[] = {{"prolog", &ShepherdOrder::prolog},
                                 {"pe_start", &ShepherdOrder::pe_start},
                                 {"pe_stop", &ShepherdOrder::pe_stop},
                                 {"epilog", &ShepherdOrder::epilog}};

// The step that a name like prolog or prolog_user belongs to; nullptr if there is none.
ShepherdStep* step_of(ShepherdOrder& order, const std::string& name) {
  for (const auto& named : named_steps)
    if (name.starts_with(named.name)) return &(order.*named.step);
  return nullptr;
}

} // namespace

std::int64_t fence_at_ms(const ShepherdOrder& order) {
  std::int64_t stamp = 0;
  std::ifstream(order.lease) >> stamp;
  return stamp + order.fence * 1000;
}

std::string print_shepherd_order(const ShepherdOrder& order) {
  std::string text;
  const auto put = [&](std::string_view name, const std::string& value) {
    text += name;
    text += '\0';
    text += value;
    text += '\0';
  };
  put("user", order.user);
  put("uid", std::to_string(order.uid));
  put("gid", std::to_string(order.gid));
  put("directory", order.directory);
  put("output", order.output);
  put("error", order.error);
  put("output_name", order.output_name);
  put("error_name", order.error_name);
  put("join", order.join ? "1" : "0");
  put("pipe_output", order.pipe_output ? "1" : "0");
  put("limit", std::to_string(order.limit));
  put("soft_limit", std::to_string(order.soft_limit));
  put("notice", std::to_string(order.notice));
  put("notice_of_kill", std::to_string(order.notice_of_kill));
  put("notice_of_suspension", std::to_string(order.notice_of_suspension));
  put("cgroup", order.cgroup);
  put("marker", order.marker);
  put("input", order.input);
  put("must_exist", order.must_exist);
  put("lease", order.lease);
  put("fence", std::to_string(order.fence));
  put("begin_by", std::to_string(order.begin_by));
  for (const auto& [name, member] : named_steps) {
    const auto& step = order.*member;
    if (step.line.empty()) continue;
    put(name, step.line);
    put(name + "_user", step.user);
    put(name + "_uid", std::to_string(step.uid));
    put(name + "_gid", std::to_string(step.gid));
  }
  for (const auto& limit : order.limits)
    put("process_limit",
        limit.kind + " " + std::to_string(limit.soft) + " " + std::to_string(limit.hard));
  put("remove_after", order.remove_after);
  for (const auto& argument : order.arguments) put("argument", argument);
  for (const auto& [name, value] : order.environment) put("environment", name + "=" + value);
  return text;
}

Result<ShepherdOrder> parse_shepherd_order(const std::string& text) {
  ShepherdOrder order;
  std::size_t at = 0;
  const auto next = [&]() -> std::string {
    const auto end = text.find('\0', at);
    if (end == std::string::npos) throw Error{"the shepherd's order is cut off"};
    auto piece = text.substr(at, end - at);
    at = end + 1;
    return piece;
  };
  try {
    while (at < text.size()) {
      const auto name = next();
      auto value = next();
      const auto number = [&] {
        auto parsed = parse_number(value);
        if (!parsed) throw Error{name + ": " + parsed.what()};
        return *parsed;
      };
      if (name == "user") order.user = value;
      else if (name == "uid") order.uid = number();
      else if (name == "gid") order.gid = number();
      else if (name == "directory") order.directory = value;
      else if (name == "output") order.output = value;
      else if (name == "error") order.error = value;
      else if (name == "output_name") order.output_name = value;
      else if (name == "error_name") order.error_name = value;
      else if (name == "join") order.join = value == "1";
      else if (name == "pipe_output") order.pipe_output = value == "1";
      else if (name == "limit") order.limit = number();
      else if (name == "soft_limit") order.soft_limit = number();
      else if (name == "notice") order.notice = number();
      else if (name == "notice_of_kill") order.notice_of_kill = number();
      else if (name == "notice_of_suspension") order.notice_of_suspension = number();
      else if (name == "cgroup") order.cgroup = value;
      else if (name == "marker") order.marker = value;
      else if (name == "input") order.input = value;
      else if (name == "must_exist") order.must_exist = value;
      else if (name == "lease") order.lease = value;
      else if (name == "fence") order.fence = number();
      else if (name == "begin_by") order.begin_by = number();
      else if (name == "remove_after") order.remove_after = value;
      else if (name == "process_limit") {
        const auto parts = words(value);
        if (parts.size() != 3) throw Error{"process_limit: \"" + value + "\" is not a limit"};
        const auto soft = parse_signed(parts[1]), hard = parse_signed(parts[2]);
        if (!soft || !hard) throw Error{"process_limit: \"" + value + "\" is not a limit"};
        order.limits.push_back({parts[0], *soft, *hard});
      } else if (auto* step = step_of(order, name)) {
        if (name.ends_with("_user")) step->user = value;
        else if (name.ends_with("_uid")) step->uid = number();
        else if (name.ends_with("_gid")) step->gid = number();
        else step->line = value;
      } else if (name == "argument") order.arguments.push_back(std::move(value));
      else if (name == "environment") {
        const auto equals = value.find('=');
        order.environment.push_back({value.substr(0, equals), value.substr(equals + 1)});
      } else return Error{"the shepherd's order has the unknown name \"" + name + "\""};
    }
  } catch (const Error& error) {
    return error;
  }
  if (order.arguments.empty()) return Error{"the shepherd's order names no program"};
  return order;
}

} // namespace almanac
