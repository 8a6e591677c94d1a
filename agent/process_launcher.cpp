#include "agent/process_launcher.hpp"

#include "actors/process/daemon.hpp"
#include "actors/support.hpp"
#include "agent/processes.hpp"
#include "agent/sensors.hpp"
#include "schema/codec.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t largest_piece = 128 << 10;
constexpr std::int64_t most_untaken = 256 << 10;  // of a call's output, on the way to who reads it
constexpr std::int64_t input_ahead = 1 << 20;     // that may be sent before it is read
constexpr std::size_t most_input_left = 16 << 20; // where somebody sends more than that

sockaddr_un socket_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  return address;
}

// Paths of sockets are short: the folder is reached through its open descriptor.
class Folder {
public:
  explicit Folder(const std::string& path)
      : file_(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {}
  ~Folder() {
    if (file_ >= 0) ::close(file_);
  }
  std::string control() const { return "/proc/self/fd/" + std::to_string(file_) + "/control"; }

private:
  int file_;
};

int connect_to(const std::string& folder) {
  const Folder opened(folder);
  const auto address = socket_address(opened.control());
  const int connection = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection >= 0 &&
      ::connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
    return connection;
  if (connection >= 0) ::close(connection);
  return -1;
}

// An agent that was started again counts calls from the beginning; those of before may still run.
std::string new_call_folder(const std::string& calls, std::int64_t number) {
  ::mkdir(calls.c_str(), 0711);
  auto folder = calls + "/" + std::to_string(number);
  while (::mkdir(folder.c_str(), 0711) != 0 && errno == EEXIST)
    folder = calls + "/" + std::to_string(++number);
  return folder;
}

} // namespace

ProcessLauncher::ProcessLauncher(LauncherSettings settings, Spool spool)
    : settings_(std::move(settings)),
      spool_(std::move(spool)),
      cgroups_(cgroup_base("almanac-" + spool_.id())),
      task_orders_(spool_, settings_.cell, settings_.host, settings_.directory, settings_.binaries,
                   cgroups_, settings_.min_uid),
      shepherds_(settings_.shepherd, spool_.path(), spool_.path() + "/shepherd.log"),
      wake_file_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

ProcessLauncher::~ProcessLauncher() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake();
  if (thread_.joinable()) thread_.join();
}

// ---- called from actors -----------------------------------------------------------------------

std::vector<session::TaskReport> ProcessLauncher::adopt(Events events) {
  events_ = std::move(events);
  std::vector<session::TaskReport> reports;
  // Before any user makes it: most queues have this one.
  if (auto made = make_shared_folder({"/tmp", settings_.cell, "", ""}); !made)
    spdlog::error("{}", made.what());
  const bool rebooted = spool_.is_of_an_earlier_boot();
  for (const auto& attempt : spool_.attempts()) {
    auto order = spool_.order(attempt);
    if (!order) {
      spool_.remove(attempt); // never complete, so never acknowledged
      continue;
    }
    if (rebooted) note_reboot(attempt);
    orders_[attempt] = *order;
    reports.push_back(stamped({attempt, session::TaskPhase::spooled, false, false, {}, 0, {}}));
    later([this, order = *order] { begin_task(order); });
  }
  if (rebooted)
    if (auto taken = spool_.take_boot(); !taken) spdlog::error("{}", taken.what());
  thread_ = std::thread([this] { loop(); });
  return reports;
}

// It may have begun before the machine went down: it is not started again.
void ProcessLauncher::note_reboot(const Attempt& attempt) {
  if (spool_.progress(spool_.folder(attempt)).record) return;
  ExitRecord record;
  record.failed = failed::no_exit_status, record.reason = "the machine was started again";
  if (auto noted = spool_.note_end(attempt, true, record); !noted)
    spdlog::error("{}", noted.what());
}

void ProcessLauncher::launch(const session::Launch& order) {
  later([this, order] {
    crash_point("before-spool");
    if (auto kept = spool_.keep(order); !kept)
      return fail(order, failed::before_job, kept.what(), false);
    {
      const std::lock_guard lock(mutex_);
      orders_[order.attempt] = order;
    }
    crash_point("spooled");
    begin_task(order);
  });
}

void ProcessLauncher::control(const Attempt& attempt, session::TaskAction action) {
  later([this, attempt, action] {
    const char command = action == session::TaskAction::kill      ? 'k'
                         : action == session::TaskAction::suspend ? 's'
                                                                  : 'c';
    for (auto& [key, watched] : watched_)
      if (key.first == attempt) send_command(watched, command);
    // A part has no process of its own: killed, it is over.
    const auto order = order_of(attempt);
    if (action == session::TaskAction::kill && order && !is_first_host(*order)) {
      ExitRecord record;
      record.failed = failed::killed, record.reason = "the part was cleared";
      tell(attempt, session::TaskPhase::ended, true, record);
    }
  });
}

