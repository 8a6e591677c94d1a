// A shepherd's children: each test has a process of its own for the shepherd.
#include "shepherd_fixture.hpp"

using namespace almanac;

TEST(GivenAShepherd, WhenItsJobRunsThenItsStartIsNotedAndToldAndTheStartOfAStepOnlyTold) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              BegunWatch watch(place);
              auto said = text_of(watch.run(Child::step, shell("exit 3"))) + "; ";
              said += place.noted(), said += place.heard();
              said += text_of(watch.run(Child::job, shell("exit 4"))) + "; ";
              return said += place.noted();
            }),
            "status 3; running\nstatus 4; started\n");
}

TEST(GivenAShepherd, WhenAChildCannotBeginThenItsComplaintIsTold) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              BegunWatch watch(place);
              const auto end = watch.run(Child::job, [](int pipe) {
                const ChildFailure failure{failed::no_directory, ENOENT, "can't change"};
                ::_exit(::write(pipe, &failure, sizeof failure) < 0);
              });
              return text_of(end) + place.noted() + place.heard();
            }),
            "failed " + std::to_string(failed::no_directory) +
                ": can't change: No such file or directory");
}

TEST(GivenAShepherd, WhenItIsToldToKillAtOnceThenTheJobEndsWithoutNotice) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              place.order.notice = 60, place.order.notice_of_kill = SIGCONT;
              BegunWatch watch(place);
              place.command("K");
              const auto end = watch.run(Child::job, shell("sleep 100"));
              return text_of(end) + (watch.is_to_end() ? " killed" : "");
            }),
            "signal 137 killed");
}

// What the site does around a job is not its user's to end; one that is suspended goes on.
TEST(GivenAShepherd, WhenTheJobIsKilledDuringAStepThatIsKeptThenTheStepComesToItsEnd) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              BegunWatch watch(place);
              for (const char* command : {"s", "h", "k"}) place.command(command);
              auto said = text_of(watch.run(Child::kept_step, shell("sleep 0.5; exit 3")));
              said += watch.is_to_end() ? " killed; " : "; ";
              place.command("K");
              return said + text_of(watch.run(Child::kept_step, shell("sleep 100")));
            }),
            "status 3 killed; signal 137");
}

TEST(GivenAShepherd, WhenItIsToldToKillThenTheJobHearsOfItFirst) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              place.order.notice = 1, place.order.notice_of_kill = SIGUSR1;
              BegunWatch watch(place);
              place.command("k");
              const auto end = watch.run(Child::job, [](int pipe) {
                ::signal(SIGUSR1, SIG_IGN); // whenever it comes
                shell("sleep 100")(pipe);
              });
              const auto lasted = boot_clock_ms() - watch.started_ms();
              return text_of(end) + (watch.is_to_end() ? " killed" : "") +
                     (lasted >= 1000 ? " after a second" : " too early");
            }),
            "signal 137 killed after a second");
}

// ---- one that gives way to a reservation (spec/plus.md P5.11) -----------------------------------

TEST(GivenAShepherd, WhenItsJobIsAskedToEndThenAllOfItHearsAndMayCleanUp) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              place.order.notice = 60;
              BegunWatch watch(place);
              if (::fork() == 0) { // once its trap is set
                ::usleep(1'000'000);
                place.command("t"), place.command("t");
                ::_exit(0);
              }
              const auto end = watch.run(
                  Child::job, shell("trap 'sleep 0.3; exit 7' TERM; sleep 100 & wait; wait"));
              const auto lasted = boot_clock_ms() - watch.started_ms();
              return text_of(end) + (watch.is_to_end() ? " killed" : "") +
                     (lasted < 30'000 ? " by itself" : " late");
            }),
            "status 7 killed by itself");
}

TEST(GivenAShepherd, WhenItsJobIsAskedToEndThenSigtermEndsIt) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              place.order.notice = 60;
              BegunWatch watch(place);
              place.command("t");
              const auto end = watch.run(Child::job, shell("sleep 100"));
              return text_of(end) + (watch.is_to_end() ? " killed" : "");
            }),
            "signal " + std::to_string(128 + SIGTERM) + " killed");
}

