// The schema that a result of a command promises, asked through xmllint.
#pragma once

#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace almanac {

class ResultSchema {
public:
  /// The file's name in share/schemas.
  explicit ResultSchema(std::string file) : file_(std::move(file)) {
    char name[] = "/tmp/almanac-schema-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  ~ResultSchema() { std::filesystem::remove_all(folder_); }
  ResultSchema(const ResultSchema&) = delete;
  ResultSchema& operator=(const ResultSchema&) = delete;

  bool takes(const std::string& text) const {
    std::ofstream(folder_ + "/result.xml") << text;
    const auto command = "xmllint --noout --nonet --schema " ALMANAC_SCHEMAS + file_ + " " +
                         folder_ + "/result.xml 2> " + folder_ + "/why";
    return std::system(command.c_str()) == 0;
  }
  std::string why() const {
    std::ostringstream text;
    text << std::ifstream(folder_ + "/why").rdbuf();
    return text.str();
  }

private:
  std::string file_, folder_;
};

} // namespace almanac
