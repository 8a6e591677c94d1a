#include "tools/coallocate/site_way.hpp"

#include "core/coallocation/site_answer.hpp"
#include "tools/coallocate/plan_file.hpp"
#include "tools/coallocate/program_site.hpp"
#include "tools/coallocate/tls_site.hpp"

namespace almanac {

Result<std::vector<std::string>> LineCutter::take(std::string_view bytes) {
  std::vector<std::string> lines;
  for (auto end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
    begun_.append(bytes.substr(0, end));
    bytes.remove_prefix(end + 1);
    if (begun_.ends_with('\r')) begun_.pop_back();
    if (begun_.size() > longest_answer_line) return Error{"it sends a line that is too long"};
    lines.push_back(std::move(begun_));
    begun_.clear();
  }
  begun_.append(bytes);
  if (begun_.size() > longest_answer_line + 1) return Error{"it sends a line that is too long"};
  return lines;
}

Result<std::unique_ptr<SiteWay>> open_way(const SitePlace& place) {
  return place.command.empty() ? open_tls_site(place) : open_program_site(place);
}

} // namespace almanac
