// Core values <-> bytes, by the schema files beside this one.
//
// One codec serves all records: it walks describe() and finds each field in the schema under the
// same name in camelCase. A field that the schema lacks is a bug that the first encode() reports.
// Threads: all functions may be called from anywhere.
#pragma once

#include "core/planning/decisions.hpp"
#include "core/reservation/grant.hpp"
#include "schema/door/replies.hpp"
#include "schema/door/requests.hpp"
#include "schema/session_messages.hpp"

#include <string>
#include <string_view>

namespace almanac {

/// The bytes of a record: one Cap'n Proto message, unpacked.
template <class T> std::string encode(const T& record);

/// Reads what encode() wrote, from anybody: malformed, truncated and oversized bytes are errors,
/// and so is a text with a NUL character in it.
template <class T> Result<T> decode(std::string_view bytes);

/// What is signed, or digested: the same bytes for the same record whoever encoded it, of whichever
/// version (Cap'n Proto's canonical form; of KeyGrant and door::RunCommand).
template <class T> std::string canonical(const T& record);
/// The error says, too, where the bytes are not in canonical form.
template <class T> Result<T> decode_canonical(std::string_view bytes);

} // namespace almanac
