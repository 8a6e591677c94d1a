// The words of qrsub, and the rows that they are read by.
#include "core/request/reserve_alterations.hpp"
#include "core/request/reserve_options.hpp"

#include "core/base/fingerprint.hpp"
#include "core/request/checks.hpp"
#include "core/request/valid.hpp"
#include "core/text/resource_list.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace almanac;

namespace {

Result<ReserveOptions> parsed(const std::vector<std::string>& words) {
  return parse_reservation(words, [](const DateTime&) -> Result<Instant> { return Instant{500}; });
}

using Options = std::vector<GivenOption>;

// With files that are named, and the options of files that come before.
Result<ReserveOptions> parsed(const std::vector<std::string>& words,
                              const std::map<std::string, Options>& files,
                              const std::vector<Options>& defaults = {}) {
  return parse_reservation(
      words, [](const DateTime&) -> Result<Instant> { return Instant{500}; },
      [&](const std::string& path) -> Result<Options> {
        const auto file = files.find(path);
        if (file == files.end()) return Error{path + ": No such file"};
        return file->second;
      },
      defaults);
}

std::uint64_t fingerprint_of(ReserveOptions options) {
  Fingerprint digest;
  digest.add_field(options.request);
  digest.add_field(options.verify);
  digest.add_field(options.override_holds);
  digest.add_field(options.explain);
  digest.add_field(options.force);
  digest.add_field(options.from_job);
  digest.add_field(options.offer_for);
  digest.add_field(options.offer_kinds);
  if (options.accepted) digest.add(options.accepted->text());
  digest.add_field(options.help);
  const auto& series = options.series;
  std::vector<std::string> texts{series.rule, series.until, series.zone, series.conflict};
  texts.insert(texts.end(), series.skipped.begin(), series.skipped.end());
  digest.add_field(texts);
  return digest.value();
}

} // namespace

TEST(GivenTheTableOfQrsub, WhenEachOptionIsReadThenItChangesTheRequest) {
  const std::map<std::string_view, std::vector<std::string>> examples{
      {"-a", {"11201000"}},
      {"-e", {"11201000"}},
      {"-d", {"1:0:0"}},
      {"-A", {"x"}},
      {"-m", {"b"}},
      {"-M", {"a@b"}},
      {"-N", {"n"}},
      {"-l", {"x=1"}},
      {"-h", {"h1"}},
      {"-q", {"all.q"}},
      {"-u", {"a"}},
      {"-pe", {"mpi", "2"}},
      {"-he", {"y"}},
      {"-repair", {"n"}},
      {"-w", {"v"}},
      {"-help", {}},
      {"-masterq", {"m.q"}},
      {"-now", {}},
      {"-P", {"p"}},
      {"-override-holds", {}},
      {"-explain", {}},
      {"-from-job", {"7"}},
      {"-@", {"file"}},
      {"-idle", {"5"}},
      {"-ckpt", {"blcr"}},
      {"-alloc", {"2", "4"}},
      {"-par", {"2"}},
      {"-attract", {"y"}},
      {"-offer", {"60,later"}},
      {"-accept", {"7.2f81c09ae4b7d310"}},
      {"-spare", {"1"}},
      {"-maintenance", {}},
      {"-hosts", {"n1", "-maintenance"}},
      {"-running", {"requeue", "-maintenance"}},
      {"-f", {"-maintenance"}},
      {"-repeat", {"FREQ=DAILY", "-a", "11201000"}},
      {"-until", {"20270101", "-repeat", "FREQ=DAILY", "-a", "11201000"}},
      {"-skip", {"20270101", "-repeat", "FREQ=DAILY", "-a", "11201000"}},
      {"-zone", {"UTC", "-repeat", "FREQ=DAILY", "-a", "11201000"}},
      {"-conflict", {"wait", "-repeat", "FREQ=DAILY", "-a", "11201000"}}};
  std::set<std::uint64_t> seen{fingerprint_of({})};
  for (const auto& option : reserve_table()) {
    ASSERT_TRUE(examples.contains(*option.name)) << *option.name << " has no example";
    std::vector<std::string> words{std::string(*option.name)};
    const auto& values = examples.at(*option.name);
    words.insert(words.end(), values.begin(), values.end());
    const auto read = parsed(words, {{"file", {{"-N", {"of-the-file"}}}}});
    ASSERT_TRUE(read.ok()) << read.what();
    EXPECT_TRUE(seen.insert(fingerprint_of(*read)).second) << *option.name;
  }
}

