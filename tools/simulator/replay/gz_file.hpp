// A file that zlib reads or writes; closed with its owner.
#pragma once

#include <memory>
#include <zlib.h>

namespace almanac {

struct CloseGz {
  void operator()(gzFile file) const { gzclose(file); }
};
using GzFile = std::unique_ptr<gzFile_s, CloseGz>;

} // namespace almanac
