#include "tools/output/escape.hpp"

#include "core/text/names.hpp"

namespace almanac {

namespace {

struct TextEscape {
  template <class T> void operator()(const char*, T& field) { visit(field); }
  template <class T> void visit(T& field) {
    if constexpr (std::is_same_v<T, std::string>) {
      if (!is_plain(field)) field = printable(field);
    } else if constexpr (is_vector<T>::value)
      for (auto& element : field) visit(element);
    else if constexpr (!std::is_same_v<T, Bytes> && !std::is_enum_v<T> && !std::is_integral_v<T>)
      describe(*this, field);
  }
};

} // namespace

void escape(door::ReplyBody& reply) {
  TextEscape escape;
  std::visit([&](auto& body) { describe(escape, body); }, reply);
}

} // namespace almanac