TEST(GivenTheTableOfQrsub, WhenItIsLookedAtThenNoNameStandsTwice) {
  std::set<std::string> names;
  for (const auto& option : reserve_table())
    EXPECT_TRUE(names.insert(std::string(*option.name)).second) << *option.name;
}

TEST(GivenTheTableOfQrsub, WhenAFieldHoldsTooMuchThenTheRequestIsNotValid) {
  EXPECT_TRUE(valid(ReservationRequest()).ok());
  const auto refused = [](auto change) {
    ReservationRequest request;
    change(request);
    return !valid(request).ok();
  };
  EXPECT_TRUE(refused([](auto& r) { r.pe = "mpi"; }));
  EXPECT_TRUE(refused([](auto& r) { r.pe = "mpi", r.slots = {{0, 1}}; }));
  EXPECT_TRUE(refused([](auto& r) { r.queues.assign(longest_wish + 1, "q"); }));
  EXPECT_TRUE(refused([](auto& r) { r.resources.assign(longest_wish + 1, {"x", "1"}); }));
  EXPECT_TRUE(refused([](auto& r) { r.master_queues = {"m.q"}; })) << "without -pe";
  EXPECT_TRUE(refused([](auto& r) {
    r.pe = "mpi", r.slots = {{1, 1}};
    r.master_queues.assign(longest_wish + 1, "q");
  }));
  EXPECT_TRUE(refused([](auto& r) { r.start = Instant{-1}; }));
  EXPECT_TRUE(refused([](auto& r) { r.end = Instant{-1}; }));
  EXPECT_TRUE(refused([](auto& r) { r.duration = Duration{-1}; }));
  EXPECT_TRUE(refused([](auto& r) { r.mail_at = "s"; }));
  EXPECT_TRUE(refused([](auto& r) { r.mail_to = {"no address"}; }));
  EXPECT_TRUE(refused([](auto& r) { r.spare = -1; }));
  EXPECT_TRUE(refused([](auto& r) { r.spare = 1000; }));
}

TEST(GivenOptionsOfQrsub, WhenParsedThenEveryOneArrives) {
  const auto read = parsed({"-a",  "11201000", "-d",    "1:0:0",   "-N",      "n",  "-pe",
                            "mpi", "2-4",      "-u",    "a,@b,!c", "-he",     "y",  "-l",
                            "x=1", "-h",       "h1|h2", "-q",      "a.q,b.q", "-q", "c.q"});
  ASSERT_TRUE(read.ok()) << read.what();
  const auto& request = read->request;
  EXPECT_EQ(request.start.seconds, 500);
  EXPECT_EQ(request.duration.seconds, 3600);
  EXPECT_EQ(request.users.size(), 3u);
  EXPECT_EQ(print_resource_requests(request.resources), "x=1,h=h1|h2");
  EXPECT_EQ(request.queues, (std::vector<std::string>{"a.q", "b.q", "c.q"}));
  EXPECT_TRUE(request.hard);
}

