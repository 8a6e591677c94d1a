// Values by name, found by hash. It cannot be walked: no decision can depend on the order of
// hashes. The one place in core/ where there is a hash table.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace almanac {

/// What find() gives stays where it is as long as the table.
template <class Value> class Lookup {
public:
  Value* find(std::string_view name) {
    const auto it = values_.find(name);
    return it == values_.end() ? nullptr : &it->second;
  }
  const Value* find(std::string_view name) const {
    const auto it = values_.find(name);
    return it == values_.end() ? nullptr : &it->second;
  }
  bool contains(std::string_view name) const { return values_.contains(name); }

  /// The value of the name, `value` if there is none yet.
  Value& emplace(const std::string& name, Value value = {}) {
    return values_.try_emplace(name, std::move(value)).first->second;
  }
  std::size_t size() const { return values_.size(); }
  void clear() { values_.clear(); }

private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, Value, Hash, std::equal_to<>> values_;
};

} // namespace almanac
