#include "actors/process/tcp_door.hpp"

#include "core/answer/gridengine.hpp"
#include "actors/audit.hpp"
#include "actors/process/addresses.hpp"
#include "actors/process/tcp_socket.hpp"
#include "actors/process/users.hpp"
#include "actors/support.hpp"
#include "actors/trust/keyring.hpp"
#include "actors/warnings.hpp"
#include "core/execution/common_files.hpp"
#include "core/text/host_aliases.hpp"
#include "schema/codec.hpp"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <munge.h>
#include <netdb.h>
#include <sys/socket.h>

namespace almanac {

namespace {

constexpr int desks = 2; // each waits for one credential at a time
constexpr std::size_t nonce_size = 16;

struct MungeContext {
  explicit MungeContext(const std::string& socket) : context(munge_ctx_create()) {
    if (!socket.empty()) munge_ctx_set(context, MUNGE_OPT_SOCKET, socket.c_str());
  }
  ~MungeContext() { munge_ctx_destroy(context); }
  MungeContext(const MungeContext&) = delete;
  MungeContext& operator=(const MungeContext&) = delete;

  munge_ctx_t context;
};

constexpr const char* own_address = "this host";

std::string numeric(const sockaddr* address, socklen_t size) {
  char host[NI_MAXHOST] = "";
  ::getnameinfo(address, size, host, sizeof host, nullptr, 0, NI_NUMERICHOST);
  return host;
}

// Who made the credential, if it is whole, fresh, new, and over this very request on this channel.
Result<Caller> open_seal(const door::SealedRequest& sealed, const std::string& binding,
                         const std::string& socket) {
  if (sealed.nonce.content.size() != nonce_size) return Error{"its nonce does not have 16 bytes"};
  const MungeContext munge(socket);
  void* payload = nullptr;
  int size = 0;
  uid_t uid = 0;
  gid_t gid = 0;
  const auto outcome =
      munge_decode(sealed.credential.c_str(), munge.context, &payload, &size, &uid, &gid);
  const std::string content(payload ? static_cast<const char*>(payload) : "",
                            payload ? static_cast<std::size_t>(size) : 0);
  std::free(payload);
  if (outcome != EMUNGE_SUCCESS)
    return Error{std::string("the credential is refused: ") + munge_strerror(outcome)};
  if (content != sha256(binding + sealed.nonce.content + sealed.request.content))
    return Error{"the credential is for another request, or for another connection"};
  return Caller{user_name(uid), group_name(gid), uid, gid, {}, {}};
}

// The host of a numeric address, where its name leads back to it; else the address.
std::string name_of(const std::string& address) {
  const auto found = look_up(address, "", AI_NUMERICHOST);
  char name[NI_MAXHOST] = "";
  if (!found || ::getnameinfo((*found)->ai_addr, (*found)->ai_addrlen, name, sizeof name, nullptr,
                              0, NI_NAMEREQD) != 0)
    return address;
  const auto back = look_up(name, "");
  for (const auto* each = back ? back->get() : nullptr; each; each = each->ai_next)
    if (each->ai_addrlen == (*found)->ai_addrlen &&
        numeric(each->ai_addr, each->ai_addrlen) == address)
      return name;
  return address;
}

struct DeskState {
  static inline const char* name = "munge-desk";
  explicit DeskState(FrameTaker::pointer self) : self(self) {}

  void open(const DoorFrame& frame) {
    const auto sealed = decode<door::SealedRequest>(frame.content);
    if (!sealed) return refuse(frame, "the request can't be read: " + sealed.what());
    auto caller = open_seal(*sealed, frame.binding, munge_socket);
    if (!caller) return refuse(frame, caller.what());
    const auto door = caf::actor_cast<VouchedDoor>(self->current_sender());
    self->send(door, DoorVouched{frame.connection, caller->user});
    caller->host =
        official(frame.caller.host == own_address ? host_name() : name_of(frame.caller.host));
    caller->through = "tcp door, from " + frame.caller.host;
    // The door stays the sender: the answer goes there.
    caf::actor_cast<caf::strong_actor_ptr>(taker)->enqueue(
        self->current_sender(), caf::make_message_id(),
        caf::make_message(DoorFrame{frame.connection, *caller, sealed->request.content}), nullptr);
  }

  // The files are the master's owner's, and may change at any time.
  std::string official(const std::string& host) const {
    return HostAliases::parse(common_text("host_aliases"), common_text("bootstrap")).official(host);
  }
  std::string common_text(const char* name) const {
    constexpr std::streamsize most = largest_common_file;
    std::string text(static_cast<std::size_t>(most), '\0');
    std::ifstream file(common + "/" + name);
    file.read(text.data(), most);
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
  }

  void refuse(const DoorFrame& frame, const std::string& why) {
    warn_of(frame.caller.host,
            "door: a request from " + frame.caller.host + " was refused: " + why);
    auto caller = frame.caller;
    caller.through = "tcp door";
    audit(caller, "", "sends a request", Answer::refusal(why));
    self->send(caf::actor_cast<DoorKeeperActor>(self->current_sender()),
               DoorReply{frame.connection,
                         encode(door::Reply{true, gridengine::with_lines(Answer::refusal(why))}),
                         true, nullptr});
  }

  FrameTaker::pointer self;
  FrameTaker taker;
  std::string munge_socket, common;
};

FrameTaker::behavior_type munge_desk(Watched<FrameTaker, DeskState> self, FrameTaker taker,
                                     std::string munge_socket, std::string common) {
  end_process_on_exception(self, "munge-desk");
  self->state.taker = std::move(taker), self->state.munge_socket = std::move(munge_socket);
  self->state.common = std::move(common);
  return {[self](const DoorFrame& frame) { self->state.open(frame); },
          [](const CatchUp& question) { return question; }};
}

// Nobody yet, at the address of the far end; somebody on this very machine comes from his own.
Result<Visitor> peer_address(int socket) {
  Caller caller;
  caller.host = far_address(socket);
  if (caller.host.empty()) return Error{"its address is not known"};
  if (caller.host == near_address(socket)) caller.host = own_address;
  return Visitor{caller, caller.host, Share::Rank::ordinary};
}

} // namespace

Outcome munge_answers(const std::string& socket) {
  const MungeContext munge(socket);
  char* credential = nullptr;
  const auto outcome = munge_encode(&credential, munge.context, nullptr, 0);
  std::free(credential);
  if (outcome == EMUNGE_SUCCESS) return Done{};
  const char* why = munge_ctx_strerror(munge.context);
  return Error{why ? why : munge_strerror(outcome)};
}

Result<std::uint16_t> open_tcp_door(caf::actor_system& system, const TcpDoorSettings& settings,
                                    const FrameTaker& taker) {
  const auto tls = TlsContext::open_door(settings.tls);
  if (!tls) return tls.error();
  auto listening = listen_at(settings.address, settings.port);
  if (!listening) return listening.error();
  std::vector<FrameTaker> takers;
  for (int i = 0; i < desks; ++i)
    takers.push_back(
        system.spawn<caf::detached>(munge_desk, taker, settings.munge_socket, settings.common));
  const auto port = port_of(*listening);
  serve_door(system, *listening, {std::move(takers), peer_address, [](Caller&) {}, *tls});
  return port;
}

} // namespace almanac
