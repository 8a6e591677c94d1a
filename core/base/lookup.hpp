// Values by name or another key, found by hash. It cannot be walked in an order: no decision can
// depend on that of hashes. Beside position_index.hpp the one place in core/ where there is a hash
// table.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace almanac {

/// What a value is looked up by: a key, or what it can be compared with. A key of several texts says
/// of which views it is `Asked`, so that nobody has to copy these.
template <class Key> struct LookupBy { using Asked = const Key&; };
template <> struct LookupBy<std::string> { using Asked = std::string_view; };
template <class Key>
requires requires { typename Key::Asked; }
struct LookupBy<Key> {
  using Asked = typename Key::Asked;
};

/// What find() gives stays where it is until it is erased.
template <class Value, class Key = std::string> class Lookup {
  using Asked = typename LookupBy<Key>::Asked;

public:
  Value* find(Asked key) {
    const auto it = values_.find(key);
    return it == values_.end() ? nullptr : &it->second;
  }
  const Value* find(Asked key) const {
    const auto it = values_.find(key);
    return it == values_.end() ? nullptr : &it->second;
  }
  bool contains(Asked key) const { return values_.contains(key); }

  /// The value of the key, `value` if there is none yet.
  Value& emplace(const Key& key, Value value = {}) {
    return values_.try_emplace(key, std::move(value)).first->second;
  }
  void erase(const Key& key) { values_.erase(key); }
  /// Whether `test` holds for each key and value.
  template <class Test> bool all_of(Test test) const {
    return std::all_of(values_.begin(), values_.end(),
                       [&](const auto& entry) { return test(entry.first, entry.second); });
  }
  std::size_t size() const { return values_.size(); }
  void clear() { values_.clear(); }

private:
  struct Hash : std::hash<std::remove_cvref_t<Asked>> {
    using is_transparent = void;
  };
  std::unordered_map<Key, Value, Hash, std::equal_to<>> values_;
};

} // namespace almanac
