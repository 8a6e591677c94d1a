#include "core/configuration/objects/host_set.hpp"

#include "core/configuration/objects/readers.hpp"
#include "core/text/words.hpp"

namespace almanac {

namespace {

using Hosts = std::set<std::string>;

Outcome read_hosts(Hosts& hosts, const GivenAttribute& given) {
  for (const auto& entry : parse_name_list(given.text)) {
    if (!valid_host_name(entry)) return Error{"\"" + entry + "\" is not a host name"};
    hosts.insert(lower(entry));
  }
  return Done{};
}

const AttributeRow<Hosts> rows[]{{.name = "entries",
                                  .fallback = "NONE",
                                  .shape = ValueShape::hosts,
                                  .read = read_hosts,
                                  .check = readers::anything}};

} // namespace

Result<Hosts> parse_host_set(const ConfigurationObject& object) {
  Hosts hosts;
  if (auto read = read_rows(rows, object, hosts); !read) return read.error();
  return hosts;
}

Kind host_set_kind(std::string_view name) { return kind_with<rows>(name, "", ""); }

} // namespace almanac
