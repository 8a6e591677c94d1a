#include "core/request/reserve_options.hpp"

#include "core/mail/letter.hpp"
#include "core/text/resource_list.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

const std::vector<OptionRule> rules{{"-a", 1, true},      {"-A", 1, true},
                                    {"-d", 1, true},      {"-e", 1, true},
                                    {"-he", 1, true},     {"-help", 0, true},
                                    {"-l", 1, true},      {"-N", 1, true},
                                    {"-pe", 2, true},     {"-q", 1, true},
                                    {"-u", 1, true},      {"-w", 1, true},
                                    {"-h", 1, true},      {"-repair", 1, true},
                                    {"-ckpt", 1, false},  {"-m", 1, true},
                                    {"-M", 1, true},      {"-masterq", 1, false},
                                    {"-now", 1, false},   {"-@", 1, false},
                                    {"-alloc", 2, false}, {"-override-holds", 0, false}};

} // namespace

Result<ReserveOptions>
parse_reservation(const std::vector<std::string>& arguments,
                  const std::function<Result<Instant>(const DateTime&)>& to_instant) {
  auto given = parse_options(arguments, rules, Operands::anywhere);
  if (!given) return given.error();
  if (!given->operands.empty())
    return Error{"invalid option argument \"" + given->operands.front() + "\""};
  ReserveOptions result;
  auto& request = result.request;
  for (const auto& [name, values] : given->options) {
    const auto value = values.empty() ? std::string() : values.front();
    const auto wrong = [&, &name = name](const std::string& why) {
      return Error{"option " + name + " " + value + ": " + why};
    };
    if (name == "-a" || name == "-e") {
      auto instant = parse_instant(name, value, to_instant);
      if (!instant) return instant.error();
      (name == "-a" ? request.start : request.end) = *instant;
    } else if (name == "-d") {
      auto duration = parse_duration(value);
      if (!duration) return Error{"Wrong time format \"" + value + "\" specified to -d option"};
      request.duration = *duration, request.has_duration = true;
    } else if (name == "-A") request.account = value;
    else if (name == "-m") {
      auto occasions = parse_mail_occasions(value, "bean");
      if (!occasions) return wrong("letters of b, e, a and n are expected");
      if (occasions->empty()) request.mail_at.clear();
      for (const char letter : *occasions) {
        if (letter == 'n') request.mail_at.clear();
        else if (request.mail_at.find(letter) == std::string::npos) request.mail_at += letter;
      }
    } else if (name == "-M") {
      auto list = parse_mail_list(value);
      if (!list) return wrong(list.what());
      for (auto& address : *list)
        if (std::find(request.mail_to.begin(), request.mail_to.end(), address) ==
            request.mail_to.end())
          request.mail_to.push_back(std::move(address));
    } else if (name == "-N") {
      request.name = value;
      if (auto valid = valid_name_unlike_number(value); !valid)
        return Error{"denied: " + valid.what()};
    } else if (name == "-l" || name == "-h") {
      if (auto added =
              add_resource_requests(request.resources, name == "-h" ? "h=" + value : value);
          !added)
        return wrong(added.what());
    } else if (name == "-q") {
      for (auto& queue : split(value, ',')) request.queues.push_back(std::move(queue));
    } else if (name == "-u") {
      if (words(value).empty()) return wrong("no user is named");
      for (auto& user : split(value, ',')) request.users.push_back(std::move(user));
    } else if (name == "-pe") {
      auto ranges = parse_slot_ranges(values[1]);
      if (!ranges) return Error{"option -pe " + value + " " + values[1] + ": " + ranges.what()};
      if (value.empty()) return wrong("no parallel environment is named");
      request.pe = value, request.slots = *ranges;
    } else if (name == "-he") {
      auto hard = parse_switch(value);
      if (!hard) return wrong("y or n is expected");
      request.hard = *hard;
    } else if (name == "-repair") {
      auto repair = parse_switch(value);
      if (!repair) return wrong("y or n is expected");
      request.repair = *repair ? Repair::yes : Repair::no;
    } else if (name == "-w") {
      if (value == "p") return Error{"option -w p is not built yet"};
      if (value != "e" && value != "v")
        return Error{"invalid option argument \"-w " + value + "\""};
      result.verify = value == "v";
    } else if (name == "-help") result.help = true;
  }
  return result;
}

} // namespace almanac