void ProcessLauncher::forget(const Attempt& attempt) {
  later([this, attempt] {
    for (auto it = watched_.begin(); it != watched_.end();) {
      if (it->first.first != attempt) {
        ++it;
        continue;
      }
      auto& watched = it->second;
      if (!watched.ended) {
        send_command(watched, 'K');
        end_leftovers(watched.cgroup, watched.marker);
      }
      close_files(watched);
      it = watched_.erase(it);
    }
    if (const auto order = order_of(attempt)) {
      const auto user = task_orders_.user_facts(*order);
      const auto tmpdir = task_orders_.tmpdir_of(*order);
      if (user && tmpdir)
        remove_as_user(tmpdir->path(static_cast<uid_t>(user->uid)), ids_of(*user));
    }
    {
      const std::lock_guard lock(mutex_);
      orders_.erase(attempt);
    }
    spool_.remove(attempt);
  });
}

void ProcessLauncher::start_inherited(const Attempt& attempt, const InheritedStart& start) {
  later([this, attempt, start] {
    const auto order = order_of(attempt);
    const auto started = order ? start_call(*order, start)
                               : Outcome(Error{"the job has no part on " + settings_.host});
    if (!started) events_.call_ended(start.call, not_started(started.what()));
  });
}

// What it writes comes through pipes: nothing of it is kept on disk, and it waits where nobody
// reads.
Outcome ProcessLauncher::start_call(const session::Launch& order, const InheritedStart& start) {
  auto user = task_orders_.user_facts(order);
  if (!user) return user.error();
  const auto own = new_call_folder(spool_.folder(order.attempt) + "/calls", start.call);
  auto shepherd = task_orders_.for_call(order, *user, start, own);
  if (!shepherd) return shepherd.error();
  if (auto sound = check_shepherd_order(*shepherd); !sound) return sound;
  const auto open = [](const std::string& path, int flags) {
    return path.empty() ? -1 : ::open(path.c_str(), flags | O_NONBLOCK | O_CLOEXEC);
  };
  Watched watched;
  watched.attempt = order.attempt, watched.call = start.call, watched.folder = own;
  watched.cgroup = shepherd->cgroup, watched.marker = shepherd->marker;
  watched.output = open(shepherd->output.path, O_RDONLY);
  watched.error = open(shepherd->error.path, O_RDONLY);
  watched.input = open(shepherd->input, O_RDWR);
  auto started = start_shepherd(watched, *shepherd);
  if (!started) close_files(watched);
  else if (watched.input >= 0) events_.input_room(start.call, input_ahead);
  return started;
}

void ProcessLauncher::take_output(const Attempt& attempt, std::int64_t call, std::int64_t bytes) {
  later([this, attempt, call, bytes] {
    const auto it = watched_.find({attempt, call});
    if (it == watched_.end()) return;
    auto& untaken = it->second.untaken;
    untaken -= std::clamp<std::int64_t>(bytes, 0, untaken);
    send_output(it->second);
  });
}

void ProcessLauncher::write_input(const Attempt& attempt, std::int64_t call,
                                  const std::string& content, bool end) {
  later([this, attempt, call, content, end] {
    const auto it = watched_.find({attempt, call});
    if (it == watched_.end()) return;
    auto& watched = it->second;
    watched.input_left += content;
    watched.input_ends = watched.input_ends || end;
    if (watched.input_left.size() > most_input_left) {
      spdlog::warn("a process does not read its input: it gets no more job={}", attempt.job);
      watched.input_left.clear(), watched.input_ends = true;
    }
    pass_input_on(watched);
  });
}

// The end is closed only once the process holds the other one: what lies in between is not lost.
void ProcessLauncher::pass_input_on(Watched& watched) {
  if (watched.input < 0) return;
  std::size_t written = 0;
  while (written < watched.input_left.size()) {
    const auto size = ::write(watched.input, watched.input_left.data() + written,
                              watched.input_left.size() - written);
    if (size <= 0) break;
    written += static_cast<std::size_t>(size);
  }
  watched.input_left.erase(0, written);
  if (written > 0) events_.input_room(watched.call, static_cast<std::int64_t>(written));
  if (!watched.input_left.empty()) return;
  if (!watched.input_ends || !watched.running) return;
  ::close(watched.input);
  watched.input = -1;
}

std::optional<session::Launch> ProcessLauncher::order_of(const Attempt& attempt) const {
  const std::lock_guard lock(mutex_);
  const auto it = orders_.find(attempt);
  return it == orders_.end() ? std::nullopt : std::optional(it->second);
}

