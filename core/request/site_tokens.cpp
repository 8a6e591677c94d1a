#include "core/request/site_tokens.hpp"

#include "core/text/words.hpp"

#include <algorithm>
#include <array>

namespace almanac {

namespace {

using V = SiteVerb;

constexpr std::array names{
    std::string_view("QUERY"),     std::string_view("RESQUERY"), std::string_view("RESQANDSET"),
    std::string_view("SETRES"),    std::string_view("COMMIT"),   std::string_view("ABORT"),
    std::string_view("RELEASE"),   std::string_view("MODIFY"),   std::string_view("STATUS"),
    std::string_view("CHALLENGE"), std::string_view("HELLO")};
static_assert(names.size() == static_cast<std::size_t>(last_of<SiteVerb>) + 1);

constexpr SiteVerbs none;
constexpr SiteVerbs all{V::query,   V::resquery, V::resqandset, V::setres,    V::commit, V::abort,
                        V::release, V::modify,   V::status,     V::challenge, V::hello};
constexpr SiteVerbs first_four{V::query, V::resquery, V::resqandset, V::setres};
constexpr SiteVerbs res_verbs{V::resquery, V::resqandset, V::setres};
constexpr SiteVerbs set_verbs{V::resqandset, V::setres};
constexpr SiteVerbs later_verbs{V::commit, V::abort,  V::release,
                                V::modify, V::status, V::challenge};
constexpr SiteVerbs searching{V::resquery, V::resqandset};
constexpr SiteVerbs with_hold{V::resqandset, V::setres, V::modify, V::commit, V::abort};
constexpr SiteVerbs holding{V::resqandset, V::setres, V::modify};
constexpr SiteVerbs only_resquery{V::resquery};

constexpr SiteToken tokens[] = {
    {"USER", all, first_four, SiteValue::word, "the caller, in the verbs after the first four",
     "the local user for whom it is"},
    {"TIMENEEDED", first_four, first_four, SiteValue::length, "WALL",
     "N and the unit S, M, H or D, then :WALL or :CPU"},
    {"STARTTIME",
     {V::setres, V::modify},
     {V::setres},
     SiteValue::start,
     "",
     "seconds since 1970-01-01 UTC, or NOW"},
    {"TIMESPEC", searching, none, SiteValue::time_spec, "from now to the site's horizon",
     "EARLIEST=T,LATEST=T,ENDBY=T,DAYS=mon-fri,HOURS=8-18, any of them"},
    {"RESACCESS", res_verbs, none, SiteValue::reservations, "none",
     "reservations whose room may be used"},
    {"RES", first_four, none, SiteValue::resources, "",
     "name=amount,... ; the only token that may be repeated"},
    {"NODES", first_four, none, SiteValue::positive, "1", "the number of hosts"},
    {"SLOTS", first_four, none, SiteValue::positive, "1",
     "slots on each node, or all of them without NODES"},
    {"PE", first_four, none, SiteValue::word, "none", "a parallel environment, or a pattern"},
    {"MEM", first_four, none, SiteValue::memory, "", "memory of each node (mem_total)"},
    {"SWAP", first_four, none, SiteValue::memory, "", "swap space of each node (swap_total)"},
    {"DISK", first_four, none, SiteValue::memory, "", "disk of each node (complex disk)"},
    {"ARCH", first_four, none, SiteValue::word, "any", "architecture of the nodes"},
    {"OS", first_four, none, SiteValue::word, "any", "operating system of the nodes"},
    {"HOSTS", first_four, none, SiteValue::words, "all", "patterns of hosts"},
    {"QUEUE", first_four, none, SiteValue::words, "all", "patterns of queues"},
    {"L", first_four, none, SiteValue::attributes, "", "name:value,... as qrsub -l"},
    {"PROJECT", first_four, none, SiteValue::word, "", "as qrsub -P"},
    {"ACCOUNT", first_four, none, SiteValue::word, "", "as qrsub -A"},
    {"EXCLUSIVE", first_four, none, SiteValue::flag, "0", "1: whole nodes"},
    {"MAXRANGES", only_resquery, none, SiteValue::positive, "32", "at most so many ranges"},
    {"MINLEN", only_resquery, none, SiteValue::count, "0", "seconds of the shortest range"},
    {"GRAIN", only_resquery, none, SiteValue::positive, "1", "seconds to which starts are rounded"},
    {"HOLD", holding, none, SiteValue::count, "0",
     "seconds for which it is held; 0: it is final at once"},
    {"TXID", with_hold, none, SiteValue::word, "none",
     "name of the transaction, up to 64 characters"},
    {"PUBKEY", set_verbs, none, SiteValue::word, "none",
     "base64url of the Ed25519 key of who may claim it"},
    {"RESID", later_verbs, later_verbs, SiteValue::reservation, "", "R123 or 123"},
    {"NAME", set_verbs, none, SiteValue::word, "", "as qrsub -N"},
    {"ACL", set_verbs, none, SiteValue::words, "the owner", "as qrsub -u"},
    {"ID", all, none, SiteValue::word, "", "a tag that the answer repeats"},
    {"ECHO", all, none, SiteValue::flag, "0", "1: tokens X_... are repeated in OTHERINFO"},
};

} // namespace

std::string_view name_of(SiteVerb verb) { return names[static_cast<std::size_t>(verb)]; }

std::optional<SiteVerb> find_site_verb(std::string_view name) {
  const auto it = std::find_if(names.begin(), names.end(),
                               [&](auto known) { return equal_ignoring_case(known, name); });
  if (it == names.end()) return std::nullopt;
  return static_cast<SiteVerb>(it - names.begin());
}

std::string site_verb_names() {
  return join(std::vector<std::string>(names.begin(), names.end()), ",");
}

std::span<const SiteToken> site_tokens() { return tokens; }

const SiteToken* find_site_token(std::string_view name) {
  const auto* it = std::find_if(std::begin(tokens), std::end(tokens),
                                [&](const SiteToken& token) { return token.name == name; });
  return it == std::end(tokens) ? nullptr : it;
}

} // namespace almanac
