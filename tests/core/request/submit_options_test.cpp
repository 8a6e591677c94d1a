#include "core/request/submit_options.hpp"
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

TEST(GivenAnOptionThatIsNotBuilt, WhenGivenThenItIsToldFromOneThatNobodyKnows) {
  const auto what = [](const auto& parsed) { return parsed.error().what; };
  EXPECT_NE(what(parse({"-i", "file", "x"})).find("is not built yet"), std::string::npos);
  EXPECT_NE(what(parse({"x"}, "#$ -i file\n")).find("is not built yet"), std::string::npos);
  EXPECT_EQ(what(parse({"-x", "x"})).find("is not built yet"), std::string::npos);
}

TEST(GivenMalformedOptions, WhenSubmittedThenTheErrorNamesOptionAndValue) {
  const std::vector<std::vector<std::string>> cases{
      {"-x"},          {"-t", "0-3"},    {"-p", "9999"},  {"-pe", "mpi", "0"},
      {"-l", "=3"},    {"-a", "banana"}, {"-j", "maybe"}, {"-w", "q"},
      {"-S", "bash"},  {"-N"},           {"-m", "x"},     {"-M", ""},
      {"-hard", "-i"}, {"-now", "soon"}, {"-js", "-1"},   {"-ot", "many"}};
  for (auto words : cases) {
    words.push_back("job.sh");
    if (words.front() == "-N") words = {"-N"};
    const auto parsed = parse(words);
    ASSERT_FALSE(parsed.ok()) << words.front();
    EXPECT_NE(parsed.what().find(words.front() == "-hard" ? "-i" : words.front()),
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