TEST(GivenAShepherd, WhenItsJobIsSuspendedThenItHearsThatItIsToEnd) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              place.order.notice = 60;
              BegunWatch watch(place);
              for (const char* command : {"s", "t"}) place.command(command);
              return text_of(watch.run(Child::job, shell("sleep 100")));
            }),
            "signal " + std::to_string(128 + SIGTERM));
}

TEST(GivenAShepherd, WhenItsJobDoesNotCareThenItIsKilledWhenTheTimeIsOver) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              place.order.notice = 1;
              BegunWatch watch(place);
              place.command("t");
              const auto end = watch.run(Child::job, [](int pipe) {
                ::signal(SIGTERM, SIG_IGN);
                shell("sleep 100")(pipe);
              });
              const auto lasted = boot_clock_ms() - watch.started_ms();
              return text_of(end) + (lasted >= 1000 ? " after a second" : " too early");
            }),
            "signal 137 after a second");
}

// The notice comes first, then SIGTERM.
TEST(GivenAShepherd, WhenItsJobAskedForANoticeThenSigtermComesWhenThatIsOver) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              place.order.notice = 1, place.order.notice_of_kill = SIGUSR2;
              BegunWatch watch(place);
              place.command("t");
              const auto end = watch.run(Child::job, [](int pipe) {
                ::signal(SIGUSR2, SIG_IGN);
                shell("sleep 100")(pipe);
              });
              const auto lasted = boot_clock_ms() - watch.started_ms();
              return text_of(end) + (lasted >= 1000 ? " after a second" : " too early");
            }),
            "signal " + std::to_string(128 + SIGTERM) + " after a second");
}

TEST(GivenAShepherd, WhenAJobThatWasAskedToEndIsKilledThenThereIsNoOtherNotice) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              place.order.notice = 60, place.order.notice_of_kill = SIGCONT;
              BegunWatch watch(place);
              for (const char* command : {"t", "k"}) place.command(command);
              const auto end = watch.run(Child::job, shell("sleep 100"));
              return text_of(end);
            }),
            "signal 137");
}

TEST(GivenAShepherd, WhenTheLimitOfTheJobIsReachedThenItEndsAndAStepIsNotLimited) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              place.order.limit = 1;
              BegunWatch watch(place);
              auto said = text_of(watch.run(Child::step, shell("sleep 1.1"))) + "; ";
              said += text_of(watch.run(Child::job, shell("sleep 100")));
              return said + (watch.is_limit_reached() ? " limit" : "");
            }),
            "status 0; signal 137 limit");
}

TEST(GivenAShepherd, WhenAJobLeavesProcessesBehindThenTheyEnd) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              BegunWatch watch(place);
              watch.run(Child::job, shell("sleep 100 & exit 0"));
              const bool are_left = !descendants(::getpid()).empty();
              watch.end_descendants();
              return std::string(are_left ? "left, " : "not left, ") +
                     (descendants(::getpid()).empty() ? "gone" : "there");
            }),
            "left, gone");
}

// ---- what is used -------------------------------------------------------------------------------

TEST(GivenAShepherd, WhenProcessesOfItsJobWorkThenWhatTheyUsedIsKnownWhenAllAreGone) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              BegunWatch watch(place);
              // Two that work and are waited for, and a megabyte that goes through a pipe. The job is
              // there for long enough to be looked at on a busy machine, too.
              watch.run(
                  Child::job,
                  shell("busy() { i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; }\n"
                        "busy & busy; wait; head -c 1000000 /dev/zero | cat > /dev/null; sleep 1"));
              const auto& usage = watch.usage();
              return std::string(usage.io_bytes > 2'900'000 ? "io, " : "no io, ") +
                     (usage.maxvmem_bytes > 1'000'000 ? "memory, " : "no memory, ") +
                     (usage.cpu_microseconds > 0 ? "time" : "no time");
            }),
            "io, memory, time");
}

TEST(GivenAShepherd, WhenItIsAskedWhatItsProcessesUseThenItSaysALineWithNumbers) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              BegunWatch watch(place);
              place.command("u");
              watch.run(Child::job, shell("sleep 0.2"));
              const auto said = place.heard();
              return std::string(said.find("usage ") != said.npos ? "said" : "not said: " + said);
            }),
            "said");
}

