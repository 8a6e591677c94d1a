#include "core/request/submit_options.hpp"
#include "core/request/valid.hpp"
#include "core/text/resource_list.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

SubmitSite place() {
  return {"/work", {{"HOME", "/home/a"}, {"A", "1"}}, [](const DateTime&) -> Result<Instant> {
            return Instant{77};
          }};
}

Result<SubmitOptions> parse(const std::vector<std::string>& words, const std::string& script = "") {
  return parse_submission(words, place(),
                          {[&](const std::string&) -> Result<std::string> { return script; }});
}

} // namespace

// Not all queues: an unset variable of a script stood there.
TEST(GivenAnEmptyListOfQueues, WhenAJobIsSubmittedThenItIsRefusedAndQalterTakesTheListAway) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"-q", ""}, {"-soft", "-q", ""}, {"-masterq", ""}}) {
    auto all = words;
    all.insert(all.end(), {"-b", "y", "x"});
    EXPECT_EQ(parse(all).what(), "option " + words[words.size() - 2] + " : no queue is named");
  }
  EXPECT_EQ(parse({"job.sh"}, "#$ -q ''\n").what(), "in the script: option -q : no queue is named");
  const auto given = parse_options({"-q", "", "7"}, alter_option_rules(), Operands::anywhere);
  const auto altered = parse_job_alteration(*given, place(), {});
  ASSERT_TRUE(altered.ok()) << altered.what();
  EXPECT_TRUE(altered->was_given("-q") && altered->request.queues.empty());
}

TEST(GivenAScriptWithOptions, WhenSubmittedThenTheCommandLineWins) {
  const auto parsed =
      parse({"-N", "line", "-l", "h_rt=5", "-q", "b.q", "job.sh", "x", "-y"},
            "#!/bin/sh\n#$ -N script -l h_rt=9,mem=1G\n#$ -q a.q -q c.q\n#$\n#$ -j y\n");
  ASSERT_TRUE(parsed.ok()) << parsed.what();
  const auto& request = parsed->request;
  EXPECT_EQ(request.name, "line");
  EXPECT_EQ(print_resource_requests(request.resources), "h_rt=5,mem=1G");
  EXPECT_EQ(request.queues, std::vector<std::string>{"b.q"});
  EXPECT_TRUE(request.join);
  EXPECT_EQ(request.arguments, (std::vector<std::string>{"x", "-y"}));
}

TEST(GivenNoName, WhenSubmittedThenItComesFromTheScriptOrIsStdin) {
  EXPECT_EQ(parse({"/a/b/job.sh"})->request.name, "job.sh");
  EXPECT_EQ(parse({})->request.name, "STDIN");
  EXPECT_EQ(parse({"-"})->request.name, "STDIN");
  EXPECT_EQ(parse({"-b", "y", "/bin/echo", "a b"})->request.name, "echo");
  EXPECT_EQ(parse({"1st.sh"})->request.name, "1st.sh");
}

TEST(GivenAHost, WhenNobodyExportsItsNameThenTheJobIsToldNevertheless) {
  auto site = place();
  site.host = "login1";
  const auto host_of = [](const SubmitSite& at) {
    const auto parsed = parse_submission({"-b", "y", "x"}, at, {});
    for (const auto& entry : parsed->request.origin)
      if (entry.name == "SGE_O_HOST") return entry.value;
    return std::string();
  };
  EXPECT_EQ(host_of(site), "login1");
  site.environment.push_back({"HOSTNAME", "named"});
  EXPECT_EQ(host_of(site), "named");
  EXPECT_EQ(host_of(place()), "");
}

