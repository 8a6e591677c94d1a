#include "tools/output/colour.hpp"

namespace almanac {

namespace {

bool has_one_of(std::string_view state, std::string_view letters) {
  return state.find_first_of(letters) != std::string_view::npos;
}

} // namespace

std::string in_colour_of(std::string_view state, const std::string& text, Colour colour) {
  const char* code = has_one_of(state, "EuaA")       ? "31"
                     : has_one_of(state, "sSTdDCco") ? "33"
                     : has_one_of(state, "q")        ? ""
                     : has_one_of(state, "rt")       ? "32"
                                                     : "";
  if (colour == Colour::none || !*code) return text;
  return "\033[" + std::string(code) + "m" + text + "\033[0m";
}

} // namespace almanac
