#include "agent/shepherd/progress_file.hpp"

#include <unistd.h>

namespace almanac {

bool note(int progress, const std::string& text) {
  return ::write(progress, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// Whatever was cut off before it is closed by the first line's end.
std::string print_end(const ExitRecord& record) {
  return "\nexit\n" + print_exit_record(record) + "end\n";
}

std::string print_bound_line(const std::vector<CoreName>& cores) {
  return cores.empty() ? "" : "bound " + print_cores(cores) + "\n";
}

std::string print_usage_line(const TaskUsage& usage) {
  struct Printer {
    std::string line = "usage";
    void operator()(const char*, std::int64_t value) { line += " " + std::to_string(value); }
  } printer;
  describe(printer, const_cast<TaskUsage&>(usage)); // reads only
  return printer.line + "\n";
}

std::string print_saved_line(std::int64_t process) {
  return "saved " + std::to_string(process) + "\n";
}

} // namespace almanac