// R11.31
TEST(GivenTheNameOfAReservation, WhenItIsSubmittedIntoThenItsNumberIsMeant) {
  auto site = place();
  int asked = 0;
  site.reservation_called =
      [&](const std::string& name) -> Result<std::optional<ReservationNumber>> {
    ++asked;
    if (name == "twice") return Error{"two are called so"};
    if (name == "course") return std::optional(ReservationNumber{7});
    return std::optional<ReservationNumber>();
  };
  const auto into = [&](const std::string& name) {
    return parse_submission({"-ar", name, "-b", "y", "x"}, site, {});
  };
  EXPECT_EQ(into("course")->request.reservation, ReservationNumber{7});
  EXPECT_FALSE(into("course")->request.stays_outside);
  EXPECT_EQ(into("twice").what(), "two are called so");
  EXPECT_EQ(into("nosuch").what(), "invalid advance reservation id, must be an unsigned integer");
  asked = 0;
  for (const char* number : {"12", "R12", "0"}) EXPECT_TRUE(into(number).ok()) << number;
  for (const char* no_name : {"c*", "1st", ""}) EXPECT_FALSE(into(no_name).ok()) << no_name;
  EXPECT_EQ(asked, 0) << "none of these is a name";
}

// C1.20
TEST(GivenAForgottenValue, WhenTheNextWordIsAnOptionThenItIsNotTakenForIt) {
  EXPECT_EQ(parse({"-l", "-b", "y", "x"}).what(), "option -l needs 1 value, and -b is an option");
  EXPECT_EQ(parse({"-pe", "fill", "-b", "y", "x"}).what(),
            "option -pe needs 2 values, and -b is an option");
  EXPECT_EQ(parse({"-N", "-x", "job.sh"}).what(),
            "option -N needs 1 value, and -x looks like an option");
  EXPECT_EQ(parse({"-N", "--", "x"}).what(), "option -N needs 1 value, and -- is an option");
  EXPECT_EQ(parse({"-p", "-5", "-b", "y", "x"})->request.priority, -5) << "no option is so called";
  EXPECT_EQ(parse({"-C", "--$", "-b", "y", "x"})->prefix, "--$");
  EXPECT_EQ(parse({"-N", "a-x", "-b", "y", "x"})->request.name, "a-x");
  EXPECT_EQ(parse({"-b", "y", "x", "-l"})->request.arguments, std::vector<std::string>{"-l"});
}

TEST(GivenExports, WhenSubmittedThenValuesComeFromTheEnvironmentOrTheList) {
  const auto parsed = parse({"-v", "A,B=2,C", "x"});
  EXPECT_EQ(print_resource_requests(parsed->request.environment), "A=1,B=2,C=");
}

TEST(GivenSoftAndHard, WhenGivenThenTheyHoldForWhatFollows) {
  const auto parsed = parse({"-q", "a.q", "-soft", "-l", "mem=1", "-q", "b.q", "-q", "c.q", "-hard",
                             "-l", "disk=2", "-masterq", "m.q", "x"});
  const auto& request = parsed->request;
  EXPECT_EQ(print_resource_requests(request.resources), "disk=2");
  EXPECT_EQ(print_resource_requests(request.soft_resources), "mem=1");
  EXPECT_EQ(request.queues, std::vector<std::string>{"a.q"});
  EXPECT_EQ(request.soft_queues, (std::vector<std::string>{"b.q", "c.q"}));
  EXPECT_EQ(request.master_queues, std::vector<std::string>{"m.q"});
}

TEST(GivenABinaryCommand, WhenNoShellIsWantedThenTheRequestSaysSo) {
  EXPECT_TRUE(parse({"-b", "y", "-shell", "n", "sleep", "1"})->request.direct);
  EXPECT_FALSE(parse({"-b", "y", "-shell", "y", "sleep", "1"})->request.direct);
  EXPECT_FALSE(parse({"-shell", "maybe", "x"}).ok());
}

