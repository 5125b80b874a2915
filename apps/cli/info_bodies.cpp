#include "cli/info_bodies.h"

#include <algorithm>

#include "cli/json.h"
#include <fmt/format.h>

namespace spindrift::cli {

namespace {

using io::BodyLedger;
using io::BodyStatistics;
using io::FrameStatistics;

/// What the liquid gave and bodies did not get, or the other way round.
struct Mismatch {
    double size = 0;   ///< N s
    double given = 0;  ///< sum of the sizes of what was given in each frame: pushes to and fro do not cancel
    double share() const { return given > 0 ? size / given : 0; }
};

Mismatch mismatch_of(const std::vector<FrameStatistics>& statistics) {
    const BodyLedger& last = statistics.back().ledger;
    Mismatch mismatch{length(last.given - last.received), 0};
    Vec3d before{};
    for (const FrameStatistics& s : statistics) {
        mismatch.given += length(s.ledger.given - before);
        before = s.ledger.given;
    }
    return mismatch;
}

bool has_bodies(const std::vector<FrameStatistics>& statistics) {
    return !statistics.empty() && !statistics.back().bodies.empty();
}

std::string vector_text(Vec3d v) {
    return fmt::format("({:.4g}, {:.4g}, {:.4g})", v.x, v.y, v.z);
}

Value vector_json(Vec3d v) {
    return Value(Value::Array{Value(v.x), Value(v.y), Value(v.z)});
}

}  // namespace

std::string body_table(const std::vector<FrameStatistics>& statistics) {
    if (!has_bodies(statistics)) return "";
    const FrameStatistics& last = statistics.back();
    std::string text = fmt::format("\n{:<16} {:<6} {:>10} {:>30} {:>10} {:>12} {:>10}\n", "body", "kind", "mass kg",
                                   "position m", "speed m/s", "buoyancy N", "drag N");
    for (const BodyStatistics& body : last.bodies) {
        text += fmt::format("{:<16} {:<6} {:>10.4g} {:>30} {:>10.3g} {:>12.4g} {:>10.4g}\n", body.name, body.kind,
                            body.mass, vector_text(body.position), length(body.velocity), body.buoyancy, body.drag);
    }
    const BodyLedger& ledger = last.ledger;
    const Mismatch mismatch = mismatch_of(statistics);
    text += "momentum of bodies since the start, N s\n";
    for (const auto& [name, value] : {std::pair{"given by liquid", ledger.given},
                                      std::pair{"received", ledger.received}, std::pair{"by gravity", ledger.gravity},
                                      std::pair{"by contacts", ledger.held}, std::pair{"they have", ledger.momentum}})
        text += fmt::format("  {:<16} {}\n", name, vector_text(value));
    text += fmt::format("  {:<16} {:.3g} ({:.2g} % of {:.4g} given in all)\n", "mismatch", mismatch.size,
                        100 * mismatch.share(), mismatch.given);
    return text;
}

Value body_list(const std::vector<FrameStatistics>& statistics) {
    Value::Array bodies;
    if (!has_bodies(statistics)) return Value(std::move(bodies));
    for (const BodyStatistics& body : statistics.back().bodies) {
        bodies.push_back(json_table({{"name", Value(body.name)},
                                     {"kind", Value(body.kind)},
                                     {"mass", Value(body.mass)},
                                     {"position", vector_json(body.position)},
                                     {"velocity", vector_json(body.velocity)},
                                     {"spin", vector_json(body.spin)},
                                     {"force", vector_json(body.force)},
                                     {"torque", vector_json(body.torque)},
                                     {"buoyancy", Value(body.buoyancy)},
                                     {"drag", Value(body.drag)}}));
    }
    return Value(std::move(bodies));
}

Value ledger_json(const std::vector<FrameStatistics>& statistics) {
    if (!has_bodies(statistics)) return Value();
    const BodyLedger& ledger = statistics.back().ledger;
    const Mismatch mismatch = mismatch_of(statistics);
    return json_table({{"given", vector_json(ledger.given)},
                       {"received", vector_json(ledger.received)},
                       {"gravity", vector_json(ledger.gravity)},
                       {"held", vector_json(ledger.held)},
                       {"momentum", vector_json(ledger.momentum)},
                       {"liquid_momentum", vector_json(statistics.back().momentum)},
                       {"given_in_all", Value(mismatch.given)},
                       {"mismatch", Value(mismatch.size)},
                       {"mismatch_share", Value(mismatch.share())}});
}

}  // namespace spindrift::cli
