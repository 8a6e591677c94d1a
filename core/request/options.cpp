#include "core/request/options.hpp"

#include <algorithm>

namespace almanac {

bool GivenOptions::has(const std::string& name) const {
  return last(name) != nullptr ||
         std::any_of(options.begin(), options.end(), [&](auto& o) { return o.name == name; });
}

const std::string* GivenOptions::last(const std::string& name) const {
  for (auto it = options.rbegin(); it != options.rend(); ++it)
    if (it->name == name && !it->values.empty()) return &it->values.back();
  return nullptr;
}

Result<GivenOptions> parse_options(const std::vector<std::string>& arguments,
                                   const std::vector<OptionRule>& rules, Operands operands) {
  GivenOptions given;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& word = arguments[i];
    if (word.size() < 2 || word.front() != '-') {
      given.operands.push_back(word);
      if (operands == Operands::end_options) {
        given.operands.insert(given.operands.end(),
                              arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                              arguments.end());
        break;
      }
      continue;
    }
    if (word == "--") {
      given.operands.insert(given.operands.end(),
                            arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                            arguments.end());
      break;
    }
    const auto rule =
        std::find_if(rules.begin(), rules.end(), [&](auto& r) { return r.name == word; });
    if (rule == rules.end()) return Error{"invalid option argument \"" + word + "\""};
    if (!rule->built) return Error{"option " + word + " is not built yet"};
    GivenOption option{word, {}};
    if (rule->values == -1) {
      if (i + 1 < arguments.size() &&
          !(arguments[i + 1].size() > 1 && arguments[i + 1].front() == '-'))
        option.values.push_back(arguments[++i]);
    } else {
      for (int n = 0; n < rule->values; ++n) {
        if (i + 1 >= arguments.size())
          return Error{"option " + word + " needs " + std::to_string(rule->values) +
                       (rule->values == 1 ? " value" : " values")};
        option.values.push_back(arguments[++i]);
      }
    }
    given.options.push_back(std::move(option));
  }
  return given;
}

} // namespace almanac
