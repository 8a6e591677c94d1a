// A cell as a program sees it: a request goes out, typed values come back. Commands, console and
// every other program use this header only.
//
// 1. Nothing of the process is used: no environment, no stream, no signal, no global. What a client
//    has to know is in its options.
// 2. Every call ends: with an answer, a refusal or a failure that says what became of the request.
//    Only looking up the name of a host and MUNGE take the time that the system gives them.
// 3. A client is used by one thread at a time. Several clients may be used by several threads.
#pragma once

#include "core/base/attribute.hpp"
#include "core/base/result.hpp"
#include "core/reservation/grant.hpp"
#include "schema/door/replies.hpp"
#include "schema/door/requests.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

struct ClientOptions {
  /// Of a cell or an agent, or one with the files `doors` and `doors.pem`.
  std::string directory = "/var/lib/almanac";
  /// How long a call looks for a door that takes its request. Then it waits so long for the answer,
  /// and after each frame for the next one.
  std::chrono::milliseconds patience{30'000};
  /// Name of the first change; the others get ".2", ".3" and so on. "": each has its own.
  std::string request_id;
  /// The file door-tls-VERSION.so, which only a TCP door needs.
  std::string tls_module;
  /// A file descriptor, or -1: calls end as soon as it can be read.
  int cancel = -1;
};

/// Where a cell is for a program, whether it is there or not.
struct CellPlace {
  std::string directory; ///< with its doors
  std::string common;    ///< with the files of default options (spec/cli.md C3.2)
};

/// By ALMANAC_DIR, SGE_ROOT and SGE_CELL.
///
/// 1. The directory: ALMANAC_DIR; else, where there is a door, SGE_ROOT/CELL, SGE_ROOT, or DIR if
///    SGE_ROOT is the DIR/root of a master; without SGE_ROOT, /var/lib/almanac.
/// 2. The folder `common`: SGE_ROOT/CELL/common; without SGE_ROOT, DIR/root/CELL/common of a
///    master's directory and DIR/CELL/common of an agent's.
/// 3. CELL: SGE_CELL; else what the settings in the directory say; else the one that has a master
///    in SGE_ROOT or DIR/root, if it is the only one; else "default". What others than the owner of
///    the folder may have written there says nothing.
CellPlace find_cell(const std::vector<Attribute>& environment);

/// What the environment says: ALMANAC_DIR, SGE_ROOT, SGE_CELL, ALMANAC_DEADLINE (whole seconds of
/// at least 1) and ALMANAC_REQUEST_ID. The error names variable and value.
Result<ClientOptions> client_options(const std::vector<Attribute>& environment);

/// Where the TLS module lies for a program: beside the folder of it. "" if that is not known.
std::string tls_module_beside(const std::string& program);

/// The proof of a claim on a reservation (spec/metascheduler.md section 6), made by the TLS module,
/// which has the cryptography. What the prover has is wiped.
Result<std::string> prove_claim(const std::string& tls_module, ClaimProver prover);

/// What a process beside a client's own reads, and sits at.
struct ProcessStreams {
  int input = -1;   ///< a file descriptor, or -1: it reads nothing
  int resized = -1; ///< an eventfd that rings when the client's terminal has another size; or -1
  std::function<TerminalSize()> size{}; ///< of that terminal
};

enum class CallFailure : std::uint8_t {
  invalid,   ///< nothing was sent: the request is too large
  unreached, ///< nothing was sent: no door could be reached, or none in time
  unknown,   ///< it was sent and may have been carried out; repeated with its id, it is so once
  cancelled, ///< as of unknown, for the caller did not want to wait any longer
  refused,   ///< the master has answered, with a refusal
};

struct CallError {
  CallFailure failure = CallFailure::invalid;
  std::string why;
  std::string request_id; ///< of a request that is repeated
  Answer answer;          ///< where it was refused
};

template <class T> using CallResult = Result<T, CallError>;

// What a request is answered with, if it is not refused.
template <class Request> struct ReplyOf { using type = Answer; };
template <> struct ReplyOf<door::GetLines> { using type = door::Lines; };
template <> struct ReplyOf<door::GetJobs> { using type = door::Jobs; };
template <> struct ReplyOf<door::GetReservations> { using type = door::Reservations; };
template <> struct ReplyOf<door::GetCluster> { using type = door::Cluster; };
template <> struct ReplyOf<door::GetObjects> { using type = door::Objects; };
template <> struct ReplyOf<door::GetAccounting> { using type = door::Accounting; };
template <> struct ReplyOf<door::AwaitJob> { using type = door::Accounting; };
template <> struct ReplyOf<door::ListActors> { using type = door::Actors; };
template <> struct ReplyOf<door::InspectActor> { using type = door::Output; };
template <> struct ReplyOf<door::GetInputs> { using type = door::InputSummaries; };
template <> struct ReplyOf<door::GetMessages> { using type = door::TracedMessages; };
template <> struct ReplyOf<door::GetQuotas> { using type = door::Quotas; };
template <> struct ReplyOf<door::GetUsage> { using type = door::UsageReport; };
template <> struct ReplyOf<door::GetGrant> { using type = door::KeyOfReservation; };
template <> struct ReplyOf<door::AwaitAttachment> { using type = door::Attachment; };

/// How the row of changes ended.
enum class StreamEnd : std::uint8_t {
  over,    ///< nothing more is there, and more was not to be waited for
  gone,    ///< what came next is not kept: whoever has a copy begins anew
  stopped, ///< nobody wanted more
};

class Client {
public:
  using OnFrame = std::function<void(door::ReplyBody&)>;
  using Patience = std::optional<std::chrono::milliseconds>;
  static constexpr Patience forever = std::nullopt;

