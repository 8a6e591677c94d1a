// A bare loop of shepherds with a job each: what a machine can start and end, without a scheduler.
//
//     bench_shepherds SHEPHERD COUNT [AT A TIME]
//
// It keeps what any scheduler has to: a folder for each, a durable order before, a durable end
// after.
#include "agent/shepherd/task_progress.hpp"
#include "agent/shepherd_maker.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fcntl.h>
#include <filesystem>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace {

using namespace almanac;

struct Started {
  std::string folder;
  int connection = -1;
};

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "bench_shepherds: %s\n", why.c_str());
  std::exit(1);
}

// In the working directory: paths of sockets are short.
Started start(ShepherdMaker& maker, std::int64_t number) {
  const auto folder = std::to_string(number);
  std::filesystem::create_directory(folder);
  const int order_file = ::open((folder + "/order").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const std::string content(1500, 'x');
  if (::write(order_file, content.data(), content.size()) < 0 || ::fsync(order_file) != 0)
    give_up("can't write an order");
  ::close(order_file);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path, sizeof address.sun_path, "%s/control", folder.c_str());
  const auto* name = reinterpret_cast<const sockaddr*>(&address);
  const int control = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0),
            connection = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (::bind(control, name, sizeof address) != 0 || ::listen(control, 4) != 0 ||
      ::connect(connection, name, sizeof address) != 0)
    give_up("can't make a control socket");
  ShepherdOrder order;
  order.job.as = {::geteuid() != 0, ::geteuid() != 0 ? "" : "root", ::geteuid(), ::getegid()};
  order.job.directory = "/", order.job.arguments = {"/bin/sh", "-c", "exec /bin/true"};
  order.output.path = "/dev/null", order.join = true;
  order.marker = "bench";
  if (auto made = maker.make(std::filesystem::absolute(folder), control, order); !made)
    give_up(made.what());
  ::close(control);
  return {folder, connection};
}

void finish(const Started& started) {
  char text[64];
  while (::read(started.connection, text, sizeof text) > 0) {
  }
  ::close(started.connection);
  if (!std::filesystem::exists(progress_file(started.folder))) give_up("a job left no trace");
  std::filesystem::remove_all(started.folder);
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 3) give_up("SHEPHERD COUNT [AT A TIME]");
  const auto count = std::atol(argv[2]);
  const auto at_a_time = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 64;
  ShepherdMaker maker(argv[1], std::filesystem::current_path(), "/dev/null");
  std::deque<Started> running;
  const auto begin = std::chrono::steady_clock::now();
  for (long i = 0; i < count; ++i) {
    if (running.size() >= at_a_time) finish(running.front()), running.pop_front();
    running.push_back(start(maker, i));
  }
  for (const auto& started : running) finish(started);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%.0f\n", static_cast<double>(count) / took.count());
  return 0;
}