TEST(GivenOptionsOfQrsub, WhenMailIsAskedForAgainThenItAddsUpAndNClears) {
  EXPECT_EQ(parsed({"-m", "b", "-m", "be"})->request.mail_at, "be");
  EXPECT_EQ(parsed({"-m", "b,n,a"})->request.mail_at, "a");
  EXPECT_EQ(parsed({"-m", "bea", "-m", "n"})->request.mail_at, "");
  EXPECT_EQ(parsed({"-M", "a@b,c", "-M", "c,d"})->request.mail_to,
            (std::vector<std::string>{"a@b", "c", "d"}));
}

// B0.001, B1.06: a policy has two words, and B0.002.
TEST(GivenOptionsOfQrsub, WhenARepairIsAskedForThenThePolicyIsKnown) {
  for (const char* word : {"y", "repair"})
    EXPECT_EQ(parsed({"-repair", word})->request.repair, Repair::yes);
  for (const char* word : {"n", "wait"})
    EXPECT_EQ(parsed({"-repair", word})->request.repair, Repair::no);
  EXPECT_EQ(parsed({"-repair", "fail"})->request.repair, Repair::fail);
  EXPECT_EQ(parsed({"-repair", "maybe"}).what(),
            "option -repair maybe: \"maybe\" is not one of repair, wait, fail, y, n");
  EXPECT_EQ(parsed({"-spare", "2"})->request.spare, 2);
  EXPECT_EQ(parsed({})->request.repair, Repair::as_site);
}

TEST(GivenOptionsOfQrsub, WhenOneIsMalformedThenTheErrorNamesOptionAndValue) {
  const std::vector<std::vector<std::string>> cases{
      {"-a", "banana"}, {"-e", "x"},      {"-d", "-5"},   {"-l", "=3"},      {"-he", "maybe"},
      {"-u", " "},      {"-repair", "x"}, {"-m", "s"},    {"-M", ""},        {"-w", "w"},
      {"-soft"},        {"-N"},           {"-h", ""},     {"-now", "maybe"}, {"-P", ""},
      {"-u", "a,,b"},   {"-u", "!"},      {"-@", "file"}, {"-spare", "x"}};
  for (const auto& words : cases) {
    const auto read = parsed(words);
    ASSERT_FALSE(read.ok()) << words.front();
    EXPECT_NE(read.what().find(words.front()), std::string::npos) << read.what();
    EXPECT_NE(read.what().find(words.back()), std::string::npos) << read.what();
  }
  EXPECT_FALSE(parsed({"-N", "a b"}).ok());
  EXPECT_FALSE(parsed({"-pe", "", "2"}).ok());
  EXPECT_EQ(parsed({"-q", ""}).what(), "option -q : no queue is named") << "not all queues";
  EXPECT_EQ(parsed({"-q", "a.q,,b.q"}).what(), "option -q a.q,,b.q: a name is empty");
  EXPECT_EQ(parsed({"-pe", "mpi", "2", "-masterq", ""}).what(),
            "option -masterq : no queue is named");
  EXPECT_EQ(parsed({"-ckpt", ""}).what(), "option -ckpt : no checkpointing environment is named");
  EXPECT_EQ(parsed({"-d", "5", "extra"}).what(), "invalid option argument \"extra\"");
}

// Ruling D9: R84 names the reservation with that id.
TEST(GivenOptionsOfQrsub, WhenANameIsAnIdThenItIsRefused) {
  EXPECT_EQ(parsed({"-N", "R84"}).what(), "denied: \"R84\" is not a valid object name (R and a "
                                          "number is the id of a reservation)");
  for (const char* name : {"R", "R84x", "r84", "RR84"})
    EXPECT_EQ(parsed({"-N", name})->request.name, name);
  ReservationRequest request;
  request.name = "R84";
  EXPECT_FALSE(valid(CommandBody(Reserve{request})).ok());
  AlterReservation change;
  change.number = {1}, change.options = {"-N"}, change.request = request;
  EXPECT_FALSE(valid(CommandBody(change)).ok());
  EXPECT_TRUE(valid(request).ok()) << "one that is granted already is kept";
}

