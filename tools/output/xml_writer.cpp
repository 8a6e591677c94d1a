#include "tools/output/xml_writer.hpp"

#include <ostream>

namespace almanac {

void XmlWriter::begin(const std::string& root, const std::string& program) {
  out_ << "<?xml version='1.0'?>\n<" << root
       << "  xmlns:xsd=\"https://github.com/gridengine/gridengine/raw/master/source/dist/util/"
          "resources/schemas/"
       << program << "/" << program << ".xsd\">\n";
  opened_.push_back(root);
}

void XmlWriter::open(const std::string& name, const std::vector<Attribute>& attributes) {
  auto text = xml_element(name, attributes, quote_);
  text.erase(text.size() - 2, 1); // the slash
  line(text);
  opened_.push_back(name);
}

void XmlWriter::close() {
  const auto name = opened_.back();
  opened_.pop_back();
  line("</" + name + ">");
}

void XmlWriter::line(const std::string& text) {
  line_.assign(2 * opened_.size(), ' ');
  line_ += text, line_ += '\n';
  out_ << line_;
}

} // namespace almanac