  /// Nothing is looked for before the first call.
  explicit Client(ClientOptions options);
  ~Client();
  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;

  /// Sends the request and hands over each frame of the answer, refusals too. While the master is
  /// busy or away it is sent again, with the same id.
  CallResult<Done> call(door::RequestBody body, const OnFrame& on_frame);
  /// The same with another time to wait for the answer, such as `forever` for the end of a job.
  CallResult<Done> call(door::RequestBody body, const OnFrame& on_frame, Patience answer);

  /// The frames of an answer, all of them.
  template <class Request>
  CallResult<std::vector<typename ReplyOf<Request>::type>> ask(Request request) {
    return ask(std::move(request), patience());
  }
  template <class Request>
  CallResult<std::vector<typename ReplyOf<Request>::type>> ask(Request request, Patience answer);

  /// Has a change made; the answer, which may be a refusal.
  CallResult<Answer> run(CommandBody command);

  /// Runs a process beside a running job, at the door of an agent: once, for as long as it takes.
  /// What `input` (a file descriptor, or -1) brings follows the request.
  CallResult<Done> run_process(door::Inherit request, const OnFrame& on_frame, int input);
  /// The same for an interactive job that has its place (AwaitAttachment).
  CallResult<Done> run_process(door::Attach request, const OnFrame& on_frame,
                               const ProcessStreams& streams);

  /// Whether more is wanted.
  using OnChanges = std::function<bool(door::Changes&)>;
  /// Hands over what changes, in order and each change once, for as long as somebody wants it.
  /// After a lost connection it goes on where it was. It fails where no door is reached for as long
  /// as a call looks for one.
  CallResult<StreamEnd> follow(door::Subscribe wanted, const OnChanges& on_changes);

private:
  class Line; // to a door
  Patience patience() const;

  std::unique_ptr<Line> line_;
};

template <class Request> CallResult<std::vector<typename ReplyOf<Request>::type>>
Client::ask(Request request, Patience answer) {
  using Frame = typename ReplyOf<Request>::type;
  std::vector<Frame> frames;
  std::optional<Answer> refusal;
  auto called = call(
      std::move(request),
      [&](door::ReplyBody& frame) {
        if (auto* expected = std::get_if<Frame>(&frame)) frames.push_back(std::move(*expected));
        else if (auto* refused = std::get_if<Answer>(&frame)) refusal = std::move(*refused);
      },
      answer);
  if (!called) return called.error();
  if (refusal) return CallError{CallFailure::refused, "the master refuses it", {}, *refusal};
  return frames;
}

/// A request id that nobody else makes.
std::string make_request_id();

} // namespace almanac
