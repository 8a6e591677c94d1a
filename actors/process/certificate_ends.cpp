#include "actors/process/certificate_ends.hpp"

#include "actors/process/certificate.hpp"
#include "actors/process/daemon.hpp"

#include <spdlog/spdlog.h>

namespace almanac {

void warn_of_ends(const TlsFiles& files, Instant now) {
  for (const auto& file : {files.certificate, files.authority}) {
    const auto content = read_file(file);
    const auto certificate = content ? read_certificate(*content) : content.error();
    const auto warning = certificate ? warning_of(*certificate, file, now)
                                     : "can't read " + file + ": " + certificate.what();
    if (!warning.empty()) spdlog::warn("{}", warning);
  }
}

} // namespace almanac