// B0.009, B13.25
TEST(GivenOptionsOfQrsub, WhenAMaintenanceIsAskedForThenItNamesHosts) {
  const auto read = parsed({"-maintenance", "-hosts", "n1,@rack", "-hosts", "n2*", "-running",
                            "requeue", "-d", "INFINITY", "-f"});
  ASSERT_TRUE(read.ok()) << read.what();
  EXPECT_TRUE(read->request.maintenance && read->request.requeue_running && read->force);
  EXPECT_TRUE(read->request.duration.is_endless());
  EXPECT_EQ(read->request.hosts, (std::vector<std::string>{"n1", "@rack", "n2*"}));
  EXPECT_EQ(parsed({"-hosts", "n1", "-d", "5"}).what(), "-hosts needs -maintenance");
  EXPECT_EQ(parsed({"-running", "leave", "-d", "5"}).what(), "-running needs -maintenance");
  EXPECT_EQ(parsed({"-f", "-d", "5"}).what(), "-f needs -maintenance");
  EXPECT_EQ(parsed({"-maintenance", "-hosts", "n1", "-running", "kill"}).what(),
            "option -running kill: leave or requeue is expected");
  EXPECT_EQ(parsed({"-maintenance", "-hosts", "", "-d", "5"}).what(),
            "option -hosts : no host is named");
}

namespace {

Result<AlterationOptions> altered(const std::vector<std::string>& words) {
  return parse_alteration(words, [](const DateTime&) { return Result<Instant>(Instant{500}); });
}
using Names = std::vector<std::string>;

} // namespace

TEST(GivenOptionsOfQralter, WhenParsedThenThoseThatAreGivenAreNamed) {
  const auto read =
      altered({"-f", "R7", "-d", "1:0:0", "-m", "b", "-m", "e", "-h", "n1", "-w", "v"});
  ASSERT_TRUE(read.ok()) << read.what();
  EXPECT_EQ(read->command.number.value, 7);
  EXPECT_TRUE(read->command.force && read->verify);
  EXPECT_EQ(read->command.options, (Names{"-d", "-m", "-l"}));
  EXPECT_EQ(read->command.request.mail_at, "be");
  EXPECT_EQ(read->command.request.duration.seconds, 3600);
  EXPECT_FALSE(altered({"7", "-N", "x"})->verify);
}

// R11.31
TEST(GivenOptionsOfQralter, WhenAReservationIsNamedThenItsNumberIsMeant) {
  const auto renamed = [](const std::string& name) {
    return parse_alteration(
        {name, "-N", "x"}, [](const DateTime&) { return Result<Instant>(Instant{500}); },
        [](const std::string& called) -> Result<std::optional<ReservationNumber>> {
          if (called == "course") return std::optional(ReservationNumber{9});
          return std::optional<ReservationNumber>();
        });
  };
  EXPECT_EQ(renamed("course")->command.number.value, 9);
  EXPECT_EQ(renamed("R7")->command.number.value, 7);
  EXPECT_EQ(renamed("nosuch").what(), "\"nosuch\" is an invalid advance reservation id");
  EXPECT_EQ(altered({"course", "-N", "x"}).what(),
            "\"course\" is an invalid advance reservation id")
      << "nobody looks for it";
}

TEST(GivenOptionsOfQralter, WhenOneIsEmptyThenItClearsWhatMayBeMissing) {
  const auto read = altered({"7", "-M", "", "-u", "", "-q", "", "-l", "", "-N", ""});
  ASSERT_TRUE(read.ok()) << read.what();
  EXPECT_EQ(read->command.options, (Names{"-M", "-u", "-q", "-l", "-N"}));
  EXPECT_TRUE(read->command.request.users.empty() && read->command.request.mail_to.empty());
  EXPECT_FALSE(altered({"7", "-a", ""}).ok());
  EXPECT_FALSE(altered({"7", "-he", ""}).ok());
}

