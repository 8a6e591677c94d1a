#include "core/utilization/container.hpp"

namespace almanac {

namespace {

constexpr std::string_view beside_suffix = "/shared";

std::string_view prefix_of(Container::Kind kind) {
  switch (kind) {
  case Container::Kind::host: return "host:";
  case Container::Kind::pe: return "pe:";
  case Container::Kind::queue: return "queue:";
  case Container::Kind::quota: return "quota:";
  default: return "global";
  }
}

} // namespace

std::string Container::text() const { return std::string(prefix_of(kind)) + name; }

Result<Container> Container::parse(std::string_view text) {
  if (text.empty() || text == prefix_of(Kind::global)) return Container::global();
  for (const auto kind : {Kind::host, Kind::pe, Kind::queue, Kind::quota})
    if (const auto prefix = prefix_of(kind); text.starts_with(prefix))
      return Container{kind, std::string(text.substr(prefix.size()))};
  return Error{"no container is called \"" + std::string(text) + "\""};
}

std::string Resource::text() const { return beside ? name + std::string(beside_suffix) : name; }

Result<Resource> Resource::parse(std::string_view text) {
  if (!text.ends_with(beside_suffix)) return Resource(std::string(text));
  return Resource(std::string(text.substr(0, text.size() - beside_suffix.size())), true);
}

} // namespace almanac
