#include "tools/simulator/replay/swf.hpp"

#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "tools/simulator/replay/gz_file.hpp"

#include <array>
#include <cerrno>
#include <cstring>

namespace almanac {

namespace {

constexpr std::size_t columns = 18;

// Fields may have a fraction; whole seconds and processors are what counts.
Result<std::int64_t> field(const std::string& word) {
  return parse_signed(word.substr(0, word.find('.')));
}

} // namespace

Result<std::vector<TracedJob>> read_trace(const std::string& path) {
  const GzFile file(gzopen(path.c_str(), "rb")); // reads plain files, too
  if (!file) return Error{"can't read " + path + ": " + std::strerror(errno)};
  std::vector<TracedJob> jobs;
  std::array<char, 4096> line{};
  for (std::int64_t number = 1; gzgets(file.get(), line.data(), line.size()); ++number) {
    const std::string text(trim(line.data()));
    if (text.empty() || text.front() == ';') continue;
    const auto wrong = [&](const std::string& why) {
      return Error{path + ", line " + std::to_string(number) + ": " + why};
    };
    const auto fields = words(text, " \t");
    if (fields.size() != columns)
      return wrong(std::to_string(fields.size()) + " fields, expected 18");
    std::array<std::int64_t, columns> values{};
    for (std::size_t i = 0; i < columns; ++i) {
      auto value = field(fields[i]);
      if (!value) return wrong("field " + std::to_string(i + 1) + ": " + value.what());
      values.at(i) = *value;
    }
    TracedJob job{values[0], values[1], values[3], values[4] > 0 ? values[4] : values[7],
                  values[8] > 0 ? values[8] : values[3]};
    if (job.run_time >= 0 && job.size > 0 && job.submit >= 0) jobs.push_back(job);
  }
  int problem = 0;
  const char* what = gzerror(file.get(), &problem);
  if (problem != Z_OK && problem != Z_STREAM_END) return Error{path + ": " + what};
  return jobs;
}

} // namespace almanac
