#include "tools/gmeta_port/port.hpp"

#include "actors/process/boot_clock.hpp"
#include "actors/process/tcp_socket.hpp"
#include "actors/trust/random_number.hpp"

#include <algorithm>
#include <array>
#include <arpa/inet.h>
#include <cerrno>
#include <cstdio>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

namespace almanac {

namespace {

constexpr std::size_t read_at_once = 16 << 10;
constexpr int accepted_at_once = 64;         // then those who are there have their turn
constexpr std::int64_t stuck_ms = 60'000;    // a far end that takes nothing
constexpr std::int64_t ending_ms = 5'000;    // for what was asked
constexpr std::int64_t no_files_ms = 100;    // until accept() is tried again
constexpr std::chrono::seconds patience{20}; // with a master that is away

ClientOptions options_for(const std::string& directory) {
  ClientOptions options;
  options.directory = directory;
  options.patience = patience;
  return options;
}

} // namespace

std::string account_of_address(const std::string& address) {
  in6_addr six{};
  if (::inet_pton(AF_INET6, address.substr(0, address.find('%')).c_str(), &six) != 1)
    return address;
  char text[INET6_ADDRSTRLEN] = "";
  if (IN6_IS_ADDR_V4MAPPED(&six)) {
    ::inet_ntop(AF_INET, six.s6_addr + 12, text, sizeof text);
    return text;
  }
  std::fill(six.s6_addr + 8, six.s6_addr + 16, 0);
  ::inet_ntop(AF_INET6, &six, text, sizeof text);
  return std::string(text) + "/64";
}

Result<KnownCallers> known_callers(const PortSettings& settings) {
  KnownCallers known;
  for (const auto& caller : settings.callers) {
    const SiteSubject subject{caller.name, caller.user};
    if (!caller.subject.empty()) {
      known.by_subject.emplace(caller.subject, subject);
      continue;
    }
    auto bytes = read_line_secret(caller.secret_file);
    if (!bytes) return bytes.error();
    known.secrets.push_back({caller.name, *std::move(bytes)});
    known.by_key_id.emplace(caller.name, subject);
  }
  return known;
}

Port::Port(const PortSettings& settings, TlsContext context, KnownCallers callers,
           Descriptor listener, int ends)
    : most_(settings.connections),
      most_of_address_(settings.connections_of_address),
      context_(std::move(context)),
      callers_(std::move(callers)),
      listener_(std::move(listener)),
      bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      ends_(ends),
      askers_(settings.at_once, options_for(settings.directory), settings.directory, *bell_) {}

// No more lines of one account than can be read.
void Port::log(const std::string& account, const std::string& what) {
  const Instant now{now_ms_ / 1000};
  if (told_.take(account, now)) std::fprintf(stderr, "%s: %s\n", account.c_str(), what.c_str());
  for (const auto& rest : told_.rests(now))
    std::fprintf(stderr, "%s: %lld more refusals\n", rest.who.c_str(),
                 static_cast<long long>(rest.count));
}

// ---- who connects -------------------------------------------------------------------------------

void Port::accept_some() {
  for (int count = 0; count < accepted_at_once; ++count) {
    Descriptor socket(::accept4(*listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (*socket < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      if (errno != EAGAIN) accepts_from_ms_ = now_ms_ + no_files_ms;
      return;
    }
    const auto account = account_of_address(far_address(*socket));
    if (failed_.is_blocked(account, now_ms_) || !has_room(account)) continue;
    const int yes = 1;
    ::setsockopt(*socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    const auto id = ++last_id_;
    connections_.emplace(
        id, Connection{std::move(socket), account, Talk(context_, callers_, now_ms_), "", now_ms_});
    ++of_account_[account], strangers_.add(account, id);
  }
}

// Makes room where it can.
bool Port::has_room(const std::string& account) {
  const auto own = of_account_.find(account);
  const bool has_all = own != of_account_.end() && own->second >= most_of_address_;
  if (!has_all && connections_.size() < most_) return true;
  const auto goes = strangers_.who_goes(account, random_number());
  // One of another address makes no room in the own.
  if (!goes || (has_all && connections_.at(*goes).account != account)) return false;
  drop(*goes);
  return true;
}

void Port::drop(std::uint64_t id) {
  const auto it = connections_.find(id);
  if (it == connections_.end()) return;
  const auto of = of_account_.find(it->second.account);
  if (--of->second == 0) of_account_.erase(of);
  strangers_.remove(id);
  connections_.erase(it);
}

void Port::look_for_failure(Connection& connection) {
  if (!connection.talk.take_failure()) return;
  const bool blocks = failed_.note(connection.account, now_ms_);
  log(connection.account, blocks ? "failed to prove who it is, and is blocked for a minute"
                                 : "failed to prove who it is");
  if (blocks) shut_out(connection.account);
}

// Connections of the account that are there already could each try once more. Those whose proof has
// failed try no more, and get their answer.
void Port::shut_out(const std::string& account) {
  for (auto& [id, connection] : connections_)
    if (connection.account == account && strangers_.has(id) && connection.talk.wants_input())
      connection.socket.close();
}

// ---- what they say ------------------------------------------------------------------------------

void Port::hear(std::uint64_t id, Connection& connection) {
  std::array<char, read_at_once> bytes{};
  const auto count = ::recv(*connection.socket, bytes.data(), bytes.size(), 0);
  if (count > 0) {
    connection.talk.hear({bytes.data(), static_cast<std::size_t>(count)}, now_ms_);
    if (connection.talk.is_known()) strangers_.remove(id);
    return look_for_failure(connection);
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  connection.socket.close();
}

void Port::send(Connection& connection) {
  auto& unsent = connection.unsent;
  unsent += connection.talk.output(unsent.size(), now_ms_);
  std::size_t sent = 0;
  while (sent < unsent.size()) {
    const auto count = ::send(*connection.socket, unsent.data() + sent, unsent.size() - sent,
                              MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) sent += static_cast<std::size_t>(count);
    else if (errno == EAGAIN) break;
    else if (errno != EINTR) return connection.socket.close();
  }
  unsent.erase(0, sent);
  if (sent > 0 || unsent.empty()) connection.sent_at_ms = now_ms_;
}

// Sends what there is, and drops what is over. Goes to the next one.
void Port::look_after(Connections::iterator& it) {
  const auto id = it->first;
  auto& connection = (it++)->second;
  if (*connection.socket >= 0) send(connection);
  auto& talk = connection.talk;
  if (talk.is_known()) strangers_.remove(id);
  look_for_failure(connection);
  const bool is_sent = connection.unsent.empty();
  if (*connection.socket < 0 || (talk.is_over() && is_sent) ||
      (!is_sent && now_ms_ >= connection.sent_at_ms + stuck_ms))
    drop(id);
}

// One line of each connection in turn, for as long as somebody is there to ask.
void Port::ask_all() {
  if (ends_at_ms_ > 0) return;
  std::size_t idle = 0;
  while (askers_.free() > 0 && idle < connections_.size()) {
    auto it = connections_.upper_bound(last_asked_);
    if (it == connections_.end()) it = connections_.begin();
    last_asked_ = it->first;
    auto question = it->second.talk.next();
    if (question)
      askers_.ask(
          {it->first, question->number, std::move(question->line), std::move(question->from)});
    idle = question ? 0 : idle + 1;
  }
}

void Port::take_replies() {
  eventfd_t times = 0;
  ::eventfd_read(*bell_, &times);
  for (const auto& reply : askers_.take())
    if (const auto it = connections_.find(reply.connection); it != connections_.end())
      it->second.talk.answered(reply.number, reply.lines, now_ms_);
}

// ---- the loop -----------------------------------------------------------------------------------

int Port::wait_ms() const {
  std::int64_t due = now_ms_ + 60'000;
  if (ends_at_ms_ > 0) due = std::min(due, ends_at_ms_);
  if (accepts_from_ms_ > now_ms_) due = std::min(due, accepts_from_ms_);
  for (const auto& [id, connection] : connections_) {
    due = std::min(due, connection.talk.due_ms());
    if (!connection.unsent.empty()) due = std::min(due, connection.sent_at_ms + stuck_ms);
  }
  return static_cast<int>(std::max<std::int64_t>(due - now_ms_, 0));
}

// What poll() is to look at: the port's own, and then the connections in their order. One that it
// is to leave out has a negative number.
std::vector<pollfd> Port::watched() const {
  const bool accepts = ends_at_ms_ == 0 && now_ms_ >= accepts_from_ms_;
  std::vector<pollfd> files{{accepts ? *listener_ : -1, POLLIN, 0},
                            {*bell_, POLLIN, 0},
                            {ends_at_ms_ == 0 ? ends_ : -1, POLLIN, 0}};
  for (const auto& [id, connection] : connections_) {
    const bool listens = connection.talk.wants_input() && connection.unsent.empty();
    const auto events = (listens ? POLLIN : 0) | (connection.unsent.empty() ? 0 : POLLOUT);
    files.push_back({*connection.socket, static_cast<short>(events), 0});
  }
  return files;
}

// `file`: that of the first connection, as poll() has left it.
void Port::hear_all(std::vector<pollfd>::const_iterator file) {
  for (auto& [id, connection] : connections_) {
    const auto came = (file++)->revents;
    if (*connection.socket < 0) continue; // shut out meanwhile
    if ((came & (POLLERR | POLLHUP | POLLNVAL)) != 0 && (came & POLLIN) == 0)
      connection.socket.close();
    else if ((came & POLLIN) != 0) hear(id, connection);
  }
}

void Port::begin_to_end() {
  ends_at_ms_ = now_ms_ + ending_ms;
  for (auto& [id, connection] : connections_) connection.talk.shut_down();
}

void Port::run() {
  now_ms_ = boot_clock_ms();
  while (ends_at_ms_ == 0 || (now_ms_ < ends_at_ms_ && !connections_.empty())) {
    auto files = watched();
    ::poll(files.data(), files.size(), wait_ms());
    now_ms_ = boot_clock_ms();
    hear_all(files.cbegin() + own_files);
    if (files[1].revents != 0) take_replies();
    if (files[2].revents != 0) begin_to_end();
    ask_all();
    for (auto it = connections_.begin(); it != connections_.end();) look_after(it);
    ask_all(); // lines that came in where others were answered
    if (files[0].revents != 0) accept_some();
  }
}

} // namespace almanac