TEST(GivenTheTableOfQralter, WhenARowIsCopiedThenItIsWhatItsOptionHasRead) {
  const std::map<std::string_view, std::vector<std::string>> values{
      {"-pe", {"mpi", "2"}}, {"-d", {"1:0:0"}},  {"-he", {"y"}},
      {"-par", {"2"}},       {"-repair", {"n"}}, {"-m", {"b"}}};
  for (const auto& row : reserve_alterations()) {
    ASSERT_NE(find_reserve_option(*row.name), nullptr) << *row.name;
    std::vector<std::string> words{std::string(*row.name)};
    const auto it = values.find(*row.name);
    const auto more = it == values.end() ? std::vector<std::string>{"x=1"} : it->second;
    words.insert(words.end(), more.begin(), more.end());
    const auto read = parsed(words);
    if (!read) continue; // it wants a date, or a name
    ReserveOptions copied;
    (*row.copy)(copied.request, read->request);
    EXPECT_EQ(fingerprint_of(copied), fingerprint_of(*read)) << *row.name;
  }
}

// B12.01, B12.012, B13.26, B13.29, B13.30
TEST(GivenOptionsOfQralter, WhenTheyMakeNoSenseThenTheErrorSaysSo) {
  EXPECT_TRUE(altered({"5"})->command.options.empty()) << "the command prints its usage";
  EXPECT_TRUE(altered({"-f"})->command.options.empty());
  EXPECT_TRUE(altered({"5", "-rest", "-N", "x"})->command.rest) << "whether it is part of a series";
  for (const char* id : {"99999999999", "0", "-1", "x", "5,6"})
    EXPECT_FALSE(altered({id, "-N", "x"}).ok()) << id;
  EXPECT_NE(altered({"5", "6", "-N", "x"}).what().find("one id"), std::string::npos);
  EXPECT_FALSE(altered({"-N", "x"}).ok());
  for (const char* option : {"-ckpt", "-masterq", "-now"})
    EXPECT_EQ(altered({"5", option, "x"}).what(),
              "option " + std::string(option) + " of an advance reservation cannot be changed");
  EXPECT_EQ(altered({"5", "-alloc", "2", "4"}).what(),
            "option -alloc of an advance reservation cannot be changed");
  EXPECT_FALSE(altered({"5", "-spare", "x"}).ok());
}

// R6.12: with and without a word.
TEST(GivenOptionsOfQrsub, WhenNowStandsAloneThenItMeansYes) {
  EXPECT_FALSE(parsed({"-d", "5"})->request.immediate);
  EXPECT_TRUE(parsed({"-now", "-d", "5"})->request.immediate);
  EXPECT_TRUE(parsed({"-d", "5", "-now"})->request.immediate);
  EXPECT_TRUE(parsed({"-now", "y", "-d", "5"})->request.immediate);
  EXPECT_FALSE(parsed({"-now", "-now", "no"})->request.immediate);
  EXPECT_EQ(parsed({"-d", "5", "-now", "extra"}).what(), "option -now extra: y or n is expected");
}

// R6.31: the later source wins, whole lists with it.
TEST(GivenFilesOfOptions, WhenTheCommandLineSaysOtherwiseThenItWins) {
  const std::vector<Options> defaults{
      {{"-q", {"a.q"}}, {"-q", {"b.q"}}, {"-u", {"ann"}}, {"-l", {"x=1,y=1"}}, {"-N", {"cell"}}},
      {{"-m", {"b"}}, {"-M", {"ann"}}, {"-N", {"home"}}, {"-now", {}}}};
  const auto plain = parsed({"-d", "5"}, {}, defaults)->request;
  EXPECT_EQ(plain.queues, (std::vector<std::string>{"a.q", "b.q"}));
  EXPECT_EQ(plain.name, "home");
  EXPECT_TRUE(plain.immediate);
  const auto other = parsed({"-q", "c.q", "-u", "bob", "-l", "y=2", "-m", "e", "-M", "bob", "-now",
                             "n", "-N", "mine"},
                            {}, defaults)
                         ->request;
  EXPECT_EQ(other.queues, (std::vector<std::string>{"c.q"}));
  EXPECT_EQ(other.users, (std::vector<std::string>{"bob"}));
  EXPECT_EQ(print_resource_requests(other.resources), "x=1,y=2") << "for each attribute the last";
  EXPECT_EQ(other.mail_at + other.mail_to.front() + other.name, "ebobmine");
  EXPECT_FALSE(other.immediate);
}