// C3.53.
TEST(GivenAScope, WhenGivenThenItHoldsForTheQueuesAndResourcesThatFollow) {
  const auto parsed =
      parse({"-q",     "a.q",    "-scope", "master", "-q",  "m.q",     "-l",       "arch=a",
             "-scope", "slave",  "-l",     "arch=b", "-q",  "s.q,t.q", "-masterq", "n.q",
             "-scope", "global", "-l",     "h_rt=1", "-pe", "mpi",     "4",        "x"});
  ASSERT_TRUE(parsed.ok()) << parsed.what();
  const auto& request = parsed->request;
  EXPECT_EQ(request.queues, std::vector<std::string>{"a.q"});
  EXPECT_EQ(request.master_queues, (std::vector<std::string>{"m.q", "n.q"}));
  EXPECT_EQ(request.slave_queues, (std::vector<std::string>{"s.q", "t.q"}));
  EXPECT_EQ(print_resource_requests(request.resources), "h_rt=1");
  EXPECT_EQ(print_resource_requests(request.master_resources), "arch=a");
  EXPECT_EQ(print_resource_requests(request.slave_resources), "arch=b");
  EXPECT_EQ(parse({"-scope", "all", "x"}).what(),
            "option -scope all: global, master or slave is expected");
  EXPECT_EQ(parse({"-soft", "-scope", "slave", "-q", "a.q", "x"}).what(),
            "option -q a.q: soft requests are for the whole job: -scope global or -hard first");
}

// C3.56: the shell takes a '$' for its own, so it may be missing.
TEST(GivenAJobOfAPE, WhenARuleIsAskedForThenItIsReadAsThatOfAPE) {
  const auto rule = [](const std::string& text) {
    return parse({"-pe", "mpi", "4", "-par", text, "-b", "y", "x"})->request.pe_rule;
  };
  EXPECT_EQ(rule("2"), "2");
  EXPECT_EQ(rule("fill_up"), "$fill_up");
  EXPECT_EQ(rule("$round_robin"), "$round_robin");
  EXPECT_EQ(rule("NONE"), "");
  EXPECT_EQ(parse({"-par", "any", "-b", "y", "x"}).what(),
            "option -par any: \"any\" is not $pe_slots, $fill_up, $round_robin or a number from 1");
  EXPECT_FALSE(parse({"-par", "0", "-b", "y", "x"}).ok());
  JobRequest wrong;
  wrong.name = "x", wrong.pe_rule = "$any";
  EXPECT_FALSE(valid(wrong).ok());
}

// C3.51.
TEST(GivenABindingToCores, WhenItsInstanceIsMissingThenTheWordBehindItIsTheCommand) {
  const auto short_form = parse({"-binding", "linear:2", "job.sh"});
  ASSERT_TRUE(short_form.ok()) << short_form.what();
  EXPECT_EQ(short_form->request.binding, "set linear:2");
  EXPECT_EQ(short_form->command, std::vector<std::string>{"job.sh"});
  const auto long_form = parse({"-binding", "env", "linear", "job.sh"});
  ASSERT_TRUE(long_form.ok()) << long_form.what();
  EXPECT_EQ(long_form->request.binding, "env linear:slots");
  EXPECT_EQ(long_form->command, std::vector<std::string>{"job.sh"});
  EXPECT_FALSE(parse({"-binding", "job.sh"}).ok());
  EXPECT_FALSE(parse({"-binding", "pe"}).ok());
}

TEST(GivenAnOptionThatIsNotBuilt, WhenGivenThenItIsToldFromOneThatNobodyKnows) {
  const auto what = [](const auto& parsed) { return parsed.error().what; };
  EXPECT_NE(what(parse({"-display", "y", "x"})).find("is not built yet"), std::string::npos);
  EXPECT_NE(what(parse({"x"}, "#$ -display y\n")).find("is not built yet"), std::string::npos);
  EXPECT_EQ(what(parse({"-x", "x"})).find("is not built yet"), std::string::npos);
}

