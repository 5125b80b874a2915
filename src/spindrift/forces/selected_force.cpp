#include "spindrift/forces/selected_force.h"

#include <algorithm>
#include <array>
#include <utility>

#include "spindrift/particles/channel_table.h"

namespace spindrift::forces {

namespace {

/// Particles whose velocities are kept at once while the force acts on them.
constexpr std::size_t batch = 64;

}  // namespace

SelectedForce::SelectedForce(std::shared_ptr<const Force> force, Selection selection)
    : force_(std::move(force)), selection_(std::move(selection)) {}

void SelectedForce::apply(const Pushed& on) const {
    const ChannelArray* const phase = on.particles ? on.particles->find_channel(channel_names::phase) : nullptr;
    const ChannelArray* mask =
        on.particles && !selection_.mask.empty() ? on.particles->find_channel(selection_.mask) : nullptr;
    if (mask && mask->type() != ChannelType{ScalarType::f32, 1}) mask = nullptr;
    const auto share = [&](const Float4& v) {
        const std::uint32_t slot = ParticleStore::slot_of(v);
        const std::size_t liquid = phase ? phase->as<std::uint16_t>()[slot] : 0;
        if (selection_.liquid && *selection_.liquid != liquid) return 0.f;
        const float own = mask ? mask->as<float>()[slot] : 1.f;
        return own > 0 ? std::min(own, 1.f) : 0.f;
    };
    std::array<Float4, batch> before;
    for (std::size_t first = 0; first < on.count; first += batch) {
        const std::size_t count = std::min(batch, on.count - first);
        std::copy_n(on.v + first, count, before.begin());
        Pushed part = on;
        part.x += first;
        part.v += first;
        part.count = count;
        force_->apply(part);
        for (std::size_t k = 0; k < count; ++k) {
            const float s = share(before[k]);
            const Vec3f v = before[k].xyz() + (part.v[k].xyz() - before[k].xyz()) * s;
            part.v[k] = {v.x, v.y, v.z, before[k].w};
        }
    }
}

}  // namespace spindrift::forces
