// Lines out of the bytes of a connection, as they come: LF or CR LF ends one.
//
// Whatever comes, no more is kept than one line of the longest length and what was added last. Of a line
// that is too long the end is waited for, and the rest of it is dropped.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace almanac {

class LineAssembly {
public:
  struct Line {
    std::string text; ///< without its end; of one that is too long, its beginning
    bool is_too_long = false;
  };
  explicit LineAssembly(std::size_t longest) : longest_(longest) {}

  void add(std::string_view bytes);
  /// The next line that is complete.
  std::optional<Line> next();
  /// Bytes that are kept.
  std::size_t kept() const { return bytes_.size() - taken_; }

private:
  std::size_t longest_;
  std::string bytes_;
  std::size_t taken_ = 0;    ///< of bytes_, given out already
  std::size_t searched_ = 0; ///< up to here there is no end of a line
  bool is_too_long_ = false; ///< the line that has begun
};

} // namespace almanac
