// Members by key, both ascending.
#pragma once

#include <map>
#include <set>
#include <vector>

namespace almanac {

/// A key without members is not there.
template <class Key, class Member> class Groups {
public:
  bool operator==(const Groups&) const = default;

  void clear() { members_.clear(); }
  void insert(const Key& key, const Member& member) { members_[key].insert(member); }
  /// Nothing where it is not there.
  void erase(const Key& key, const Member& member) {
    const auto it = members_.find(key);
    if (it == members_.end()) return;
    it->second.erase(member);
    if (it->second.empty()) members_.erase(it);
  }

  bool contains(const Key& key) const { return members_.contains(key); }
  std::vector<Member> of(const Key& key) const {
    const auto it = members_.find(key);
    return it == members_.end() ? std::vector<Member>()
                                : std::vector<Member>(it->second.begin(), it->second.end());
  }

private:
  std::map<Key, std::set<Member>> members_;
};

} // namespace almanac
