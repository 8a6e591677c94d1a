// A bare loop of shepherds with a job each: what a machine can start and end, without a scheduler.
//
//     bench_shepherds COUNT [AT A TIME]
//
// It keeps what any scheduler has to: a folder for each, a durable order before, a durable end
// after; and what this one promises: no task without its master's signature.
#include "actors/master/warrants.hpp"
#include "actors/trust/keyring.hpp"
#include "agent/helper/helper.hpp"
#include "agent/helper_client.hpp"
#include "agent/task_progress.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fcntl.h>
#include <filesystem>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace almanac;

std::string nonce; // the helper's, as it said with its last answer

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "bench_shepherds: %s\n", why.c_str());
  std::exit(1);
}

struct Bench {
  SigningKey key = SigningKey::generate();
  std::filesystem::path place = std::filesystem::absolute("bench-spool");
  HelperClient helper{-1};
};

[[noreturn]] void be_the_helper(const Bench& bench, int socket) {
  const int spool = ::open(bench.place.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  Helper helper({"bench", "here", "/", "/usr/bin", 0, bench.key.public_key()},
                {bench.place, "bench", "secret", ""}, spool, nullptr);
  while (serve_one(helper, socket))
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
  ::_exit(0);
}

struct Started {
  Attempt attempt;
  int connection = -1, progress = -1;
};

HelperRequest request_to(HelperVerb verb, const Attempt& attempt) {
  HelperRequest request;
  request.verb = verb, request.attempt = attempt;
  return request;
}

HelperClient::Answer ask(const Bench& bench, const HelperRequest& request) {
  auto answer = bench.helper.ask(request);
  if (!answer.reply.refusal.empty()) give_up(answer.reply.refusal);
  nonce = answer.reply.nonce.content;
  return answer;
}

Started start(const Bench& bench, std::int64_t number) {
  const auto* user = ::getpwuid(::geteuid());
  if (nonce.empty()) ask(bench, request_to(HelperVerb::adopt, {}));
  session::Launch launch;
  launch.attempt = {number, 0, 1};
  launch.job.owner.user = user->pw_name, launch.job.owner.uid = user->pw_uid;
  auto& asked = launch.job.request.edit();
  asked.binary = true, asked.command = "/bin/true";
  asked.output = "/dev/null", asked.join = true;
  asked.directory = "/";
  launch.job.tasks.resize(1);
  launch.job.tasks.front().grants = {{{"all.q", "here"}, 1}};
  launch.parts = {{"here", {"all.q", "here"}, 1, "", "/tmp", {}}};
  launch.shell = "/bin/sh";
  auto warrant = *warrant_for(launch, "here");
  warrant.nonce.content = nonce, warrant.number = number;
  warrant.store_id = "store", warrant.term = {1};
  auto request = request_to(HelperVerb::prepare, launch.attempt);
  request.warrant.content = print_warrant(warrant);
  request.signature.content = bench.key.sign(warrant_label + request.warrant.content);

  const auto order = (bench.place / ("order-" + std::to_string(number))).string();
  const int file = ::open(order.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const auto& content = request.warrant.content;
  if (::write(file, content.data(), content.size()) < 0 || ::fsync(file) != 0)
    give_up("can't write an order");
  ::close(file);
  ask(bench, request);
  auto launched = ask(bench, request_to(HelperVerb::launch, launch.attempt));
  return {launch.attempt, launched.take("connection"), launched.take("progress")};
}

void finish(const Bench& bench, const Started& started) {
  char text[4096];
  ::fcntl(started.connection, F_SETFL, 0);
  while (::read(started.connection, text, sizeof text) > 0) {
  }
  const auto size = ::read(started.progress, text, sizeof text);
  const auto progress =
      parse_task_progress(std::string(text, static_cast<std::size_t>(std::max<ssize_t>(size, 0))));
  if (!progress.record || progress.record->exit_status != 0) give_up("a job did not end well");
  ::close(started.connection), ::close(started.progress);
  ask(bench, request_to(HelperVerb::remove, started.attempt));
  std::filesystem::remove(bench.place / ("order-" + to_string(started.attempt.job)));
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 2) give_up("COUNT [AT A TIME]");
  const auto count = std::atol(argv[1]);
  const auto at_a_time = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 64;
  Bench bench;
  std::filesystem::create_directories(bench.place / "session");
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) give_up("no sockets");
  if (::fork() == 0) {
    ::close(ends[0]);
    be_the_helper(bench, ends[1]);
  }
  ::close(ends[1]);
  bench.helper = HelperClient(ends[0]);
  std::deque<Started> running;
  const auto begin = std::chrono::steady_clock::now();
  for (long i = 1; i <= count; ++i) {
    if (running.size() >= at_a_time) finish(bench, running.front()), running.pop_front();
    running.push_back(start(bench, i));
  }
  for (const auto& started : running) finish(bench, started);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::filesystem::remove_all(bench.place);
  std::printf("%.0f\n", static_cast<double>(count) / took.count());
  return 0;
}
