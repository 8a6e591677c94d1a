// One connection to the port, without its socket: bytes come in, lines go on to whoever asks the
// master, bytes come out (spec/metascheduler.md section 2, M8.26).
//
//   shaking hands --TLS is open--> open --a proof fails--> failed --after 200 ms--> over
//
// 1. Nothing goes on before it is known who sent it: by the certificate of the connection, or by
//    the seal of each line (actors/trust/line_seal.hpp). After a failure no more is read.
// 2. What is kept is bounded: where much waits, wants_input() is false.
// 3. Times are milliseconds of a clock that does not go back.
#pragma once

#include "actors/process/tls_channel.hpp"
#include "actors/trust/line_seal.hpp"
#include "core/admission/line_assembly.hpp"
#include "core/admission/line_turns.hpp"
#include "core/request/site_line.hpp"
#include "tools/commands/site_exchange.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace almanac {

/// Who may send lines.
struct KnownCallers {
  std::map<std::string, SiteSubject> by_subject; ///< of a certificate
  std::map<std::string, SiteSubject> by_key_id;
  std::vector<LineSecret> secrets;
};

class Talk {
public:
  static constexpr std::int64_t idle_ms = 60'000;     ///< without a line
  static constexpr std::int64_t knocking_ms = 10'000; ///< until it is known who it is
  static constexpr std::int64_t failure_ms = 200;     ///< until a failed proof is answered

  struct Question {
    std::uint64_t number = 0;
    std::string line;
    SiteSubject from;
  };

  Talk(const TlsContext& context, const KnownCallers& callers, std::int64_t now_ms);

  /// Bytes of the far end.
  void hear(std::string_view bytes, std::int64_t now_ms);
  /// The next line that the master can be asked now.
  std::optional<Question> next();
  void answered(std::uint64_t number, const std::vector<std::string>& lines, std::int64_t now_ms);
  /// Does what is due; bytes for the far end. `unsent`: of those that it has not taken yet.
  std::string output(std::size_t unsent, std::int64_t now_ms);
  /// From now on what was not asked is answered that the site shuts down.
  void shut_down();

  bool wants_input() const { return state_ == State::open && !shuts_down_ && !turns_.is_full(); }
  /// Whether it has proved who it is.
  bool is_known() const { return is_known_; }
  /// Asks once whether a proof has failed since.
  bool take_failure() { return std::exchange(has_failed_, false); }
  /// Whether nothing more will come of it, once what output() gave was sent.
  bool is_over() const { return state_ == State::over; }
  /// When output() is to be asked again, whatever comes; the largest number: not at all.
  std::int64_t due_ms() const;

private:
  enum class State { open, failed, over };
  using Line = LineAssembly::Line;

  void take_lines(std::int64_t now_ms);
  void take(Line line, std::int64_t now_ms);
  std::optional<SiteSubject> sender_of(Line& line);
  void refuse_waiting();
  void fail(std::int64_t now_ms);
  void say(const std::string& text);

  TlsChannel channel_;
  const KnownCallers& callers_;
  LineAssembly assembly_{longest_site_line + longest_seal};
  LineTurns turns_{{}};
  std::map<std::uint64_t, SiteSubject> senders_; ///< of lines that are not asked yet
  State state_ = State::open;
  std::optional<SiteSubject> certified_; ///< whom the certificate of the connection is of
  bool is_known_ = false, has_failed_ = false, shuts_down_ = false;
  std::int64_t lines_ = 0; ///< that were heard
  std::int64_t line_at_ms_, begun_at_ms_, failed_at_ms_ = 0;
};

} // namespace almanac
