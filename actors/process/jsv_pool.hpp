// The JSV of a cell as processes of this machine, with the rights of the master's own user.
//
// 1. As many processes as jobs are verified at the same time; one that has given a result is asked
//    about another job, at most four are kept for that.
// 2. One that died, took too long or wrote what it must not is not asked again. One that died between
//    two jobs is nobody's fault: another one is started at once.
// 3. When the program's file or jsv_url changes, those of before end.
// 4. Before each job it is looked at who could have written the files, also where a process waits
//    for the next one: others may have come to it since it was started.
#pragma once

#include "actors/ports/job_verifier.hpp"
#include "actors/process/jsv_process.hpp"
#include "core/configuration/objects/jsv_url.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

class JsvPool : public JobVerifier {
public:
  static constexpr std::size_t most_idle = 4;
  static constexpr std::uint64_t most_data = std::uint64_t{1} << 30; ///< bytes that each may fill

  struct Setup {
    std::vector<Attribute> environment; ///< all that it finds
    std::string user;                   ///< of this process: nobody else can be named
    /// Why a command is not run; "" if it is.
    std::function<std::string(const std::vector<std::string>& words)> distrust{};
    std::chrono::milliseconds patience{10'000};
  };
  explicit JsvPool(Setup setup) : setup_(std::move(setup)) {}

  JsvOutcome verify(const std::string& url, JsvDialogue dialogue) override;
  std::string distrust(const std::string& url) const override;

private:
  /// What tells a program from the one that was there before.
  struct Stamp {
    std::string url;
    std::uint64_t inode = 0;
    std::int64_t changed_ns = 0, size = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct Idle {
    Stamp stamp;
    std::unique_ptr<JsvProcess> process;
  };

  static Stamp stamp_of(const std::string& url, const JsvUrl& meant);
  std::string distrust(const JsvUrl& meant) const;
  std::unique_ptr<JsvProcess> take_idle(const Stamp& stamp);
  void put_back(const Stamp& stamp, std::unique_ptr<JsvProcess> process);

  Setup setup_;
  std::mutex mutex_;
  std::vector<Idle> idle_; ///< guarded by the mutex
};

} // namespace almanac