// R6.43.
TEST(GivenFilesOfOptions, WhenOneIsNamedThenItsOptionsStandInItsPlace) {
  const std::map<std::string, Options> files{{"f", {{"-N", {"file"}}, {"-q", {"b.q"}}}},
                                             {"again", {{"-@", {"f"}}}}};
  const auto read = parsed({"-N", "before", "-q", "a.q", "-@", "f", "-q", "c.q"}, files);
  ASSERT_TRUE(read.ok()) << read.what();
  EXPECT_EQ(read->request.name, "file");
  EXPECT_EQ(read->request.queues, (std::vector<std::string>{"a.q", "b.q", "c.q"}));
  EXPECT_EQ(parsed({"-@", "f", "-N", "after"}, files)->request.name, "after");
  EXPECT_EQ(parsed({"-@", "none"}, files).what(), "none: No such file");
  EXPECT_EQ(parsed({"-@", "again"}, files).what(),
            "option -@ again: it names a file of options itself");
}

// C3.56.
TEST(GivenOptionsOfQrsub, WhenThePEHasAnotherRuleThenItStandsBesideThePE) {
  const auto read = parsed({"-pe", "mpi", "4", "-par", "fill_up"})->request;
  EXPECT_EQ(read.pe, "mpi");
  EXPECT_EQ(read.pe_rule, "$fill_up");
  EXPECT_EQ(parsed({"-pe", "mpi", "4", "-par", "2", "-par", "none"})->request.pe_rule, "");
  EXPECT_FALSE(parsed({"-par", "any"}).ok());
  ReservationRequest wrong;
  wrong.pe = "mpi", wrong.slots = {{1, 1}}, wrong.pe_rule = "$any";
  EXPECT_FALSE(valid(wrong).ok());
}

// R6.17: the shell takes a '$' for its own, so it may be missing.
TEST(GivenOptionsOfQrsub, WhenSlotsAreAskedForByARuleThenThatTakesThePlaceOfAPE) {
  const auto read = parsed({"-pe", "mpi", "2", "-alloc", "$fill_up", "10"})->request;
  EXPECT_EQ(read.allocation_rule, "$fill_up");
  EXPECT_EQ(read.pe, "");
  EXPECT_EQ(print_slot_ranges(read.slots), "10");
  EXPECT_EQ(parsed({"-alloc", "round_robin", "2-4"})->request.allocation_rule, "$round_robin");
  EXPECT_EQ(parsed({"-alloc", "2", "4", "-pe", "mpi", "8"})->request.allocation_rule, "");
  EXPECT_EQ(parsed({"-alloc", "fill", "4"}).what(),
            "option -alloc fill 4: \"fill\" is not $pe_slots, $fill_up, $round_robin or a number "
            "from 1");
  EXPECT_FALSE(parsed({"-alloc", "0", "4"}).ok());
  EXPECT_FALSE(parsed({"-alloc", "2", "0"}).ok());
  EXPECT_FALSE(parsed({"-alloc", "4"}).ok());
  ReservationRequest wrong;
  wrong.allocation_rule = "$any", wrong.slots = {{1, 1}};
  EXPECT_FALSE(valid(wrong).ok());
  wrong.allocation_rule = "2", wrong.pe = "mpi";
  EXPECT_FALSE(valid(wrong).ok()) << "both";
}