// The processes share the time: none of them reaches the limit that the kernel keeps for each.
TEST(GivenAShepherd, WhenAllProcessesTogetherExceedTheirTimeThenTheyEndAndTheLimitIsNamed) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              place.order.limits = {{"cpu", -1, 2}};
              BegunWatch watch(place);
              const auto end = watch.run(
                  Child::job, shell("busy() { while :; do :; done; }\nbusy & busy & busy & wait"));
              return text_of(end) + " " + watch.exceeded().substr(0, 27);
            }),
            "signal 137 the limit h_cpu of 2 s is e");
}

TEST(GivenAShepherd, WhenASoftLimitIsExceededThenAllProcessesHearOfIt) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              place.order.limits = {{"vmem", 1, -1}};
              BegunWatch watch(place);
              const auto end =
                  watch.run(Child::job, shell("trap 'exit 7' XCPU\nwhile :; do sleep 0.05; done"));
              // Where the shell has no trap yet, the signal ends it.
              return end.status == 7 || end.status == 128 + SIGXCPU ? "heard" : text_of(end);
            }),
            "heard");
}

// ---- methods ------------------------------------------------------------------------------------

namespace {

// A command of the site.
SignalMethod method(const std::string& script) {
  SignalMethod made;
  made.command.as = user();
  made.command.arguments = {"/bin/sh", "-c", script, "sh", "$job_pid"};
  made.command.directory = "/";
  return made;
}

} // namespace

TEST(GivenAMethodToTerminate, WhenTheJobIsToEndThenTheMethodEndsItAndKnowsItsProcess) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              place.order.job.as = user();
              place.order.terminate = method("kill -USR1 $1");
              BegunWatch watch(place);
              place.command("k");
              const auto end = watch.run(
                  Child::job, shell_of_user("trap 'exit 5' USR1\nwhile :; do sleep 0.05; done"));
              // Where the method is quicker than the trap, its signal ends the shell.
              return std::string(end.status == 5 || end.status == 128 + SIGUSR1 ? "by its method"
                                                                                : text_of(end)) +
                     (watch.is_to_end() ? ", killed" : "");
            }),
            "by its method, killed");
}

TEST(GivenAMethodToTerminate, WhenItIsASignalThenThatIsSent) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              place.order.terminate.signal = SIGTERM;
              BegunWatch watch(place);
              place.command("k");
              return text_of(watch.run(Child::job, shell("exec sleep 100")));
            }),
            "signal 143");
}

TEST(GivenAMethodToTerminate, WhenTheOrderIsToEndAtOnceThenItIsNotAsked) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              place.order.terminate.signal = SIGCONT;
              BegunWatch watch(place);
              place.command("K");
              return text_of(watch.run(Child::job, shell("sleep 100")));
            }),
            "signal 137");
}

TEST(GivenAJobOfALoginShell, WhenItBeginsThenTheNameOfItsShellSaysSo) {
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              place.order.job.as = user();
              place.order.login = true, place.order.nice = 19; // nobody is nicer
              place.order.job.directory = "/";
              place.order.job.arguments = {
                  "/bin/sh", "-c", "case $0 in -sh) nice=$(nice); exit $nice;; esac; exit 99"};
              place.order.job.environment = {{"PATH", "/usr/bin:/bin"}};
              place.order.output = place.order.error = {"/dev/null", ""};
              BegunWatch watch(place);
              return text_of(
                  watch.run(Child::job, [&](int pipe) { become_user_process(place.order, pipe); }));
            }),
            "status 19");
}

// docs/spec/cli.md C9.60, C9.96
TEST(GivenAUserWithMoreGroupsThanTheSystemTakes, WhenAProcessBeginsThenItsGroupsAreToBlame) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  EXPECT_EQ(in_a_shepherd([](Place& place) {
              place.order.job.as = user();
              place.order.job.as.groups.resize(70'000, 100);
              place.order.job.directory = "/", place.order.job.arguments = {"/bin/true"};
              BegunWatch watch(place);
              const auto end =
                  watch.run(Child::job, [&](int pipe) { become_user_process(place.order, pipe); });
              return std::to_string(end.failed) + " " + end.why.substr(0, 21);
            }),
            "38 can't have the groups");
}
