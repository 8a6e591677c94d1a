#include "core/configuration/spooled_cell.hpp"

#include "core/configuration/objects/kind.hpp"
#include "core/configuration/objects/lists.hpp"
#include "core/configuration/objects/quota_file.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>

namespace almanac {

namespace {

// What lies in a folder, or in the file of this name. In the order in which objects refer to others.
struct Place {
  std::string_view name;
  ObjectKind kind;
};
constexpr Place places[]{{"centry", ObjectKind::complex},
                         {"usersets", ObjectKind::userset},
                         {"projects", ObjectKind::project},
                         {"users", ObjectKind::user},
                         {"calendars", ObjectKind::calendar},
                         {"pe", ObjectKind::parallel_environment},
                         {"ckpt", ObjectKind::checkpoint},
                         {"exec_hosts", ObjectKind::exec_host},
                         {"execution", ObjectKind::exec_host},
                         {"admin_hosts", ObjectKind::admin_hosts},
                         {"submit_hosts", ObjectKind::submit_hosts},
                         {"hostgroups", ObjectKind::host_group},
                         {"cqueues", ObjectKind::cluster_queue},
                         {"resource_quotas", ObjectKind::quota_set},
                         {"configuration", ObjectKind::global_configuration},
                         {"configurations", ObjectKind::local_configuration},
                         {"local_conf", ObjectKind::local_configuration},
                         {"sched_configuration", ObjectKind::scheduler_configuration},
                         {"schedconf", ObjectKind::scheduler_configuration},
                         {"managers", ObjectKind::managers},
                         {"operators", ObjectKind::operators}};

const Place* place_of(const std::string& path) {
  const auto folder = path.substr(0, path.find('/'));
  const auto* found = std::find_if(std::begin(places), std::end(places),
                                   [&](const Place& place) { return place.name == folder; });
  return found == std::end(places) ? nullptr : found;
}

// The name of the file within its folder; of a file that lies in no folder, "".
std::string file_name(const std::string& path) {
  const auto slash = path.find('/');
  return slash == std::string::npos ? "" : path.substr(slash + 1);
}

// A line without a value is one of an empty list.
std::string with_values(const std::string& text) {
  std::string whole;
  bool continued = false;
  for (const auto& line : split(text, '\n')) {
    const auto trimmed = trim(line);
    const bool has_value = trimmed.find_first_of(" \t") != std::string_view::npos;
    whole += line;
    if (!continued && !trimmed.empty() && !trimmed.starts_with('#') && !has_value) whole += " NONE";
    whole += '\n';
    continued = trimmed.ends_with('\\');
  }
  return whole;
}

// The scheduler's file has words of its own.
void mend_scheduler(std::vector<Attribute>& attributes) {
  for (auto& [name, value] : attributes)
    if (name == "queue_sort_method" && value == "0") value = "load";
    else if (name == "queue_sort_method" && value == "1") value = "seqno";
  std::erase_if(attributes, [](const Attribute& one) {
    return one.name == "weight_tickets_override" && one.value == "0";
  });
}

class Reader {
public:
  Reader(const Configuration& here, const std::vector<SpooledFile>& files)
      : here_(here), files_(files) {}

  SpooledCell read() {
    std::vector<const Place*> kinds;
    for (const auto& file : files_) kinds.push_back(place_of(file.place));
    for (const auto& place : places)
      for (std::size_t i = 0; i < files_.size(); ++i)
        if (kinds[i] == &place) take(place.kind, i);
    add_complexes();
    order_by_references(ObjectKind::host_group, "hostlist");
    order_by_references(ObjectKind::cluster_queue, "subordinate_list");
    if (has_share_tree())
      cell_.notes.emplace_back("sharetree: there is no share tree here, it is left out");
    return std::move(cell_);
  }

private:
  void refuse(std::size_t file, const std::string& why) {
    cell_.errors.push_back({files_[file].place + ": " + why});
  }
  void add(std::size_t file, ChangeVerb verb, ConfigurationObject object,
           std::vector<std::string> entries = {}) {
    cell_.changes.push_back({{verb, std::move(object), std::move(entries)}, file});
  }

  void take(ObjectKind kind, std::size_t file) {
    switch (kind) {
    case ObjectKind::complex: return take_complex(file);
    case ObjectKind::quota_set: return take_quota_set(file);
    case ObjectKind::admin_hosts:
    case ObjectKind::submit_hosts: return take_hosts(kind, file);
    case ObjectKind::managers:
    case ObjectKind::operators: return take_names(kind, file);
    default: return take_object(kind, file);
    }
  }