TEST(GivenMalformedOptions, WhenSubmittedThenTheErrorNamesOptionAndValue) {
  const std::vector<std::vector<std::string>> cases{{"-x"},
                                                    {"-t", "0-3"},
                                                    {"-p", "9999"},
                                                    {"-pe", "mpi", "0"},
                                                    {"-l", "=3"},
                                                    {"-a", "banana"},
                                                    {"-j", "maybe"},
                                                    {"-w", "q"},
                                                    {"-S", "bash"},
                                                    {"-N"},
                                                    {"-m", "x"},
                                                    {"-M", ""},
                                                    {"-hard", "-jsv"},
                                                    {"-now", "soon"},
                                                    {"-js", "-1"},
                                                    {"-ot", "many"},
                                                    {"-sync", "z"},
                                                    {"-c", "q"},
                                                    {"-c", "ss"},
                                                    {"-c", "0"},
                                                    {"-ckpt", ""},
                                                    {"-ac", ""},
                                                    {"-ac", "=1"},
                                                    {"-sc", ","},
                                                    {"-hold_jid_ad", "1,,2"},
                                                    {"-@", "file"}};
  for (auto words : cases) {
    words.push_back("job.sh");
    if (words.front() == "-N") words = {"-N"};
    const auto parsed = parse(words);
    ASSERT_FALSE(parsed.ok()) << words.front();
    EXPECT_NE(parsed.what().find(words.front() == "-hard" ? "-jsv" : words.front()),
              std::string::npos)
        << parsed.what();
  }
  EXPECT_EQ(parse({"-ar", "-1", "x"}).what(),
            "invalid advance reservation id, must be an unsigned integer");
  EXPECT_NE(parse({"x"}, "#$ -t nonsense\n").what().find("in the script"), std::string::npos);
  EXPECT_EQ(parse({"x"}, "#$ -N a word\n").what(),
            "in the script: invalid option argument \"word\"");
  EXPECT_EQ(parse({"x"}, "#$ -N a # a comment -t 1-2\n")->request.name, "a");
  EXPECT_FALSE(parse({"x"}, "#$ -N a # -t 1-2\n")->request.tasks.is_array());
}

namespace {

// Of a file: "-l a=1 -q b.q" as read_default_file() makes it.
std::vector<GivenOption> file(const std::vector<std::string>& words) {
  return parse_options(words, submit_option_rules(), Operands::anywhere)->options;
}

Result<SubmitOptions> parse_with(const std::vector<std::string>& words, const std::string& script,
                                 std::vector<std::vector<GivenOption>> defaults) {
  const auto options_of = [](const std::string& path) -> Result<std::vector<GivenOption>> {
    if (path == "more") return file({"-N", "more", "-q", "m.q"});
    if (path == "nested") return file({"-@", "more"});
    return Error{"can't read " + path};
  };
  return parse_submission(words, place(),
                          {[&](const std::string&) -> Result<std::string> { return script; },
                           options_of, std::move(defaults)});
}

} // namespace

// C3.2 to C3.4.
TEST(GivenRequestFiles, WhenSubmittedThenALaterSourceWins) {
  const std::vector<std::vector<GivenOption>> files{
      file({"-l", "h_rt=1,mem=1G", "-q", "cell.q", "-q", "other.q", "-N", "cell", "-A", "a"}),
      file({"-l", "h_rt=2", "-N", "home"}), file({"-N", "here"})};
  const auto plain = parse_with({"job.sh"}, "", files);
  EXPECT_EQ(plain->request.name, "here");
  EXPECT_EQ(print_resource_requests(plain->request.resources), "h_rt=2,mem=1G");
  EXPECT_EQ(plain->request.queues, (std::vector<std::string>{"cell.q", "other.q"}));
  EXPECT_EQ(plain->request.account, "a");
  const auto script = parse_with({"-l", "h_rt=4", "job.sh"}, "#$ -l h_rt=3 -q s.q -N s\n", files);
  EXPECT_EQ(print_resource_requests(script->request.resources), "h_rt=4,mem=1G");
  EXPECT_EQ(script->request.queues, std::vector<std::string>{"s.q"});
  EXPECT_EQ(script->request.name, "s");
}

