// Lines of metaschedulers (spec/metascheduler.md section 3).
#include "core/request/site_line.hpp"
#include "core/request/site_request.hpp"
#include "core/request/valid.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

using namespace almanac;

namespace {

std::string read(std::string_view text) {
  const auto [line, refusal] = parse_site_line(text);
  if (refusal) return std::to_string(refusal->status) + " " + refusal->message;
  std::string all(name_of(*line.verb));
  if (line.positional) all += " positional";
  for (const auto& [name, value] : line.tokens) all += " " + name + "|" + value;
  return all;
}

std::string meant(std::string_view text) {
  const auto [line, refusal] = parse_site_line(text);
  if (refusal) return std::to_string(refusal->status) + " " + refusal->message;
  const auto request = site_request(line, "");
  return request ? "fine" : std::to_string(request.error().status) + " " + request.error().message;
}

template <class T> T meaning(std::string_view text) {
  const auto reading = parse_site_line(text);
  EXPECT_FALSE(reading.refusal) << text;
  const auto request = site_request(reading.line, "");
  EXPECT_TRUE(request.ok()) << text;
  return std::get<T>(request->meaning);
}

const std::string setres = "SETRES USER=ann;TIMENEEDED=1H;STARTTIME=1700003600;NODES=2";

} // namespace

// M3.3 M3.9
TEST(GivenALine, WhenItIsReadThenItHasItsVerbAndItsTokens) {
  EXPECT_EQ(read("query user=ann;timeneeded=3600S;nodes=4;slots=2"),
            "QUERY USER|ann TIMENEEDED|3600S NODES|4 SLOTS|2");
  EXPECT_EQ(read("HELLO\r\n"), "HELLO");
  EXPECT_EQ(read("HELLO ID=1"), "HELLO ID|1");
  EXPECT_EQ(read("  STATUS USER = ann ; RESID = R7 ; \n"), "STATUS USER|ann RESID|R7");
  EXPECT_EQ(read("COMMIT RESID=R14;TXID=t77"), "COMMIT RESID|R14 TXID|t77");
}

// M3.7 M3.8
TEST(GivenALine, WhenItsFirstArgumentHasNoEqualsSignThenItIsPositional) {
  EXPECT_EQ(read("QUERY ann 3600S NODES=4,SLOTS=2"),
            "QUERY positional USER|ann TIMENEEDED|3600S NODES|4 SLOTS|2");
  EXPECT_EQ(read("RESQUERY ann 1H @EARLIEST=5,LATEST=9 R:12,R13 NODES=1,lic=2"),
            "RESQUERY positional USER|ann TIMENEEDED|1H TIMESPEC|EARLIEST=5,LATEST=9 "
            "RESACCESS|12,R13 NODES|1 RES|lic=2");
  EXPECT_EQ(read("SETRES ann 1H 1700003600 NODES=1"),
            "SETRES positional USER|ann TIMENEEDED|1H STARTTIME|1700003600 NODES|1");
  EXPECT_EQ(read("SETRES ann 1H"), "-12 missing token STARTTIME");
  EXPECT_EQ(read("QUERY ann"), "-12 missing token TIMENEEDED");
  EXPECT_EQ(read("COMMIT R14"), "-10 syntax: COMMIT has no positional form");
  EXPECT_EQ(read("QUERY ann 1H NODES"), "-10 syntax: \"NODES\" is not name=amount");
  EXPECT_EQ(read("QUERY ann 1H @DAYS=mon NODES=1"), "-11 unknown token TIMESPEC");
  EXPECT_EQ(read("HELLO ;"), "-10 syntax: \"\" is not NAME=value");
  EXPECT_EQ(read("QUERY ann;NODES=1"), "-10 syntax: \"ann\" is not NAME=value");
}

