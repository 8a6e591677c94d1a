// A 64-bit FNV-1a digest over described records: equal states have equal fingerprints.
#pragma once

#include "core/base/describe.hpp"

#include <cstdint>
#include <string_view>

namespace almanac {

constexpr std::uint64_t empty_digest = 14695981039346656037ULL;
/// One step of it: what has been digested, and a number more.
constexpr std::uint64_t digest_with(std::uint64_t digest, std::uint64_t number) {
  return (digest ^ number) * 1099511628211ULL;
}

class Fingerprint {
public:
  static constexpr bool only_looks = true;

  std::uint64_t value() const { return value_; }

  void add(std::string_view text) {
    add_number(text.size());
    for (unsigned char c : text) mix(c);
  }
  void add_number(std::uint64_t number) {
    for (int i = 0; i < 8; ++i) mix(static_cast<unsigned char>(number >> (8 * i)));
  }

  template <class T> void operator()(const char*, T& field) { add_field(field); }

  template <class T> void add_field(T& field) {
    using Plain = std::remove_cv_t<T>;
    if constexpr (std::is_same_v<Plain, std::string>) add(field);
    else if constexpr (std::is_same_v<Plain, Bytes>) add(field.content);
    else if constexpr (std::is_enum_v<Plain> || std::is_integral_v<Plain>)
      add_number(static_cast<std::uint64_t>(field));
    else if constexpr (is_vector<Plain>::value) {
      add_number(field.size());
      for (auto& element : field) add_field(element);
    } else if constexpr (is_variant<Plain>::value) {
      add_number(field.index());
      std::visit([this](auto& alternative) { add_field(alternative); }, field);
    } else describe(*this, field);
  }

private:
  void mix(unsigned char byte) { value_ = digest_with(value_, byte); }

  std::uint64_t value_ = empty_digest;
};

/// The fingerprint of one record. Reads only, although describe() takes a mutable reference.
template <class T> std::uint64_t fingerprint(const T& record) {
  Fingerprint digest;
  digest.add_field(const_cast<T&>(record));
  return digest.value();
}

} // namespace almanac
