// What records are called: keys inside, which are never used again, and numbers for people; and
// which input of the journal is meant, and which start of the master.
//
// Described as one number, so that bytes on disk and wire are those of a number.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <type_traits>

namespace almanac {

/// 0: none.
template <class Tag> struct Id {
  std::int64_t value = 0;
  auto operator<=>(const Id&) const = default;
  explicit operator bool() const { return value != 0; }
  explicit operator std::int64_t() const { return value; }
};
template <class Tag> std::string to_string(Id<Tag> id) { return std::to_string(id.value); }

using JobKey = Id<struct JobKeyTag>;
using JobNumber = Id<struct JobNumberTag>;
using ReservationKey = Id<struct ReservationKeyTag>;
using ReservationNumber = Id<struct ReservationNumberTag>;
using Sequence = Id<struct SequenceTag>; ///< of inputs in the journal, from 1 on
using Term = Id<struct TermTag>;         ///< rises with each start of the master

/// A task of a job; 0 for the only one of a job that is no array.
struct TaskId {
  JobKey job;
  std::int64_t task = 0;
  auto operator<=>(const TaskId&) const = default;
};

template <class T> struct is_id : std::false_type {};
template <class Tag> struct is_id<Id<Tag>> : std::true_type {};
template <class T>
concept IsId = is_id<T>::value;
/// What is written as one number; enumerations apart.
template <class T>
concept IsNumber = IsId<T> || std::is_integral_v<T>;

template <class V, IsId T> void describe(V& visit, T& id) { visit("value", id.value); }

} // namespace almanac
