#include "tools/commands/commands.hpp"
#include "tools/commands/qrstat_usage.hpp"

#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "tools/commands/reservation_key.hpp"
#include "tools/output/reservations.hpp"
#include "tools/output/series.hpp"

#include <algorithm>
#include <iostream>

namespace almanac {

namespace {

constexpr const char* usage = R"(usage: qrstat [options]
   -ar ar_list               these reservations, in detail: ids, names or patterns
   -explain                  the reasons of the states W and E
   -fmt plain|xml|json       as text, as XML or as JSON; with -usage as text or as JSON
   -from date_time           with -usage: from then on
   -help                     print this help
   -json                     as JSON (share/schemas/qrstat.schema.json)
   -offers                   only what is offered (qrsub -offer), and not accepted yet
   -reskey file              writes the key of the one reservation of -ar into this file, for
                             qsub -reskey; only its owner gets it
   -series                   standing reservations; those of -ar or -u, if these are given
   -to date_time             with -usage: until then
   -u user_list              only reservations made by these users: names, patterns, @usersets;
                             $user means the caller, '*' all
   -usable                   only reservations that the caller may use, for scripts
   -usage [ar_list]          what became of the slots of the cell, in slot-seconds, and of these
                             reservations
   -xml                      as XML
)";

// All lists of a repeated -ar.
std::vector<std::string> wanted_reservations(const GivenOptions& given) {
  std::vector<std::string> wanted;
  for (const auto& [name, values] : given.options)
    if (name == "-ar")
      for (auto& one : words(values.front(), ", ")) wanted.push_back(std::move(one));
  return wanted;
}

enum class Form { plain, xml, json };

// The last of -xml, -json and -fmt counts: those of files come first.
Result<Form> form_of(const GivenOptions& given) {
  const GivenOption* last = nullptr;
  for (const auto& option : given.options)
    if (option.name == "-xml" || option.name == "-json" || option.name == "-fmt") last = &option;
  if (!last) return Form::plain;
  const auto word = last->values.empty() ? last->name.substr(1) : last->values.front();
  if (word == "xml") return Form::xml;
  if (word == "json") return Form::json;
  if (word == "plain") return Form::plain;
  return last->wrong("this is none of plain, xml and json");
}

Result<door::GetReservations> query_of(const GivenOptions& given) {
  door::GetReservations query;
  if (const auto* users = given.last("-u")) {
    query.users = words(*users, ", ");
    if (query.users.empty()) return Error{"option -u: no user is named"};
  }
  query.reservations = wanted_reservations(given);
  if (given.has("-ar") && query.reservations.empty())
    return Error{"option -ar: no advance reservation is named"};
  query.usable = given.has("-usable"), query.offers = given.has("-offers");
  query.series = given.has("-series");
  return query;
}

void print_in_detail(std::ostream& out, const door::Reservations& found) {
  for (const auto& reservation : found.reservations) print_reservation(out, reservation);
  for (const auto& series : found.series) print_conflicts(out, series);
}

void print(std::ostream& out, const GivenOptions& given, Form form,
           const door::Reservations& found) {
  const auto& list = found.reservations;
  const bool is_series = given.has("-series");
  if (is_series && form == Form::xml) return print_series_xml(out, found.series, found.unknown);
  if (is_series && form == Form::json) return print_series_json(out, found.series, found.unknown);
  if (is_series) return print_series_table(out, found.series);
  const auto reasons = given.has("-explain") ? Reasons::shown : Reasons::left_out;
  const auto detail = given.has("-ar")            ? XmlDetail::all
                      : reasons == Reasons::shown ? XmlDetail::line_with_reasons
                                                  : XmlDetail::line;
  if (form == Form::xml) print_reservations_xml(out, list, detail, found.unknown);
  else if (form == Form::json) print_reservations_json(out, list, detail, found.unknown);
  else if (given.has("-ar")) print_in_detail(out, found);
  else if (given.has("-usable")) print_reservation_columns(out, list, reasons);
  else print_reservation_table(out, list, reasons);
}

int keep_key(Context& context, const GivenOptions& given, const std::string& path) {
  const auto wanted = wanted_reservations(given);
  const auto number = wanted.size() == 1 ? parse_reservation_id(wanted.front()) : Error{""};
  if (!number) return complain(context, "-reskey needs the id of one reservation (-ar)");
  const auto text = reservation_key_text(context, *number);
  if (!text) return complain(context, text.what());
  const auto file = path.starts_with('/') ? path : context.directory + "/" + path;
  if (auto written = write_key_file(file, *text); !written)
    return complain(context, written.what());
  context.out << "The key of advance reservation " << to_string(*number) << " is in " << path
              << "\n";
  return 0;
}

} // namespace

int qrstat(Context& context) {
  static const std::vector<OptionRule> rules{
      {"-ar", 1},     {"-explain", 0}, {"-fmt", 1},    {"-from", 1}, {"-help", 0},
      {"-offers", 0}, {"-series", 0},  {"-reskey", 1}, {"-to", 1},   {"-u", 1},
      {"-usable", 0}, {"-usage", -1},  {"-xml", 0},    {"-json", 0}};
  int code = 0;
  const auto given = read_options(context, rules, usage, code, "sge_qrstat");
  if (!given) return code;
  if (given->has("-usage")) return show_usage(context, *given);
  if (const auto* path = given->last("-reskey")) return keep_key(context, *given, *path);
  if (given->has("-from") || given->has("-to"))
    return complain(context, "-from and -to go with -usage");
  const auto form = form_of(*given);
  if (!form) return complain(context, form.what());
  auto query = query_of(*given);
  if (!query) return complain(context, query.what());
  door::Reservations found;
  const int asked = ask<door::Reservations>(context, *query, [&](door::Reservations& frame) {
    std::move(frame.reservations.begin(), frame.reservations.end(),
              std::back_inserter(found.reservations));
    std::move(frame.series.begin(), frame.series.end(), std::back_inserter(found.series));
    found.unknown.insert(found.unknown.end(), frame.unknown.begin(), frame.unknown.end());
  });
  if (asked != 0) return asked;
  std::sort(found.reservations.begin(), found.reservations.end(),
            [](const auto& a, const auto& b) { return a.number < b.number; });
  print(context.out, *given, *form, found);
  if (found.unknown.empty()) return 0;
  if (*form != Form::plain) return 1; // they are in it
  context.err << "Following advance reservations do not exist:\n";
  for (const auto& id : found.unknown) context.err << id << "\n";
  tell_person(context, "of reservations that are over, qacct -ar ID and qrstat -usage ID tell");
  return 1;
}

} // namespace almanac
