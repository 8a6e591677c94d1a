#include "schema/door/valid_reply.hpp"

#include "core/request/findings.hpp"

#include <limits>

namespace almanac::door {

namespace {

// All that a master takes is below: sizes, booked amounts, clamped sums (core/base/wide.hpp).
constexpr std::int64_t highest_number = std::numeric_limits<std::int64_t>::max() / 2;

class ReplyCheck {
public:
  static constexpr bool only_looks = true;

  template <class T> void operator()(const char* name, T& field) { look(name, field); }
  Outcome outcome() const { return findings_.outcome(); }

private:
  template <class T> void look(const char* name, T& field) {
    if (findings_.any()) return;
    if constexpr (std::is_same_v<T, Instant> || std::is_same_v<T, Duration>) {
      if (field.seconds != Instant::never().seconds) number(name, field.seconds);
    } else if constexpr (IsId<T>) return; // nobody counts with it
    else if constexpr (is_vector<T>::value)
      for (auto& element : field) look(name, element);
    else if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) return; // the codec has looked
    else if constexpr (std::is_integral_v<T>) number(name, field);
    else if constexpr (!IsText<T> && !std::is_same_v<T, std::string> && !std::is_same_v<T, Bytes>) {
      if constexpr (std::is_same_v<T, Grant>) slots("slots", field.slots);
      if constexpr (std::is_same_v<T, InstanceView>)
        slots("slots in use", field.used), slots("slots", field.total);
      if constexpr (std::is_same_v<T, JobLine>)
        findings_.require(!field.running || !field.grants.empty(), "a task runs nowhere");
      if constexpr (std::is_same_v<T, Window>)
        findings_.require(field.start <= field.end, "a window ends before it begins");
      describe(*this, field);
    }
  }
  // They are added up over the whole cell.
  void slots(const char* what, std::int64_t count) {
    constexpr std::int64_t most = 1LL << 40;
    findings_.range(what, count, 0, most);
  }
  template <class T> void number(const char* name, T value) {
    findings_.range(name, static_cast<std::int64_t>(value), -highest_number, highest_number);
  }

  Findings findings_;
};

} // namespace

Outcome valid_reply(const ReplyBody& body) {
  ReplyCheck check;
  std::visit(
      [&](auto& frame) { describe(check, const_cast<std::decay_t<decltype(frame)>&>(frame)); },
      body); // reads only
  return check.outcome();
}

} // namespace almanac::door
