// How reservations are printed (docs/spec/reservations.md section 8).
#include "tests/process/command_call.hpp"
#include "tests/process/result_schema.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/process_door.hpp"
#include "tools/output/reservations.hpp"
#include "tools/output/series.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace almanac;

namespace {

// The example of section 8.2.
door::ReservationView course() {
  door::ReservationView view;
  view.number = {193}, view.owner = {"user1", "staff", 1001, 100, "h", ""};
  view.submitted = {1'164'643'894};
  view.phase = ReservationPhase::waiting;
  view.shape.window = {{1'166'432'400}, {1'166'518'810}};
  view.shape.grants = {{{"all.q", "host1"}, 2}, {{"all.q", "host2"}, 1}};
  view.shape.bookings = {{Container::queue({"all.q", "host1"}), Resource("slots"), 2, "2"},
                         {Container::host("host1"), Resource("myapp"), 2, "2"},
                         {Container::host("host2"), Resource("myapp"), 1, "1"}};
  view.shape.pe = "fill", view.shape.users = {"user1", "user2"};
  view.request.name = "course";
  view.request.resources = {{"myapp", "1"}};
  view.request.pe = "fill", view.request.slots = {{2, 3}};
  return view;
}

// With all that may be set.
door::ReservationView with_everything() {
  auto view = course();
  view.bad = {"reserved queue all.q@host1 is disabled", "reserved queue all.q@host1 is suspended"};
  view.note = "repaired: <&\"'>";
  view.shape.users = {"user1", "@team", "!eve", "b*"};
  auto& request = view.request;
  request.name = "a<b>&\"c'";
  request.hard = true, request.repair = Repair::yes, request.spare = 2;
  view.spares = {{{"all.q", "host3"}, 2}};
  view.left_behind = {"all.q@host4=2 (job 17)", "all.q@host5=1 (jobs 17,18.3)"};
  view.lent = {"all.q@host1=1 (reservation 9)"}, request.room_of = {{4}, {5}};
  request.mail_at = "eba", request.mail_to = {"ann@site", "bob"};
  request.checkpoint = "ckpt", request.master_queues = {"m.q", "all.q@host1"};
  request.project = "p1", request.allocation_rule = "$fill_up";
  return view;
}

std::string detail(const door::ReservationView& view) {
  std::ostringstream out;
  print_reservation(out, view);
  return out.str();
}
std::string xml(const std::vector<door::ReservationView>& list, XmlDetail with,
                const std::vector<std::string>& unknown = {}) {
  std::ostringstream out;
  print_reservations_xml(out, list, with, unknown);
  return out.str();
}
std::string script_lines(const std::vector<door::ReservationView>& list, Reasons reasons) {
  std::ostringstream out;
  print_reservation_columns(out, list, reasons);
  return out.str();
}

const std::string head =
    "<?xml version='1.0'?>\n"
    "<qrstat xmlns:xsd=\"https://github.com/gridengine/gridengine/raw/master/source/dist/util/"
    "resources/schemas/qrstat/qrstat.xsd\">\n";

// Times are those of who looks.
class GivenReservations : public ::testing::Test {
public:
  GivenReservations() { ::setenv("TZ", "UTC", 1), ::tzset(); }
};

class GivenTheSchemaOfQrstat : public GivenReservations, public ResultSchema {
public:
  GivenTheSchemaOfQrstat() : ResultSchema("qrstat.xsd") {}
};

class GivenQrstat : public ::testing::Test {
public:
  /// The exit code, and what is printed on either stream.
  std::string call(std::vector<std::string> arguments,
                   std::vector<Attribute> environment = {{"SGE_ROOT", "/nowhere"}}) {
    ProcessDoor door({}, "/nowhere");
    CommandCall call(door, "qrstat", std::move(arguments));
    call.context.environment = std::move(environment);
    return call.text_of(qrstat);
  }
};

} // namespace

// R8.14, R8.15, R8.17, R8.18, R8.19, R8.20, R8.21, R8.24, R8.25, V3.4, V3.7, V3.8, D36, D37
TEST_F(GivenReservations, WhenOneIsPrintedInDetailThenAsTheSpecificationShowsIt) {
  EXPECT_EQ(detail(course()),
            "--------------------------------------------------------------------------------\n"
            "id                             193\n"
            "name                           course\n"
            "owner                          user1\n"
            "state                          w\n"
            "start_time                     12/18/2006 09:00:00\n"
            "end_time                       12/19/2006 09:00:10\n"
            "duration                       24:00:10\n"
            "submission_time                11/27/2006 16:11:34\n"
            "group                          staff\n"
            "account                        sge\n"
            "resource_list                  myapp=1\n"
            "granted_slots_list             all.q@host1=2,all.q@host2=1\n"
            "complex_values                 host1=myapp=2,host2=myapp=1\n"
            "granted_parallel_environment   fill slots 2-3\n"
            "acl_list                       user1,user2\n");
}

// R8.16, R8.22, R8.23, B0.6, B0.61, B1.22: all that may be set, each in its place.
TEST_F(GivenReservations, WhenEverythingIsSetThenItIsPrintedInTheOrderOfTheSpecification) {
  const auto text = detail(with_everything());
  std::size_t at = 0;
  for (const char* line :
       {"\nduration  ",
        "\nmessage                        reserved queue all.q@host1 is disabled\n",
        "\nmessage                        reserved queue all.q@host1 is suspended\n",
        "\nmessage                        repaired: ",
        "\nsubmission_time  ",
        "\naccount  ",
        "\nerror_handling                 true\n",
        "\ngranted_slots_list  ",
        "\ncomplex_values  ",
        "\ngranted_parallel_environment   fill slots 2-3\n",
        "\nmaster hard queue_list         m.q,all.q@host1\n",
        "\ncheckpoint_name                ckpt\n",
        "\nmail_options                   abe\n",
        "\nmail_list                      ann@site,bob@NONE\n",
        "\nacl_list                       user1,@team,b*\n",
        "\nxacl_list                      eve\n",
        "\nrepair                         true\n",
        "\nspare                          1 of 2: all.q@host3=2\n",
        "\nleft_behind                    all.q@host4=2 (job 17), all.q@host5=1 (jobs 17,18.3)\n",
        "\nlent                           all.q@host1=1 (reservation 9)\n",
        "\nroom_of                        4,5\n",
        "\nproject                        p1\n",
        "\nallocation_rule                $fill_up slots 2-3\n"}) {
    const auto found = text.find(line, at);
    ASSERT_NE(found, std::string::npos) << line << "\n" << text;
    at = found + 1;
  }
}

// R8.26, R8.27, R8.29, R8.31, R8.32, R8.35, R8.36, C7
TEST_F(GivenReservations, WhenOneIsPrintedAsXmlThenItHasTheSameInTheSameOrder) {
  EXPECT_EQ(xml({course()}, XmlDetail::all),
            head + "   <ar_summary>\n"
                   "      <id>193</id>\n"
                   "      <name>course</name>\n"
                   "      <owner>user1</owner>\n"
                   "      <state>w</state>\n"
                   "      <start_time>2006-12-18T09:00:00</start_time>\n"
                   "      <end_time>2006-12-19T09:00:10</end_time>\n"
                   "      <duration>24:00:10</duration>\n"
                   "      <submission_time>2006-11-27T16:11:34</submission_time>\n"
                   "      <group>staff</group>\n"
                   "      <account>sge</account>\n"
                   "      <resource_list>\n"
                   "         <resource name=\"myapp\" type=\"1\"/>\n"
                   "      </resource_list>\n"
                   "      <granted_slots_list>\n"
                   "         <granted_slots queue_instance=\"all.q@host1\" slots=\"2\"/>\n"
                   "         <granted_slots queue_instance=\"all.q@host2\" slots=\"1\"/>\n"
                   "      </granted_slots_list>\n"
                   "      <complex_values>\n"
                   "         <complex_value container=\"host1\" name=\"myapp\" value=\"2\"/>\n"
                   "         <complex_value container=\"host2\" name=\"myapp\" value=\"1\"/>\n"
                   "      </complex_values>\n"
                   "      <granted_parallel_environment>\n"
                   "         <parallel_environment>fill</parallel_environment>\n"
                   "         <slots>2-3</slots>\n"
                   "      </granted_parallel_environment>\n"
                   "      <acl_list>\n"
                   "         <acl user=\"user1\"/>\n"
                   "         <acl user=\"user2\"/>\n"
                   "      </acl_list>\n"
                   "   </ar_summary>\n"
                   "</qrstat>\n");
}

// R8.28, R8.30, R8.33, R8.34, R8.37, R8.38, R8.44, R8.45, V3.12, V3.13
TEST_F(GivenReservations, WhenTheyArePrintedAsXmlThenTextIsEscapedAndALineHasNoDetails) {
  const auto line = xml({with_everything()}, XmlDetail::line);
  EXPECT_NE(line.find("<name>a&lt;b&gt;&amp;&quot;c&apos;</name>"), std::string::npos) << line;
  EXPECT_EQ(line.find("<message>"), std::string::npos) << line;
  EXPECT_EQ(line.find("<group>"), std::string::npos) << line;
  const auto explained = xml({with_everything()}, XmlDetail::line_with_reasons);
  EXPECT_NE(explained.find("</duration>\n      <message>reserved queue all.q@host1 is disabled"
                           "</message>\n"),
            std::string::npos)
      << explained;
  const auto all = xml({with_everything()}, XmlDetail::all, {"7", "<x>"});
  for (const char* part :
       {"<error_handling>true</error_handling>", "<checkpoint_name>ckpt</checkpoint_name>",
        "<master_hard_queue_list>m.q,all.q@host1</master_hard_queue_list>",
        "<mail_options>abe</mail_options>", "<mail user=\"ann\" host=\"site\"/>",
        "<mail user=\"bob\" host=\"NONE\"/>", "<xacl_list>\n         <acl user=\"eve\"/>",
        "   <ar_unknown>\n      <id>7</id>\n   </ar_unknown>\n", "<id>&lt;x&gt;</id>"})
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
  EXPECT_EQ(xml({}, XmlDetail::line), head + "</qrstat>\n");
}

// R8.39, D17
TEST_F(GivenTheSchemaOfQrstat, WhenXmlIsPrintedThenItIsWhatTheSchemaSays) {
  auto nameless = course();
  nameless.request.name.clear(), nameless.shape.users.clear(), nameless.shape.pe.clear();
  const std::vector<door::ReservationView> list{course(), with_everything(), nameless};
  for (const auto with : {XmlDetail::line, XmlDetail::line_with_reasons, XmlDetail::all})
    EXPECT_TRUE(takes(xml(list, with, {"7"}))) << why();
  EXPECT_TRUE(takes(xml({}, XmlDetail::line))) << why();
  // And it would not take anything else.
  const auto changed = [](const std::string& from, const std::string& to) {
    auto text = xml({course()}, XmlDetail::all);
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_FALSE(takes(changed("<state>w<", "<state>y<")));
  EXPECT_FALSE(takes(changed(" slots=\"2\"", " slots=\"-2\"")));
  EXPECT_FALSE(takes(changed("24:00:10", "86410")));
  EXPECT_FALSE(takes(changed("2006-12-18T09:00:00", "12/18/2006 09:00:00")));
  EXPECT_FALSE(takes(changed(" type=", " value=")));
}

// R8.43
TEST_F(GivenReservations, WhenTheyArePrintedForScriptsThenALineHasTabsBetweenItsColumns) {
  EXPECT_EQ(
      script_lines({course()}, Reasons::left_out),
      "193\tcourse\tuser1\tw\t1166432400\t1166518810\t3\tall.q@host1=2,all.q@host2=1\tfill\n");
  auto endless = course();
  endless.shape.window.end = Instant::never();
  EXPECT_NE(script_lines({endless}, Reasons::left_out).find("\t1166432400\tINFINITY\t3\t"),
            std::string::npos);
  const auto explained = script_lines({with_everything()}, Reasons::shown);
  EXPECT_NE(explained.find("\tfill\treserved queue all.q@host1 is disabled; reserved queue "
                           "all.q@host1 is suspended; repaired: "),
            std::string::npos)
      << explained;
  EXPECT_EQ(script_lines({}, Reasons::shown), "");
}

// Options of files come first (R8, sge_qrstat).
TEST_F(GivenQrstat, WhenTheUserHasAFileOfOptionsThenTheyCountUnlessOthersAreGiven) {
  char name[] = "/tmp/almanac-qrstat-XXXXXX";
  const std::string home = ::mkdtemp(name);
  std::ofstream(home + "/.sge_qrstat") << "-fmt csv\n";
  const auto asked = [&](std::vector<std::string> arguments) {
    return call(std::move(arguments), {{"SGE_ROOT", "/nowhere"}, {"HOME", home}});
  };
  EXPECT_NE(asked({}).find("none of plain, xml and json"), std::string::npos);
  EXPECT_EQ(asked({"-xml"}).find("none of"), std::string::npos);
  std::filesystem::remove_all(home);
}

// R8.41
TEST_F(GivenQrstat, WhenWordsAreWrongThenTheyAreRefusedBeforeAnybodyIsAsked) {
  EXPECT_EQ(call({"-fmt", "csv"}),
            "1 out: err: qrstat: option -fmt csv: this is none of plain, xml and json\n");
  EXPECT_EQ(call({"-u", ","}), "1 out: err: qrstat: option -u: no user is named\n");
  EXPECT_EQ(call({"-ar", " "}),
            "1 out: err: qrstat: option -ar: no advance reservation is named\n");
  EXPECT_NE(call({"-fmt", "csv", "-xml"}).find("door"), std::string::npos) << "the last one counts";
  EXPECT_TRUE(call({"-help"}).starts_with("0 out: usage: qrstat "));
  EXPECT_TRUE(call({"5"}).starts_with("1 out: err: usage: qrstat "));
}

TEST(GivenReservationsOfAllKinds, WhenTheyArePrintedAsJsonThenAsTheSchemaSays) {
  const ResultSchema schema("qrstat.schema.json");
  for (const auto detail : {XmlDetail::line, XmlDetail::line_with_reasons, XmlDetail::all}) {
    std::ostringstream out;
    print_reservations_json(out, {course(), with_everything()}, detail, {"7"});
    EXPECT_TRUE(schema.takes(out.str())) << schema.why() << out.str();
    EXPECT_EQ(out.str().find("\"messages\"") == std::string::npos, detail == XmlDetail::line);
  }
  std::ostringstream out;
  door::SeriesView series;
  series.number = {4}, series.name = "weekly", series.owner = "ann", series.next = {100'000};
  series.rule = "FREQ=WEEKLY", series.zone = "UTC", series.granted = 3;
  series.conflicts = {{"2027-01-18T09:00", {{200'000}, {200'600}}, "no \"place\""}};
  print_series_json(out, {series}, {});
  EXPECT_TRUE(schema.takes(out.str())) << schema.why() << out.str();
}
