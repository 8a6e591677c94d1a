// A scenario on real processes: a cell in a temporary folder, its master and agents, the commands.
#pragma once

#include "tools/simulator/world/scenario.hpp"

#include <map>
#include <sys/types.h>

namespace almanac {

class ProcessWorld : public World {
public:
  /// `binaries`: the folder of the programs; `owner`: the user whose the cell is, "" for the
  /// caller.
  explicit ProcessWorld(std::string binaries, std::string owner = "");
  ~ProcessWorld() override;

  const char* name() const override { return "processes"; }
  Outcome begin(const std::vector<std::string>& hosts, std::int64_t slots) override;
  Output run(const std::string& user, const std::vector<std::string>& words) override;
  Output perform(const std::string& user, CommandBody body) override;
  Outcome stage(const std::string& verb, const std::string& host) override;
  Outcome mischief(const std::vector<std::string>& words) override;
  Outcome put_site_file(const std::string& name, const std::string& text) override;
  void wait(Duration duration) override;
  Instant now() const override;
  std::string directory() const override { return directory_; }
  Outcome finish() override;

private:
  std::string folder_of(const std::string& host) const;
  Outcome start(const std::string& host);
  void end_all();
  void end_leftovers() const;

  std::string binaries_, owner_, directory_;
  std::vector<std::string> hosts_;
  std::map<std::string, pid_t> daemons_; ///< "" is the master
};

} // namespace almanac