// M8.2
TEST(GivenALine, WhenItCannotBeReadThenTheStatusIsMinusTen) {
  EXPECT_EQ(read(""), "-10 syntax: the line is empty");
  EXPECT_EQ(read(" \r\n"), "-10 syntax: the line is empty");
  EXPECT_EQ(read("QUERY USER=ann;;NODES=1"), "-10 syntax: \"\" is not NAME=value");
  EXPECT_EQ(read(std::string("HELLO ID=a\0b", 12)), "-10 syntax: the line has a control character");
  EXPECT_EQ(read("HELLO ID=\xff"), "-10 syntax: the line is not UTF-8");
  EXPECT_EQ(read("HELLO ID=1\nHELLO ID=2"), "-10 syntax: the line has a control character");
  EXPECT_EQ(read("HELLO " + std::string(65'536, ';')).substr(0, 20), "-10 syntax: the line");
  EXPECT_EQ(read("HELLO " + std::string(60'000, ';')).substr(0, 11), "-10 syntax:");
  EXPECT_EQ(read("HELLO ID=" + std::string(65'536 - 9, 'x')).substr(0, 10), "HELLO ID|x");
}

// M8.3 M8.4 M8.6 M3.4 M3.5 M3.6
TEST(GivenALine, WhenATokenIsUnknownOrMissingOrRepeatedThenItIsNamed) {
  EXPECT_EQ(read("DANCE USER=ann"), "-14 unknown verb DANCE");
  EXPECT_EQ(read(setres + ";COLOUR=red"), "-11 unknown token COLOUR");
  EXPECT_EQ(read(setres + ";GRAIN=5"), "-11 unknown token GRAIN") << "it is of RESQUERY";
  EXPECT_EQ(read(setres + ";X_COLOUR=red").substr(0, 6), "SETRES");
  EXPECT_EQ(read(setres + ";NODES=3"), "-10 syntax: NODES is repeated");
  EXPECT_EQ(read(setres + ";RES=a=1;RES=b=2").substr(0, 6), "SETRES");
  EXPECT_EQ(read("COMMIT TXID=t"), "-12 missing token RESID");
  EXPECT_EQ(read("QUERY USER=ann;TIMENEEDED=1S"), "-12 missing token RES") << "M3.14";
}

// M3.35
TEST(GivenEachVerb, WhenATokenThatItNeedsIsMissingThenThatOneIsNamed) {
  for (const auto& row : site_tokens())
    for (int i = 0; i <= static_cast<int>(last_of<SiteVerb>); ++i) {
      const auto verb = static_cast<SiteVerb>(i);
      if (!row.required_by.contains(verb)) continue;
      SiteLine line{verb, false, {{"NODES", "1"}}};
      if (verb > SiteVerb::setres) line.tokens.clear();
      for (const auto& other : site_tokens())
        if (other.required_by.contains(verb) && other.name != row.name)
          line.tokens.push_back({std::string(other.name), "1"});
      EXPECT_EQ(read(print_site_line(line)), "-12 missing token " + std::string(row.name))
          << name_of(verb);
    }
}

namespace {

// With all that the verb needs, each with a value that makes sense.
SiteLine whole_line(SiteVerb verb) {
  SiteLine line{verb, false, {}};
  const auto add = [&](const char* name, const char* value) {
    const auto* row = find_site_token(name);
    if (row->required_by.contains(verb)) line.tokens.push_back({name, value});
  };
  add("USER", "ann"), add("TIMENEEDED", "1H"), add("STARTTIME", "1700003600"), add("RESID", "R7");
  if (verb <= SiteVerb::setres) line.tokens.push_back({"NODES", "1"});
  return line;
}

template <class Look> void each_verb_and_token(Look look) {
  for (int i = 0; i <= static_cast<int>(last_of<SiteVerb>); ++i) {
    const auto verb = static_cast<SiteVerb>(i);
    EXPECT_EQ(meant(print_site_line(whole_line(verb))), "fine") << name_of(verb);
    for (const auto& row : site_tokens()) look(verb, row, std::string(row.name));
  }
}

std::string with_token(SiteVerb verb, const std::string& name, const std::string& value) {
  auto line = whole_line(verb);
  std::erase_if(line.tokens, [&](const Attribute& token) { return token.name == name; });
  line.tokens.push_back({name, value});
  return print_site_line(line);
}

} // namespace

// M3.4, M3.5, M3.14, M8.2, M8.3, M10.7
TEST(GivenEachVerb, WhenATokenIsDoubledOrOfAnotherVerbThenItIsRefusedByName) {
  each_verb_and_token([](SiteVerb verb, const SiteToken& row, const std::string& name) {
    const auto twice = with_token(verb, name, "1") + ";" + name + "=1";
    if (!row.verbs.contains(verb)) {
      EXPECT_EQ(read(twice).substr(0, 4), "-11 ") << twice;
      EXPECT_EQ(read(with_token(verb, name, "1")), "-11 unknown token " + name);
    } else if (name == "RES") {
      EXPECT_EQ(read(twice).substr(0, 4), name_of(verb).substr(0, 4));
    } else {
      EXPECT_EQ(read(twice), "-10 syntax: " + name + " is repeated");
    }
  });
}

// M8.5, M3.9, M3.34. Patterns and resources may be as long as the line.
TEST(GivenEachVerb, WhenAValueIsFarTooLongThenItsTokenIsNamed) {
  const std::set<std::string> may_be_long{"RES", "PE", "ARCH", "HOSTS", "QUEUE"};
  std::string list;
  for (int i = 0; i < 30'000; ++i) list += "a,";
  each_verb_and_token([&](SiteVerb verb, const SiteToken& row, const std::string& name) {
    if (!row.verbs.contains(verb)) return;
    for (const auto& value : {std::string(60'000, 'x'), std::string(60'000, '9'), list}) {
      const auto said = meant(with_token(verb, name, value));
      if (said == "fine") EXPECT_TRUE(may_be_long.contains(name)) << name_of(verb) << " " << name;
      else EXPECT_EQ(said, "-13 bad value for " + name) << name_of(verb) << " " << value[0];
    }
  });
  EXPECT_EQ(meant("HELLO ID=" + std::string(512, 'x')), "fine");
}

// M1.7, M8.5: each unit but those that there are, and none
TEST(GivenEachVerb, WhenALengthHasNoUnitOrAnotherOneThenItIsRefused) {
  for (const auto verb :
       {SiteVerb::query, SiteVerb::resquery, SiteVerb::resqandset, SiteVerb::setres})
    for (const auto* value : {"3600", "1W", "1MIN", "1 H", "1H:", "H", "60S:REAL", "-1H", "1e3S"})
      EXPECT_EQ(meant(with_token(verb, "TIMENEEDED", value)), "-13 bad value for TIMENEEDED")
          << name_of(verb) << " " << value;
}

// M1.14, M3.7, M3.8, M11.7: the positional form is those tokens, so that both mean the same
TEST(GivenThePositionalForm, WhenItIsReadThenItIsThoseTokens) {
  const auto tokens = [](std::string_view text) {
    const auto reading = parse_site_line(text);
    EXPECT_FALSE(reading.refusal) << text;
    EXPECT_TRUE(reading.line.positional) << text;
    return print_site_line(reading.line);
  };
  EXPECT_EQ(tokens("QUERY ann 3600S NODES=4,SLOTS=2"),
            "QUERY USER=ann;TIMENEEDED=3600S;NODES=4;SLOTS=2");
  EXPECT_EQ(tokens("RESQUERY ann 1H @EARLIEST=5,HOURS=8-18 R:12,R13 NODES=1,lic=2,mem=1G"),
            "RESQUERY USER=ann;TIMENEEDED=1H;TIMESPEC=EARLIEST=5,HOURS=8-18;RESACCESS=12,R13;"
            "NODES=1;RES=lic=2;MEM=1G");
  EXPECT_EQ(tokens("RESQANDSET ann 1H R:12 SLOTS=6"),
            "RESQANDSET USER=ann;TIMENEEDED=1H;RESACCESS=12;SLOTS=6");
  EXPECT_EQ(tokens("QUERY ann 1H RES=hold=60,NODES=1,ID=7,X_A=1"),
            "QUERY USER=ann;TIMENEEDED=1H;RES=hold=60;NODES=1;ID=7;X_A=1");
  for (const auto* name : {"HOLD", "MAXRANGES", "TXID", "USER", "STARTTIME"})
    EXPECT_EQ(read("RESQUERY ann 1H NODES=1," + std::string(name) + "=1"),
              "-11 unknown token " + std::string(name))
        << "no resource is called so";
  EXPECT_EQ(tokens("SETRES ann 10H:CPU NOW R:12 NODES=1"),
            "SETRES USER=ann;TIMENEEDED=10H\\:CPU;STARTTIME=NOW;RESACCESS=12;NODES=1");
}

TEST(GivenEchoedTokens, WhenTheyAreWantedThenTheyAreAList) {
  EXPECT_EQ(parse_site_line("HELLO ECHO=1;X_A=1;X_B=a\\;b").line.echo(), "X_A=1;X_B=a\\;b");
  EXPECT_EQ(parse_site_line("HELLO ECHO=0;X_A=1").line.echo(), "");
  EXPECT_EQ(parse_site_line("HELLO X_A=1").line.echo(), "");
}

// M3.10
TEST(GivenATimeNeeded, WhenItIsReadThenItsUnitIsGiven) {
  const auto seconds = [](std::string_view text) {
    const auto found = parse_time_needed(text);
    return found ? found->time.seconds * (found->is_cpu ? -1 : 1) : 0;
  };
  EXPECT_EQ(seconds("90S"), 90);
  EXPECT_EQ(seconds("2M"), 120);
  EXPECT_EQ(seconds("2h:wall"), 7200);
  EXPECT_EQ(seconds("1D"), 86'400);
  EXPECT_EQ(seconds("10H:CPU"), -36'000);
  for (const auto* bad : {"", "S", "2", "0S", "-1S", "1.5H", "2X", "2H:", "2H:GPU", "2H:WALL:CPU",
                          "99999999999999999999S", "36526D", "9223372036854775807H"})
    EXPECT_EQ(seconds(bad), 0) << bad;
}

// M3.12
TEST(GivenATimeSpec, WhenItIsReadThenEachPartIsThereOnce) {
  const auto all =
      parse_time_spec("EARLIEST=100,latest=900,ENDBY=1000,DAYS=mon-fri+sun,HOURS=08-18");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->earliest, Instant{100});
  EXPECT_EQ(all->latest, Instant{900});
  EXPECT_EQ(all->end_by, Instant{1000});
  EXPECT_EQ(all->days, 0b0111111);
  EXPECT_EQ(all->from_hour, 8);
  EXPECT_EQ(all->to_hour, 18);
  EXPECT_EQ(parse_time_spec("DAYS=fri-mon")->days, 0b1100011);
  for (const auto* bad : {"", "EARLIEST", "EARLIEST=", "EARLIEST=now", "EARLIEST=-5", "LATEST=0",
                          "EARLIEST=1,EARLIEST=2", "EARLIEST=9,LATEST=8", "DAYS=", "DAYS=monday",
                          "DAYS=mon-", "HOURS=8", "HOURS=8-8", "HOURS=8-25", "HOURS=24-3",
                          "COLOUR=1", "EARLIEST=1,", "LATEST=253402300800"})
    EXPECT_FALSE(parse_time_spec(bad)) << bad;
}

// M8.5
TEST(GivenAValue, WhenItMakesNoSenseThenItsTokenIsNamed) {
  const auto bad = [](const std::string& token) { return "-13 bad value for " + token; };
  EXPECT_EQ(meant(setres), "fine");
  EXPECT_EQ(meant("SETRES USER=ann;TIMENEEDED=2;STARTTIME=5;NODES=2"), bad("TIMENEEDED"));
  EXPECT_EQ(meant("SETRES USER=ann;TIMENEEDED=2H;STARTTIME=tomorrow;NODES=2"), bad("STARTTIME"));
  EXPECT_EQ(meant("SETRES USER=ann;TIMENEEDED=2H;STARTTIME=-1;NODES=2"), bad("STARTTIME"));
  EXPECT_EQ(meant("SETRES USER=;TIMENEEDED=2H;STARTTIME=5;NODES=2"), bad("USER"));
  EXPECT_EQ(meant("SETRES USER=ann;TIMENEEDED=2H;STARTTIME=NOW;NODES=2"), "fine");
  for (const auto* token :
       {"SLOTS=0",  "SLOTS=x",    "SLOTS=9999999", "RESACCESS=x",  "RESACCESS=", "RES=",
        "MEM=much", "HOSTS=a,,b", "QUEUE=",        "L=mem",        "L=:5",       "EXCLUSIVE=2",
        "HOLD=-1",  "HOLD=1H",    "TXID=",         "PUBKEY=short", "NAME=7",     "NAME=R7",
        "ACL=a,,b", "ECHO=2",     "ID=",           "OS=",          "PE="})
    EXPECT_EQ(meant(setres + ";" + token),
              bad(std::string(token).substr(0, std::string(token).find('='))))
        << token;
  EXPECT_EQ(meant(setres + ";TXID=" + std::string(65, 't')), bad("TXID"));
  EXPECT_EQ(meant(setres + ";PE=mpi;EXCLUSIVE=1"), bad("EXCLUSIVE"));
  const std::string resquery = "RESQUERY USER=ann;TIMENEEDED=1H;NODES=2";
  for (const auto* token : {"MAXRANGES=0", "MAXRANGES=1001", "MINLEN=-1", "GRAIN=0", "TIMESPEC=x"})
    EXPECT_EQ(meant(resquery + ";" + token),
              bad(std::string(token).substr(0, std::string(token).find('='))))
        << token;
  // Bytes have one text: its unused bits are 0 (M3.30).
  for (const auto& key : {std::string(43, '_'), std::string(42, 'A') + "B", std::string(44, 'A'),
                          std::string(42, 'A') + "=", std::string(42, 'A')})
    EXPECT_EQ(meant(setres + ";PUBKEY=" + key), bad("PUBKEY")) << key;
  EXPECT_EQ(meant(setres + ";PUBKEY=" + std::string(42, '_') + "8"), "fine");
  EXPECT_EQ(meant("STATUS RESID=x"), bad("RESID"));
  EXPECT_EQ(meant("STATUS RESID=0"), bad("RESID"));
}

// M3.10: the CPU time is that of all slots together.
TEST(GivenCpuTime, WhenItIsForSeveralSlotsThenEachHasItsPart) {
  const auto query = meaning<StartsQuery>("RESQUERY USER=ann;TIMENEEDED=10H:CPU;NODES=1;SLOTS=4");
  EXPECT_EQ(query.request.duration, Duration{9000});
  const auto odd = meaning<StartsQuery>("RESQUERY USER=ann;TIMENEEDED=10S:CPU;NODES=3");
  EXPECT_EQ(odd.request.duration, Duration{4}) << "rounded up";
}

// M3.11, M3.15 to M3.24 (M3.16, M3.17, M3.18, M3.19, M3.20, M3.21, M3.22, M3.23), M3.32, M3.33
TEST(GivenResources, WhenAReservationIsWantedThenItAsksForThem) {
  const auto set = meaning<ReserveEarliest>(
      setres + ";SLOTS=4;MEM=2G;SWAP=1G;DISK=9G;ARCH=lx-amd64;OS=linux;HOSTS=n1,n2;QUEUE=all.q,"
               "fast.q;L=lic\\:2;"
               "RES=gpu=1;PROJECT=p;ACCOUNT=acc;NAME=run;ACL=bob,@team;HOLD=120;TXID=t77");
  const auto& request = set.prepare.request;
  EXPECT_EQ(request.nodes, 2);
  EXPECT_EQ(request.node_slots, 4);
  EXPECT_EQ(request.start, Instant{1'700'003'600});
  EXPECT_EQ(request.duration, Duration{3600});
  EXPECT_EQ(request.queues,
            (std::vector<std::string>{"all.q@n1", "all.q@n2", "fast.q@n1", "fast.q@n2"}));
  EXPECT_EQ(request.resources, (std::vector<Attribute>{{"gpu", "1"},
                                                       {"lic", "2"},
                                                       {"mem_total", "2G"},
                                                       {"swap_total", "1G"},
                                                       {"disk", "9G"},
                                                       {"arch", "lx-amd64"}}));
  EXPECT_EQ(request.os, "linux");
  EXPECT_EQ(request.users, (std::vector<std::string>{"bob", "@team"}));
  EXPECT_EQ(request.name + request.project + request.account, "runpacc");
  EXPECT_EQ(set.prepare.hold_for, Duration{120});
  EXPECT_EQ(set.prepare.transaction, "t77");
  const auto by_pe =
      meaning<StartsQuery>("RESQUERY USER=ann;TIMENEEDED=1H;NODES=2;SLOTS=3;PE=mpi").request;
  EXPECT_EQ(by_pe.nodes, 0);
  EXPECT_EQ(by_pe.pe + by_pe.pe_rule, "mpi3");
  EXPECT_EQ(by_pe.slots, (std::vector<SlotRange>{{6, 6}}));
  const auto total = meaning<StartsQuery>("RESQUERY USER=ann;TIMENEEDED=1H;SLOTS=6").request;
  EXPECT_EQ(total.allocation_rule, "$fill_up");
  const auto whole =
      meaning<StartsQuery>("RESQUERY USER=ann;TIMENEEDED=1H;NODES=2;EXCLUSIVE=1").request;
  EXPECT_TRUE(whole.whole_nodes);
  EXPECT_EQ(whole.node_slots, 0);
}

TEST(GivenResources, WhenAJobIsMeantThenItAsksForThem) {
  const auto query = meaning<WhenQuery>("QUERY ann 3600S NODES=4,SLOTS=2").request;
  EXPECT_EQ(query.allocation_rule, "2");
  EXPECT_EQ(query.slots, (std::vector<SlotRange>{{8, 8}}));
  EXPECT_EQ(query.resources, (std::vector<Attribute>{{"h_rt", "3600"}}));
  EXPECT_TRUE(valid(query).ok()) << valid(query).what();
}

// M3.14, M8.5: TIMENEEDED takes the place of h_rt in a QUERY, so nobody else looks at its value.
TEST(GivenEachOfTheFirstFour, WhenARunTimeMakesNoSenseThenItsTokenIsNamed) {
  for (const auto verb :
       {SiteVerb::query, SiteVerb::resquery, SiteVerb::resqandset, SiteVerb::setres})
    for (const auto* value : {"abc", "-1", "1e5"}) {
      EXPECT_EQ(meant(with_token(verb, "RES", "h_rt=" + std::string(value))),
                "-13 bad value for RES")
          << name_of(verb) << " " << value;
      EXPECT_EQ(meant(with_token(verb, "L", "h_rt:" + std::string(value))), "-13 bad value for L");
      EXPECT_EQ(meant(with_token(verb, "RES", "h_rt=1:0:0")), "fine");
    }
}

// M3.16, M3.24: without NODES, SLOTS are all of them, and whole nodes are counted.
TEST(GivenSlotsWithoutNodes, WhenASystemOrWholeNodesAreWantedThenTheyAreATotalAllTheSame) {
  const std::string resquery = "RESQUERY USER=ann;TIMENEEDED=1H;SLOTS=4";
  const auto request = meaning<StartsQuery>(resquery + ";OS=linux").request;
  EXPECT_EQ(request.nodes, 0);
  EXPECT_EQ(request.allocation_rule, "$fill_up");
  EXPECT_EQ(request.slots, (std::vector<SlotRange>{{4, 4}}));
  EXPECT_EQ(request.os, "");
  EXPECT_EQ(request.resources,
            (std::vector<Attribute>{{"arch", "linux|linux-*|lx|lx-*|ulx|ulx-*"}}));
  EXPECT_EQ(meaning<StartsQuery>(resquery + ";PE=mpi;OS=darwin").request.resources,
            (std::vector<Attribute>{{"arch", "darwin|darwin-*"}}));
  for (const auto verb :
       {SiteVerb::query, SiteVerb::resquery, SiteVerb::resqandset, SiteVerb::setres}) {
    auto line = whole_line(verb);
    std::erase_if(line.tokens, [](const Attribute& token) { return token.name == "NODES"; });
    const auto text = print_site_line(line) + ";EXCLUSIVE=1;SLOTS=";
    EXPECT_EQ(meant(text + "4"), "-12 missing token NODES") << text;
    EXPECT_EQ(meant(text + "1"), "fine") << text;
  }
  const auto one = meaning<StartsQuery>("RESQUERY USER=ann;TIMENEEDED=1H;SLOTS=1;EXCLUSIVE=1");
  EXPECT_EQ(one.request.nodes, 1);
  EXPECT_TRUE(one.request.whole_nodes);
}

// M3.19, M3.24: a job asks for what every cell has, and where it cannot, its token is known.
TEST(GivenAQuery, WhenASystemIsWantedThenTheJobAsksForItsArchitectures) {
  const std::string query = "QUERY USER=ann;TIMENEEDED=60S;NODES=1";
  EXPECT_EQ(meaning<WhenQuery>(query + ";OS=lx").request.resources,
            (std::vector<Attribute>{{"h_rt", "60"}, {"arch", "lx|lx-*"}}));
  EXPECT_EQ(meaning<WhenQuery>(query + ";OS=lx;ARCH=*64").request.resources,
            (std::vector<Attribute>{{"arch", "*64"}, {"h_rt", "60"}, {"arch", "(*64)&(lx|lx-*)"}}));
  for (const auto* name : {"l*", "(lx", "a|b", "!lx", "l?", "[l]x", "a&b", "\\\\x"})
    EXPECT_EQ(meant(query + ";OS=" + name), "-13 bad value for OS") << name;
}

TEST(GivenAResource, WhenItsValueIsBadThenTheTokenIsThatWhichAskedForIt) {
  const auto [line, refusal] = parse_site_line(
      "QUERY USER=ann;TIMENEEDED=60S;RES=gpu=x,disk=5;L=lic\\:y,mt\\:z;MEM=1G;EXCLUSIVE=1");
  ASSERT_FALSE(refusal) << refusal->message;
  const std::pair<const char*, const char*> rows[]{{"gpu", "RES"},
                                                   {"lic", "L"},
                                                   {"mt", "L"},
                                                   {"mem_total", "MEM"},
                                                   {"disk", "RES"},
                                                   {"arch", "RES"},
                                                   {"exclusive", "EXCLUSIVE"}};
  for (const auto& [resource, token] : rows)
    EXPECT_EQ(token_of_resource(line, resource), token) << resource;
  EXPECT_EQ(token_of_resource(SiteLine(), "gpu"), "RES");
}

RC_GTEST_PROP(GivenAnyLine, WhenItIsPrintedThenItIsReadBackAsItWas, ()) {
  SiteLine line{static_cast<SiteVerb>(*rc::gen::inRange(0, 11)), false, {}};
  for (const auto& row : site_tokens()) {
    const bool is_needed = row.required_by.contains(*line.verb) || row.name == "NODES";
    if (!row.verbs.contains(*line.verb) || (!is_needed && *rc::gen::inRange(0, 3) != 0)) continue;
    const auto character = rc::gen::elementOf(std::string("aZ09 ;:#\\=,\n"));
    line.tokens.push_back({std::string(row.name), *rc::gen::container<std::string>(character)});
  }
  const auto [read, refusal] = parse_site_line(print_site_line(line));
  RC_ASSERT(!refusal);
  RC_ASSERT(read.verb == line.verb);
  RC_ASSERT(read.tokens == line.tokens);
  const auto request = site_request(read, "t");
  const int status = request.ok() ? 0 : request.error().status;
  RC_ASSERT(status == 0 || status == -12 || status == -13); // -12: EXCLUSIVE without NODES
}
