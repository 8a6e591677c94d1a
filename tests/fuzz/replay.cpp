// Calls a fuzz target with each file that is named, or lies in a folder that is: the corpus as an
// ordinary test, with any compiler.
#include "tests/fuzz/fuzz.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

namespace {

// No input of a corpus takes longer, with sanitizers and on a busy machine.
constexpr std::chrono::seconds longest{20};

void replay(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::cout << path.filename().string() << std::endl; // the last one is who crashed
  const auto begin = std::chrono::steady_clock::now();
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  almanac::check(std::chrono::steady_clock::now() - begin < longest, "no input takes long");
}

} // namespace

int main(int count, char** arguments) {
  std::set<std::filesystem::path> files;
  for (int i = 1; i < count; ++i) {
    if (!std::filesystem::is_directory(arguments[i])) files.insert(arguments[i]);
    else
      for (const auto& entry : std::filesystem::directory_iterator(arguments[i]))
        files.insert(entry.path());
  }
  for (const auto& file : files) replay(file);
  std::cout << files.size() << " inputs\n";
  return files.empty();
}