  std::optional<std::vector<Attribute>> attributes_of(ObjectKind kind, std::size_t file) {
    auto parsed = parse_attribute_file(with_values(files_[file].text));
    if (!parsed) {
      refuse(file, parsed.what());
      return std::nullopt;
    }
    std::erase_if(*parsed, [&](const Attribute& one) { return is_spooled_only(kind, one.name); });
    return std::move(*parsed);
  }

  void take_object(ObjectKind kind, std::size_t file) {
    const auto base = file_name(files_[file].place);
    if (kind == ObjectKind::exec_host && base == "template") return; // what new ones begin with
    if (kind == ObjectKind::local_configuration && base == "global")
      kind = ObjectKind::global_configuration;
    auto attributes = attributes_of(kind, file);
    if (!attributes) return;
    if (kind == ObjectKind::scheduler_configuration) mend_scheduler(*attributes);
    ConfigurationObject object{kind, "", std::move(*attributes)};
    if (kind == ObjectKind::local_configuration) object.name = base;
    else if (const auto key = name_attribute(kind); !key.empty()) {
      const auto* name = object.find(key);
      if (!name) return refuse(file, "attribute \"" + std::string(key) + "\" is missing");
      object.name = *name;
      std::erase_if(object.attributes, [&](const Attribute& one) { return one.name == key; });
    }
    if (kind == ObjectKind::local_configuration && object.attributes.empty()) return;
    const auto* known = here_.find(kind, object.name);
    const auto usual = known ? *known : template_of(kind, object.name);
    // Thousands of objects have what new ones have.
    std::erase_if(object.attributes, [&](const Attribute& one) {
      const auto* value = usual.find(one.name);
      return value && *value == one.value;
    });
    if (known && object.attributes.empty()) return;
    add(file, known || is_single(kind) ? ChangeVerb::modify : ChangeVerb::add, std::move(object));
  }

  // One attribute a file, or the table that qconf shows.
  void take_complex(std::size_t file) {
    if (file_name(files_[file].place).empty()) {
      const auto table = parse_complex_table(files_[file].text);
      if (!table) return refuse(file, table.what());
      for (const auto& [name, row] : *table) complexes_.set(name, row);
    } else {
      const auto attributes = attributes_of(ObjectKind::complex, file);
      if (!attributes) return;
      const ConfigurationObject object{ObjectKind::complex, "", *attributes};
      std::string row;
      for (const char* column : {"name", "shortcut", "type", "relop", "requestable", "consumable",
                                 "default", "urgency"}) {
        const auto* value = object.find(column);
        if (!value) return refuse(file, "attribute \"" + std::string(column) + "\" is missing");
        if (std::string_view(column) != "name") row += (row.empty() ? "" : " ") + *value;
      }
      complexes_.set(*object.find("name"), row);
    }
    file_of_complexes_ = file;
  }

  void add_complexes() {
    if (complexes_.attributes.empty()) return;
    const auto* known = here_.find(ObjectKind::complex, "");
    auto table = known ? *known : template_of(ObjectKind::complex, "");
    const auto before = table;
    for (const auto& [name, row] : complexes_.attributes) table.set(name, row);
    if (table == before) return;
    cell_.changes.insert(
        cell_.changes.begin(),
        SpooledChange{{ChangeVerb::modify, std::move(table), {}}, file_of_complexes_});
  }

  void take_quota_set(std::size_t file) {
    const auto& text = files_[file].text;
    const auto sets =
        parse_quota_sets(text.find('{') != std::string::npos && text.find("name") > text.find('{')
                             ? text
                             : "{\n" + text + "\n}\n");
    if (!sets) return refuse(file, sets.what());
    for (const auto& set : *sets)
      add(file, here_.find(set.kind, set.name) ? ChangeVerb::modify : ChangeVerb::add, set);
  }

  // A file for each host with its name in it, or a list of them.
  void take_hosts(ObjectKind kind, std::size_t file) {
    std::vector<std::string> hosts;
    for (const auto& line : split(files_[file].text, '\n')) {
      auto all = words(line, " \t\r");
      if (all.empty() || all.front().starts_with('#')) continue;
      if (all.front() == "hostname" && all.size() == 2) hosts.push_back(all[1]);
      else hosts.push_back(all.front());
    }
    add_missing(kind, file, hosts);
  }

  void take_names(ObjectKind kind, std::size_t file) {
    std::vector<std::string> names;
    for (const auto& line : split(files_[file].text, '\n'))
      if (const auto name = trim(line); !name.empty() && !name.starts_with('#'))
        names.emplace_back(name);
    add_missing(kind, file, names);
  }

