#include "spindrift/stages/pictures/dye_look.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/text.h"
#include "spindrift/image/color_map.h"
#include "spindrift/render/optics.h"
#include "spindrift/scene/liquid_color.h"
#include "spindrift/stages/frame/frame_particles.h"
#include "spindrift/stages/pictures/particle_look.h"

namespace spindrift::stages {

namespace {

const ChannelArray& dye_channel(const Scene& scene, const ChannelSet& particles) {
    const ChannelArray* channel = particles.find(scene.render.dye);
    if (channel && (channel->type().width == 1 || channel->type().width == 3)) return *channel;
    std::vector<std::string> names;
    for (const ChannelArray& each : particles.channels)
        if (each.type().width == 1 || each.type().width == 3) names.push_back(each.name());
    throw UsageError(
        fmt::format("the particles have no channel '{}' of one or three numbers for render.dye{}; there "
                    "are: {}",
                    scene.render.dye, suggestion(scene.render.dye, names), fmt::join(names, ", ")));
}

Box3f box_of(const std::vector<Vec3f>& positions, float margin) {
    Box3f box{{0, 0, 0}, {0, 0, 0}};
    bool first = true;
    for (const Vec3f x : positions) {
        if (!is_finite(x)) continue;
        box = first ? Box3f{x, x} : Box3f{min(box.lo, x), max(box.hi, x)};
        first = false;
    }
    const Vec3f around{margin, margin, margin};
    return {box.lo - around, box.hi + around};
}

}  // namespace

std::unique_ptr<render::Dye> make_dye(const Scene& scene, const ChannelSet& particles, Vec3d origin, float clarity) {
    if (scene.render.dye.empty()) return nullptr;
    const ChannelArray& channel = dye_channel(scene, particles);
    const std::vector<Vec3f> positions = particle_positions(particles, origin);
    if (!scene.liquid.empty() && scene.liquid[0].clarity) clarity = static_cast<float>(*scene.liquid[0].clarity);
    double spacing = 0;
    for (const LiquidParams& each : scene.liquid)
        spacing = std::max(spacing, each.spacing);
    const auto cell = static_cast<float>(1.5 * spacing);
    auto dye = std::make_unique<render::Dye>(render::dye_grid(box_of(positions, cell), cell));
    const Vec3f full =
        render::absorption_of(scene.liquid.empty() ? image::clear_water : liquid_color(scene, 0), clarity);
    const Vec3f none = render::absorption_of(image::clear_water, 4 * clarity);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (channel.type().width == 3) {
            const Vec3f color = vec_cast<float>(Vec3d{channel.value(i, 0), channel.value(i, 1), channel.value(i, 2)});
            dye->add(positions[i], render::absorption_of(color, clarity));
        } else {
            const float share = std::clamp(static_cast<float>(channel.value(i)), 0.f, 1.f);
            dye->add(positions[i], none * (1 - share) + full * share);
        }
    }
    dye->finish(none);
    return dye;
}

}  // namespace spindrift::stages
