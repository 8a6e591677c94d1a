// classad_golden --rewrite FILE: writes tests/golden/classad.txt, after the language or the expressions
// were changed on purpose. The difference is what to review.
#include "tests/core/policy/classad_expressions.hpp"

#include <fstream>
#include <iostream>
#include <string_view>

int main(int count, char** arguments) {
  if (count != 3 || std::string_view(arguments[1]) != "--rewrite") {
    std::cerr << "classad_golden --rewrite FILE\n";
    return 2;
  }
  std::ofstream file(arguments[2]);
  almanac::ExpressionMaker maker;
  for (int i = 0; i < almanac::golden_expressions; ++i) {
    const auto expression = maker.next();
    file << expression << '\t' << almanac::golden_result(expression) << '\n';
  }
  return file.flush() ? 0 : 1;
}
