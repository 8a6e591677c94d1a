// The tokens of the metascheduler's lines, a row each: which verbs take one, what its value is, and
// what holds without it (spec/metascheduler.md section 3, M3.9 to M3.34).
#pragma once

#include "core/base/describe.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace almanac {

/// The four of the Grid Forum come first.
enum class SiteVerb : std::uint8_t {
  query,
  resquery,
  resqandset,
  setres,
  commit,
  abort,
  release,
  modify,
  status,
  challenge,
  hello
};
template <> inline constexpr SiteVerb last_of<SiteVerb> = SiteVerb::hello;

std::string_view name_of(SiteVerb verb);
std::optional<SiteVerb> find_site_verb(std::string_view name); ///< in any case
/// "QUERY,RESQUERY,...", all of them.
std::string site_verb_names();

/// A set of them.
class SiteVerbs {
public:
  constexpr SiteVerbs() = default;
  constexpr SiteVerbs(std::initializer_list<SiteVerb> verbs) {
    for (const auto verb : verbs) bits_ |= 1U << static_cast<unsigned>(verb);
  }
  constexpr bool contains(SiteVerb verb) const {
    return (bits_ >> static_cast<unsigned>(verb)) & 1U;
  }

private:
  unsigned bits_ = 0;
};

enum class SiteValue : std::uint8_t {
  word,         ///< not empty
  length,       ///< TIMENEEDED
  start,        ///< seconds since the epoch, or NOW
  time_spec,    ///< TIMESPEC
  reservations, ///< R1,R2
  reservation,  ///< R1
  resources,    ///< name=amount,...
  attributes,   ///< name:value,...
  count,        ///< a number, 0 or more
  positive,     ///< a number, 1 or more
  memory,       ///< bytes, with K M G
  flag,         ///< 0 or 1
  words,        ///< a list with commas
};

struct SiteToken {
  std::string_view name;
  SiteVerbs verbs;       ///< that take it
  SiteVerbs required_by; ///< that cannot do without it
  SiteValue value = SiteValue::word;
  std::string_view without; ///< what holds without it, for people
  std::string_view help;
};

std::span<const SiteToken> site_tokens();
/// The row of this name, which is in upper case; or nullptr.
const SiteToken* find_site_token(std::string_view name);

} // namespace almanac
