// The options of all plus_* commands, a row each: which commands have it, how it is written and
// read, and what it means (spec/plus.md sections 2 and 3).
//
// Most of what the options mean was restored without PluS's own texts. If these turn up, this table is
// what has to change (P0.1): the commands, -help and the man pages come from it.
//
// No column has a default.
#pragma once

#include "core/base/column.hpp"
#include "core/request/options.hpp"
#include "core/request/plus_values.hpp"
#include "core/reservation/reservation_request.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// What a command line says. What is not given is as below.
struct PlusOptions {
  bool help = false;
  std::string refusal; ///< what is asked for is understood, and is not done

  bool holds = false;                ///< -T: wait for plus_commit
  bool as_xml = false;               ///< -x
  std::optional<Instant> start, end; ///< -s, -e
  std::optional<Duration> length;    ///< -D
  ReservationNumber number;          ///< -r; 0: none
  std::string owner;                 ///< -o with a value
  std::string key_file;              ///< -reskey; "": none
  /// -n, -sn, -p, -mem, -ncpu, -arch, -os, -l, -sgeq of plus_reserve; -n of plus_modify
  ReservationRequest request;
  std::vector<std::string> users; ///< -U: beside the owner

  // plus_status
  bool with_nodes = false;  ///< -n
  std::int64_t expired = 0; ///< -ne

  // plus_scheduler
  std::optional<bool> sorts;              ///< -a
  std::string sort_file;                  ///< -c
  std::string store;                      ///< -r
  std::optional<std::int64_t> kept;       ///< -ne
  std::optional<std::string> only_queues; ///< -sgeq, as PLUS_QUEUES has them

  // plus_account
  std::int64_t days = 0; ///< -d; 0: not given
  std::string file;      ///< -f
  bool by_owner = false; ///< -o
  bool by_node = false;  ///< -n
  std::vector<std::string> nodes;
  bool each = false;       ///< -l
  bool only_total = false; ///< -S
};

/// An option that is read.
struct PlusReading {
  PlusOptions& into;
  const GivenOption& option;
  const PlusClock& clock;

  bool has_value() const { return !option.values.empty(); }
  const std::string& value() const { return option.values.front(); }
  Error wrong(const std::string& why) const { return option.wrong(why); }
};

struct PlusOption {
  Column<std::string_view> name;   ///< with its dash
  Column<std::string_view> values; ///< the words that follow it, as the usage calls them
  Column<std::string_view> of;     ///< the commands that have it, without "plus_"
  Column<std::string_view> needed; ///< those of them that can't do without it
  Column<std::string_view> help;   ///< of the usage
  Column<Outcome (*)(const PlusReading& reading)> read;
};

/// The commands, without "plus_".
std::span<const std::string_view> plus_commands();
std::span<const PlusOption> plus_table();
/// Of one command, in the order of the table.
std::vector<const PlusOption*> plus_options_of(std::string_view command);

} // namespace almanac
