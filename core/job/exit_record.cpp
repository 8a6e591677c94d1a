#include "core/job/exit_record.hpp"

namespace almanac {

namespace {

struct Printer {
  std::string text;
  void operator()(const char* name, std::int64_t value) {
    text += std::string(name) + " " + std::to_string(value) + "\n";
  }
  void operator()(const char* name, const std::string& value) {
    auto line = value;
    for (auto& c : line)
      if (c == '\n') c = ' ';
    text += std::string(name) + " " + line + "\n";
  }
};

} // namespace

std::string print_exit_record(const ExitRecord& record) {
  Printer printer;
  describe(printer, const_cast<ExitRecord&>(record));
  return printer.text;
}

} // namespace almanac
