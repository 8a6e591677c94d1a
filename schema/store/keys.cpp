#include "schema/store/keys.hpp"

#include <algorithm>

namespace almanac::store {

namespace {

std::string_view behind_a_number(std::string_view key) {
  return key.substr(std::min<std::size_t>(8, key.size()));
}

} // namespace

std::string number_key(std::int64_t number) {
  std::string key(8, '\0');
  for (std::size_t i = 0; i < 8; ++i)
    key[i] = static_cast<char>(static_cast<std::uint64_t>(number) >> (56 - 8 * i));
  return key;
}

std::int64_t key_number(std::string_view key) {
  std::uint64_t number = 0;
  for (const unsigned char byte : key.substr(0, 8)) number = number << 8 | byte;
  return static_cast<std::int64_t>(number);
}

std::string stored_key(const TaskId& id) { return number_key(id.job.value) + number_key(id.task); }

template <> TaskId key_of_stored(std::string_view key) {
  return {{key_number(key)}, key_number(behind_a_number(key))};
}

std::string stored_key(const TransactionKey& key) {
  return number_key(key.number.value) + key.transaction;
}

template <> TransactionKey key_of_stored(std::string_view key) {
  return {{key_number(key)}, std::string(behind_a_number(key))};
}

std::string stored_key(const InstanceName& name) { return name.text(); }
std::string stored_key(const std::string& name) { return name; }

template <> InstanceName key_of_stored(std::string_view key) {
  const auto name = InstanceName::parse(key);
  return name ? *name : InstanceName{};
}
template <> std::string key_of_stored(std::string_view key) { return std::string(key); }

std::string accounting_key(JobNumber number, std::int64_t sequence) {
  return number_key(number.value) + number_key(sequence);
}

std::string object_key(ObjectKind kind, const std::string& name) {
  return std::string(1, static_cast<char>('a' + static_cast<int>(kind))) + name;
}

std::pair<ObjectKind, std::string> key_object(std::string_view key) {
  return {static_cast<ObjectKind>(key.front() - 'a'), std::string(key.substr(1))};
}

} // namespace almanac::store
