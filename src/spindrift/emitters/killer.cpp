#include "spindrift/emitters/killer.h"

#include <algorithm>

#include "spindrift/core/parallel.h"
#include "spindrift/emitters/emitter.h"
#include "spindrift/emitters/fill.h"
#include "spindrift/emitters/isolation.h"

namespace spindrift::emitters {

Killer::Killer(const KillerParams& params, std::optional<std::size_t> liquid, double radius)
    : params_(params), liquid_(liquid), radius_(radius) {
    if (params.inside) inside_ = params.inside->shape();
    if (params.outside) outside_ = params.outside->shape();
}

std::size_t Killer::apply(ParticleStore& particles, const Inspection& now) const {
    if (!params_.is_active(now.frame)) return 0;
    std::size_t killed = 0;
    if (params_.has_conditions() && (now.whole_frame || !params_.isolated))
        killed += kill_by_conditions(particles, now);
    if (params_.most) killed += kill_oldest(particles, now);
    return killed;
}

bool Killer::is_mine(std::size_t i, const Inspection& now) const {
    return !liquid_ || !now.liquid_of || now.liquid_of(i) == *liquid_;
}

/// All conditions but isolation, which is dear.
bool Killer::dies(const ParticleStore& particles, const ChannelArray* birth, std::size_t i,
                  const Inspection& now) const {
    if (!particles.is_alive(i) || !is_mine(i, now)) return false;
    if (params_.age) {
        const double born = birth ? birth->as<double>()[particles.slot(i)] : 0;
        if (now.time - born <= params_.age->at(now.frame)) return false;
    }
    const double speed = length(vec_cast<double>(particles.velocity()[i].xyz()));
    if (params_.speed && speed <= params_.speed->at(now.frame)) return false;
    if (params_.slower && speed >= params_.slower->at(now.frame)) return false;
    return is_misplaced(particles.origin + vec_cast<double>(particles.position()[i].xyz()));
}

bool Killer::is_misplaced(Vec3d p) const {
    if (inside_ && !contains(*inside_, p)) return false;
    return !outside_ || !contains(*outside_, p);
}

std::size_t Killer::kill_by_conditions(ParticleStore& particles, const Inspection& now) const {
    const std::vector<bool> alone = params_.isolated
                                        ? find_isolated(particles, radius_, static_cast<std::size_t>(*params_.isolated))
                                        : std::vector<bool>(particles.size(), true);
    const ChannelArray* birth = particles.find_channel(birth_channel);
    return parallel_sum<std::size_t>(particles.size(), [&](Range range) {
        std::size_t killed = 0;
        for (std::size_t i : range) {
            if (!alone[i] || !dies(particles, birth, i, now)) continue;
            particles.kill(i);
            ++killed;
        }
        return killed;
    });
}

/// The lowest ids are the oldest.
std::size_t Killer::kill_oldest(ParticleStore& particles, const Inspection& now) const {
    const ConstChannel<std::int64_t> id = std::as_const(particles).find_channel("id")->as<std::int64_t>();
    std::vector<std::pair<std::int64_t, std::size_t>> mine;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        if (particles.is_alive(i) && is_mine(i, now)) mine.emplace_back(id[particles.slot(i)], i);
    }
    const auto most = static_cast<std::size_t>(*params_.most);
    if (mine.size() <= most) return 0;
    const std::size_t surplus = mine.size() - most;
    std::nth_element(mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(surplus), mine.end());
    for (std::size_t k = 0; k < surplus; ++k)
        particles.kill(mine[k].second);
    return surplus;
}

}  // namespace spindrift::emitters
