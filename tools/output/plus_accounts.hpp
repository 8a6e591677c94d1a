// How much was reserved, and how much of it was used, as plus_account shows it (spec/plus.md P3.55 to
// P3.66).
#pragma once

#include "schema/door/usage_view.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace almanac {

/// What a row is about.
enum class AccountRow { owner, node, owner_and_node, reservation, all };

struct AccountsWanted {
  AccountRow row = AccountRow::owner;
  std::string owner;              ///< only theirs; "": everybody's
  std::vector<std::string> nodes; ///< only these; empty: all
};

/// A row. Times are in seconds; those of nodes are added up.
struct PlusAccount {
  std::vector<std::string> name; ///< a word for each column that names it
  std::int64_t reservations = 0, canceled = 0;
  std::int64_t reserved = 0, of_nodes = 0, used = 0;
};

/// In the order of their names.
std::vector<PlusAccount> accounts_of(const std::vector<door::ReservationUsageView>& usage,
                                     const AccountsWanted& wanted);

/// Nothing at all where there is no row.
void print_plus_accounts(std::ostream& out, AccountRow row, const std::vector<PlusAccount>& list);

} // namespace almanac