std::vector<Attempt> ProcessLauncher::attempts_of(std::int64_t job_number) const {
  const std::lock_guard lock(mutex_);
  std::vector<Attempt> result;
  for (auto it = orders_.rbegin(); it != orders_.rend(); ++it)
    if (it->second.job.number == job_number) result.push_back(it->first);
  return result;
}

HostFacts ProcessLauncher::facts() const {
  auto facts = machine_facts();
  facts.spool_id = spool_.id();
  facts.address = settings_.address;
  return facts;
}

HostLoad ProcessLauncher::load() const { return machine_load(); }

std::int64_t ProcessLauncher::lease_clock() const { return boot_clock_ms(); }

void ProcessLauncher::keep_lease(std::int64_t asked) {
  later([this, asked] {
    if (auto written = spool_.stamp_lease(asked); !written) spdlog::error("{}", written.what());
  });
}

// ---- the thread -------------------------------------------------------------------------------

void ProcessLauncher::later(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    work_.push_back(std::move(work));
  }
  wake();
}

void ProcessLauncher::wake() {
  const std::uint64_t one = 1;
  if (::write(wake_file_, &one, sizeof one) < 0) return; // full: it is awake
}

void ProcessLauncher::loop() {
  for (;;) {
    std::vector<pollfd> files{{wake_file_, POLLIN, 0}};
    std::vector<std::pair<Attempt, std::int64_t>> keys{{}};
    const auto look = [&](const auto& key, int file, short events) {
      if (file >= 0) files.push_back({file, events, 0}), keys.push_back(key);
    };
    for (const auto& [key, watched] : watched_) {
      look(key, watched.connection, POLLIN);
      if (!watched.input_left.empty()) look(key, watched.input, POLLOUT);
      if (watched.untaken >= most_untaken) continue;
      look(key, watched.output, POLLIN);
      look(key, watched.error, POLLIN);
    }
    ::poll(files.data(), files.size(), -1);
    std::uint64_t count = 0;
    if (files[0].revents && ::read(wake_file_, &count, sizeof count) < 0) count = 0;
    for (std::size_t i = 1; i < files.size(); ++i) {
      const auto it = watched_.find(keys[i]);
      if (!files[i].revents || it == watched_.end()) continue;
      auto& watched = it->second;
      if (files[i].fd == watched.connection) hear(watched);
      else if (files[i].fd == watched.output) send_piece(watched, watched.output, false);
      else if (files[i].fd == watched.error) send_piece(watched, watched.error, true);
      pass_input_on(watched);
    }
    std::erase_if(watched_,
                  [](auto& entry) { return entry.second.ended && entry.second.call != 0; });
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    } // shepherds that this agent started
    for (;;) {
      std::function<void()> next;
      {
        const std::lock_guard lock(mutex_);
        if (stopping_) return;
        if (work_.empty()) break;
        next = std::move(work_.front());
        work_.pop_front();
      }
      next();
    }
  }
}