  void add_missing(ObjectKind kind, std::size_t file, const std::vector<std::string>& names) {
    const auto* known = here_.find(kind, "");
    const auto* list = known ? known->find("entries") : nullptr;
    auto there = parse_name_list(list ? *list : "NONE");
    std::vector<std::string> missing;
    for (const auto& name : names) {
      const auto entry = is_host_set(kind) ? lower(name) : name;
      auto& seen = seen_[kind];
      if (std::find(there.begin(), there.end(), entry) == there.end() && seen.insert(entry).second)
        missing.push_back(entry);
    }
    if (!missing.empty()) add(file, ChangeVerb::add_entries, {kind, "", {}}, missing);
  }

  // What others of the same kind name comes before them.
  void order_by_references(ObjectKind kind, std::string_view attribute) {
    const auto is_of_kind = [&](const SpooledChange& one) {
      return one.change.object.kind == kind;
    };
    std::map<std::string, std::vector<std::string>> named;
    for (const auto& one : cell_.changes)
      if (is_of_kind(one)) {
        const auto* list = one.change.object.find(attribute);
        named[one.change.object.name] = words(list ? *list : "", " \t,=:()[]");
      }
    std::map<std::string, int> depths;
    const std::function<int(const std::string&)> depth_of = [&](const std::string& name) {
      const auto [known, is_new] = depths.try_emplace(name, 0); // a cycle ends here
      if (!is_new) return known->second;
      int deepest = 0;
      for (const auto& other : named[name])
        if (other != name && named.contains(other))
          deepest = std::max(deepest, depth_of(other) + 1);
      return depths[name] = deepest;
    };
    const auto first = std::find_if(cell_.changes.begin(), cell_.changes.end(), is_of_kind);
    const auto last = std::find_if_not(first, cell_.changes.end(), is_of_kind);
    std::stable_sort(first, last, [&](const auto& a, const auto& b) {
      return depth_of(a.change.object.name) < depth_of(b.change.object.name);
    });
  }

  bool has_share_tree() const {
    return std::any_of(files_.begin(), files_.end(), [](const SpooledFile& file) {
      return file.place == "sharetree" && file.text.find("id=") != std::string::npos;
    });
  }

  const Configuration& here_;
  const std::vector<SpooledFile>& files_;
  ConfigurationObject complexes_{ObjectKind::complex, "", {}};
  std::size_t file_of_complexes_ = 0;
  std::map<ObjectKind, std::set<std::string>> seen_;
  SpooledCell cell_;
};

// ---- trying -----------------------------------------------------------------------------------

class Trial {
public:
  Trial(const Configuration& here, const std::vector<SpooledChange>& changes)
      : now_(here), changes_(changes) {}

  TriedCell run() {
    part(0, changes_.size());
    return std::move(tried_);
  }

private:
  std::vector<ConfigurationChange> changes_in(std::size_t first, std::size_t last) const {
    std::vector<ConfigurationChange> part;
    for (auto i = first; i < last; ++i) part.push_back(changes_[i].change);
    return part;
  }

  // Those before it are made already.
  void part(std::size_t first, std::size_t last) {
    if (first == last) return;
    const auto all = changes_in(first, last);
    if (auto next = now_.with_all(all)) {
      now_ = std::move(next->configuration);
      for (auto i = first; i < last; ++i) tried_.accepted.push_back(i);
    } else if (last - first == 1) {
      for (auto& error : now_.errors_of(all)) tried_.refused.push_back({first, std::move(error)});
    } else {
      const auto middle = first + (last - first) / 2;
      part(first, middle);
      part(middle, last);
    }
  }

  Configuration now_;
  const std::vector<SpooledChange>& changes_;
  TriedCell tried_;
};

} // namespace

bool is_spooled_place(const std::string& place) {
  return place_of(place) != nullptr || place == "sharetree";
}

bool is_spooled_only(ObjectKind kind, std::string_view attribute) {
  using Names = std::set<std::string_view>;
  switch (kind) {
  case ObjectKind::user:
  case ObjectKind::project:
    return Names{"usage",   "usage_time_stamp",  "long_term_usage",
                 "project", "debited_job_usage", "version"}
        .contains(attribute);
  case ObjectKind::exec_host:
    return Names{"load_values", "processors", "reschedule_unknown_list"}.contains(attribute);
  case ObjectKind::global_configuration:
  case ObjectKind::local_configuration:
    return Names{"conf_name", "conf_version"}.contains(attribute);
  default: return false;
  }
}

SpooledCell read_spooled_cell(const Configuration& here, const std::vector<SpooledFile>& files) {
  return Reader(here, files).read();
}

TriedCell try_spooled_cell(const Configuration& here, const std::vector<SpooledChange>& changes) {
  return Trial(here, changes).run();
}

} // namespace almanac
