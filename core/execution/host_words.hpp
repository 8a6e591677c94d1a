// What only the host of a task knows. The master writes a mark for it, the helper of the host's
// agent fills it in.
//
// A mark is a zero byte and a letter. Nobody's text has a zero byte in it
// (core/request/findings.hpp), so nothing that a user writes is a mark.
#pragma once

#include "core/base/describe.hpp"
#include "core/base/result.hpp"

#include <string>

namespace almanac {

struct HostWords {
  std::string home, shell; ///< of the user that a process runs as
  std::string folder;      ///< of the task
  std::string tmpdir;      ///< of the task
  std::string directory;   ///< the agent's, where commands find its door
  std::string binaries;    ///< where the commands are
  std::string arch;
};
template <class V> void describe(V& visit, HostWords& w) {
  visit("home", w.home);
  visit("shell", w.shell);
  visit("folder", w.folder);
  visit("tmpdir", w.tmpdir);
  visit("directory", w.directory);
  visit("binaries", w.binaries);
  visit("arch", w.arch);
}

/// As the master writes them.
HostWords marks();

/// Puts the words where their marks are; the error: there is a zero byte that belongs to none.
Outcome fill_in(std::string& text, HostWords words);

/// The same in all texts of a record.
class FillIn {
public:
  explicit FillIn(const HostWords& words) : words_(words) {}

  template <class T> void operator()(const char*, T& field) {
    if constexpr (std::is_same_v<T, std::string>) {
      if (auto filled = fill_in(field, words_); !filled) outcome = filled;
    } else if constexpr (is_vector<T>::value)
      for (auto& element : field) (*this)("", element);
    else if constexpr (!std::is_enum_v<T> && !std::is_integral_v<T>) describe(*this, field);
  }

  Outcome outcome = Done{};

private:
  const HostWords& words_;
};

} // namespace almanac
