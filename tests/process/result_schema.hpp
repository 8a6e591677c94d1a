// The schema that a result of a command promises: of XML asked through xmllint, of JSON through
// json_schema.py.
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
    std::ofstream(folder_ + "/result") << text;
    const std::string schema = ALMANAC_SCHEMAS + file_;
    const auto asks =
        file_.ends_with(".json")
            ? "python3 " ALMANAC_SCHEMAS "../../tests/process/json_schema.py " + schema
            : "xmllint --noout --nonet --schema " + schema;
    const auto command = asks + " " + folder_ + "/result 2> " + folder_ + "/why";
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