void ProcessLauncher::hear(Watched& watched) {
  char text[64];
  const auto size = ::read(watched.connection, text, sizeof text);
  if (size < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (size > 0) {
    if (!watched.running && watched.call == 0)
      tell(watched.attempt, session::TaskPhase::running, true, {});
    watched.running = true;
    return;
  }
  for (auto* file : {&watched.connection, &watched.input})
    if (*file >= 0) ::close(std::exchange(*file, -1));
  ended(watched);
}

void ProcessLauncher::close_files(Watched& watched) {
  for (auto* file : {&watched.connection, &watched.input, &watched.output, &watched.error})
    if (*file >= 0) ::close(std::exchange(*file, -1));
}

void ProcessLauncher::ended(Watched& watched) {
  const auto progress = spool_.progress(watched.folder);
  const bool began = progress.began();
  auto record = progress.record;
  if (!record) {
    // The shepherd is gone and left no record: what it watched over is ended here.
    end_leftovers(watched.cgroup, watched.marker);
    record = ExitRecord();
    record->failed = began ? failed::no_exit_status : failed::shepherd;
    record->reason = "the shepherd ended without a record";
  }
  if (watched.call != 0) {
    watched.record = *record;
    return send_output(watched);
  }
  watched.ended = true;
  const bool user_fault = record->failed == failed::cannot_open_output ||
                          record->failed == failed::no_directory ||
                          record->failed == failed::no_shell;
  tell(watched.attempt, session::TaskPhase::ended, began, *record, user_fault);
}

void ProcessLauncher::tell(const Attempt& attempt, session::TaskPhase phase, bool began,
                           const ExitRecord& record, bool user_fault) {
  events_.report(stamped({attempt, phase, began, user_fault, {}, 0, record}));
}

// A report says whose order it was: the master tells its own tasks from those of another store.
session::TaskReport ProcessLauncher::stamped(session::TaskReport report) const {
  const auto order = order_of(report.attempt);
  if (!order) return report;
  if (auto credential = decode<session::Credential>(order->credential.content))
    report.store_id = credential->store_id, report.term = credential->term;
  return report;
}

void ProcessLauncher::send_output(Watched& watched) {
  send_piece(watched, watched.output, false);
  send_piece(watched, watched.error, true);
}

// No more than who asked for it has room for. The end is told after all of it.
void ProcessLauncher::send_piece(Watched& watched, int& file, bool error) {
  std::string piece;
  while (file >= 0 && watched.untaken < most_untaken) {
    piece.resize(static_cast<std::size_t>(std::min(most_untaken - watched.untaken, largest_piece)));
    const auto size = ::read(file, piece.data(), piece.size());
    if (size > 0) {
      watched.untaken += size;
      events_.output(watched.call, piece.substr(0, static_cast<std::size_t>(size)), error);
      continue;
    }
    if (size < 0 && errno == EINTR) continue;
    // Once its process has ended, an end that somebody else may hold is not waited for.
    if (size < 0 && errno == EAGAIN && !watched.record) break;
    ::close(std::exchange(file, -1));
  }
  if (!watched.record || watched.output >= 0 || watched.error >= 0 || watched.ended) return;
  watched.ended = true;
  events_.call_ended(watched.call, *watched.record);
}

void ProcessLauncher::send_command(Watched& watched, char command) {
  if (watched.connection < 0) return;
  if (::send(watched.connection, &command, 1, MSG_NOSIGNAL) < 0)
    spdlog::warn("shepherd does not listen job={}", watched.attempt.job);
}

void ProcessLauncher::fail(const session::Launch& order, std::int64_t code, const std::string& why,
                           bool user_fault) {
  ExitRecord record;
  record.failed = code, record.reason = why;
  if (::access(spool_.folder(order.attempt).c_str(), F_OK) == 0)
    if (auto noted = spool_.note_end(order.attempt, false, record); !noted)
      spdlog::error("{}", noted.what());
  tell(order.attempt, session::TaskPhase::ended, false, record, user_fault);
}

// Brings a spooled attempt to where it belongs, whatever happened before: it is safe to repeat.
void ProcessLauncher::begin_task(const session::Launch& order) {
  const auto folder = spool_.folder(order.attempt);
  Watched watched;
  watched.attempt = order.attempt, watched.folder = folder;
  watched.marker = task_orders_.marker_of(order.attempt);
  watched.cgroup = task_orders_.cgroup_of(order.attempt);
  // A shepherd that has noted nothing yet listens already: so nobody starts a second one.
  watched.connection = connect_to(folder);
  if (watched.connection >= 0) {
    watched_[{order.attempt, 0}] = std::move(watched);
    return;
  }
  if (spool_.progress(folder).noted) return ended(watched_[{order.attempt, 0}] = watched);
  auto user = task_orders_.user_facts(order);
  if (!user) return fail(order, failed::before_job, user.what(), true);
  const auto tmpdir = task_orders_.tmpdir_of(order);
  auto made = tmpdir ? make_temporary_folder(*tmpdir, ids_of(*user))
                     : Outcome(Error{"the job has no part on " + settings_.host});
  if (made) made = spool_.lay_out(order, ids_of(*user));
  if (!made) {
    spdlog::error("{}", made.what());
    return fail(order, failed::before_job, made.what(), false);
  }
  if (!is_first_host(order)) return tell(order.attempt, session::TaskPhase::running, true, {});

  auto shepherd = task_orders_.for_job(order, *user);
  if (!shepherd) return fail(order, failed::before_job, shepherd.what(), false);
  if (auto sound = check_shepherd_order(*shepherd); !sound)
    return fail(order, failed::before_job, sound.what(), true);
  if (auto started = start_shepherd(watched, *shepherd); !started)
    fail(order, failed::shepherd, started.what(), false);
  crash_point("forked");
}

// The control socket listens before the shepherd is there: a connection can't come too early.
Outcome ProcessLauncher::start_shepherd(Watched watched, const ShepherdOrder& order) {
  const auto failed = [&](const char* what) {
    return Error{std::string(what) + " in " + watched.folder + ": " + std::strerror(errno)};
  };
  const Folder opened(watched.folder);
  const auto address = socket_address(opened.control());
  ::unlink((watched.folder + "/control").c_str());
  const int listening = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listening < 0 ||
      ::bind(listening, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listening, 16) != 0) {
    if (listening >= 0) ::close(listening);
    return failed("can't make the control socket");
  }
  ::chmod((watched.folder + "/control").c_str(), 0600);

  auto made = shepherds_.make(watched.folder, listening, order);
  if (made) watched.connection = connect_to(watched.folder);
  ::close(listening);
  if (!made) return made;
  watched_[{watched.attempt, watched.call}] = std::move(watched);
  return Done{};
}

} // namespace almanac
