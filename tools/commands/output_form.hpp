// Which of a listing's machine-readable forms is wanted.
#pragma once

#include "core/request/options.hpp"

#include <string>

namespace almanac {

/// "-xml" or "-json", whichever comes last: those of files of default options come first. "": neither.
inline std::string last_form(const GivenOptions& given) {
  std::string form;
  for (const auto& option : given.options)
    if (option.name == "-xml" || option.name == "-json") form = option.name;
  return form;
}

} // namespace almanac
