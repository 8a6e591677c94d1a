// Who has a place and is not known yet, by the account that pays for it: an address.
//
// Where there is no place for one more, one of these goes, not the newcomer: else connections that
// say nothing would keep everybody out who shares their address, as long as they last.
//
// 1. Who goes is chance. So one of n outlasts k newcomers with a probability of about exp(-k/n),
//    and whoever needs moments to become known does so in few tries, however many come meanwhile;
//    if the oldest went, more than n in these moments would shut everybody out for certain.
// 2. An account crowds its own out first: those of another one go only where it has none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

template <class Id> class Strangers {
public:
  void add(const std::string& account, Id id) {
    accounts_.emplace(id, account);
    of_[account].add(id), all_.add(id);
  }

  /// It has become known, or has gone. No matter if it is none of these.
  void remove(Id id) {
    const auto it = accounts_.find(id);
    if (it == accounts_.end()) return;
    const auto crowd = of_.find(it->second);
    crowd->second.remove(id), all_.remove(id);
    if (crowd->second.members.empty()) of_.erase(crowd);
    accounts_.erase(it);
  }

  bool has(Id id) const { return accounts_.contains(id); }

  /// Who goes for a newcomer of this account. `chance` is any number, another one each time that
  /// nobody can foresee. Nothing: there is nobody.
  std::optional<Id> who_goes(const std::string& account, std::uint64_t chance) const {
    const auto own = of_.find(account);
    const auto& members = (own == of_.end() ? all_ : own->second).members;
    if (members.empty()) return std::nullopt;
    return members[chance % members.size()];
  }

private:
  // In no order: the last one takes the place of one who goes.
  struct Crowd {
    std::vector<Id> members;
    std::map<Id, std::size_t> places;

    void add(Id id) {
      places.emplace(id, members.size());
      members.push_back(id);
    }
    void remove(Id id) {
      const auto place = places.at(id);
      places[members.back()] = place, members[place] = members.back();
      members.pop_back();
      places.erase(id);
    }
  };

  std::map<Id, std::string> accounts_;
  std::map<std::string, Crowd> of_;
  Crowd all_;
};

} // namespace almanac
