#include "spindrift/emitters/level.h"

#include <limits>
#include <map>
#include <memory>
#include <numbers>

#include <fmt/format.h>
#include <muParser.h>

namespace spindrift::emitters {

namespace {

/// Longer than any height function that a person writes.
constexpr std::size_t longest = 2000;

/// An expression with the variables that it reads.
struct Function {
    double x = 0, z = 0;
    mu::Parser parser;

    explicit Function(const std::string& expression) {
        parser.DefineVar("x", &x);
        parser.DefineVar("z", &z);
        parser.DefineConst("pi", std::numbers::pi);
        parser.SetExpr(expression);
    }
};

}  // namespace

double level_at(const std::string& expression, Vec3d p) {
    // A parser keeps its variables' values: each thread has its own.
    thread_local std::map<std::string, std::unique_ptr<Function>> functions;
    std::unique_ptr<Function>& function = functions[expression];
    try {
        if (!function) function = std::make_unique<Function>(expression);
        function->x = p.x;
        function->z = p.z;
        return function->parser.Eval();
    } catch (const mu::ParserError&) {
        return std::numeric_limits<double>::quiet_NaN();
    }
}

std::string problem_of_level(const std::string& expression) {
    constexpr const char* wanted = "write a height in m by x and z, such as \"0.4 + 0.03 * cos(2.6 * x)\"";
    if (expression.size() > longest) return fmt::format("it is longer than {} characters; {}", longest, wanted);
    try {
        int results = 0;
        Function function(expression);
        function.parser.Eval(results);
        return results == 1 ? "" : fmt::format("it has {} values; {}", results, wanted);
    } catch (const mu::ParserError& error) {
        return fmt::format("it cannot be read at character {}, \"{}\"; {}", error.GetPos() + 1, error.GetToken(),
                           wanted);
    }
}

}  // namespace spindrift::emitters