// C3.6.
TEST(GivenRequestFiles, WhenTheyAreClearedThenNothingOfThemIsLeft) {
  const std::vector<std::vector<GivenOption>> files{file({"-l", "h_rt=1", "-soft", "-N", "cell"})};
  const auto cleared = parse_with({"-clear", "-A", "b", "job.sh"}, "#$ -N s\n", files);
  EXPECT_TRUE(cleared->request.resources.empty());
  EXPECT_EQ(cleared->request.name, "job.sh");
  EXPECT_EQ(cleared->request.account, "b");
  const auto in_file = parse_with({"job.sh"}, "", {files.front(), file({"-clear", "-A", "c"})});
  EXPECT_TRUE(in_file->request.resources.empty());
  EXPECT_EQ(in_file->request.account, "c");
}

TEST(GivenRequestFiles, WhenOneSaysThatTheCommandIsAProgramThenNoScriptIsRead) {
  const auto parsed = parse_with({"echo", "x"}, "#$ -N script\n", {file({"-b", "y"})});
  EXPECT_TRUE(parsed->request.binary);
  EXPECT_EQ(parsed->request.name, "echo");
}

// C3.8.
TEST(GivenAFileThatIsNamed, WhenItIsReadThenItsOptionsStandInItsPlace) {
  EXPECT_EQ(parse_with({"-@", "more", "job.sh"}, "", {})->request.name, "more");
  EXPECT_EQ(parse_with({"-@", "more", "-N", "own", "job.sh"}, "", {})->request.name, "own");
  EXPECT_EQ(parse_with({"-q", "a.q", "-@", "more", "x"}, "", {})->request.queues,
            (std::vector<std::string>{"a.q", "m.q"}))
      << "one source";
  EXPECT_EQ(parse_with({"x"}, "#$ -@ more\n", {})->request.name, "more");
  EXPECT_EQ(parse_with({"-@", "nested", "x"}, "", {}).what(),
            "option -@ more: it stands in a file of options itself");
  EXPECT_EQ(parse_with({"-@", "nothing", "x"}, "", {}).what(), "can't read nothing");
}

// C3.12.
TEST(GivenAContext, WhenItIsAddedToAndTakenFromThenTheOrderCounts) {
  const auto context = [](const std::vector<std::string>& words) {
    auto all = words;
    all.emplace_back("job.sh");
    return print_context(parse(all)->request.context);
  };
  EXPECT_EQ(context({"-ac", "a=1,b", "-ac", "a=2,c=3"}), "a=2,b=,c=3");
  EXPECT_EQ(context({"-ac", "a=1,b=2", "-dc", "a,x"}), "b=2");
  EXPECT_EQ(context({"-dc", "a", "-ac", "a=1"}), "a=1");
  EXPECT_EQ(context({"-ac", "a=1", "-sc", "b=2"}), "b=2");
}

// C3.43.
TEST(GivenSync, WhenItIsReadThenItSaysWhatIsWaitedFor) {
  const auto waits = [](const std::string& value) {
    const auto wait = parse({"-sync", value, "x"})->wait;
    return std::string(wait.start ? "start" : "") + (wait.end ? "end" : "");
  };
  EXPECT_EQ(waits("y"), "end");
  EXPECT_EQ(waits("x"), "end");
  EXPECT_EQ(waits("r"), "start");
  EXPECT_EQ(waits("rx"), "startend");
  EXPECT_EQ(waits("n"), "");
}

TEST(GivenWordsOfQalter, WhenDashesComeThenTheJobsArgumentsFollow) {
  const auto given =
      parse_options({"-N", "x", "12", "--", "-a", "b"}, alter_option_rules(), Operands::anywhere);
  ASSERT_TRUE(given.ok());
  const auto altered = parse_job_alteration(*given, place(), {});
  EXPECT_EQ(altered->request.arguments, (std::vector<std::string>{"-a", "b"}));
  EXPECT_TRUE(altered->was_given("--"));
  EXPECT_EQ(given->before_dashes(), 1u);
}
