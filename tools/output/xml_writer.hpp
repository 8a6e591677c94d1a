// A document of nested elements, a line each, as Grid Engine's programs print XML (spec/cli.md
// section 6.6). Names of elements are ours; all texts are escaped.
#pragma once

#include "core/text/xml.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

class XmlWriter {
public:
  /// `quote`: of attributes; qhost has the single one (spec/observed-gridengine.md section 6).
  explicit XmlWriter(std::ostream& out, char quote = '"') : out_(out), quote_(quote) {}

  /// The line that begins every document, and its root. `program` names the schema, which is no
  /// namespace: clients look for elements without one.
  void begin(const std::string& root, const std::string& program);
  void open(const std::string& name, const std::vector<Attribute>& attributes = {});
  void close();

  void put(std::string_view name, std::string_view text) { line(xml_element(name, text)); }
  void put(std::string_view name, std::int64_t number) { put(name, std::to_string(number)); }
  void put(std::string_view name, const std::vector<Attribute>& attributes, std::string_view text) {
    line(xml_element(name, attributes, text, quote_));
  }

private:
  void line(const std::string& text);

  std::ostream& out_;
  char quote_;
  std::vector<std::string> opened_;
  std::string line_; ///< that was written last; kept for its memory
};

} // namespace almanac
