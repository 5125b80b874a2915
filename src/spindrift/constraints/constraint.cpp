#include "spindrift/constraints/constraint.h"

namespace spindrift::constraints {

/// The accelerated correction of density goes on in the direction from the iterate before to the last one. What a
/// constraint does is no part of that direction: both iterates move alike, so the next correction sees only what
/// density did and adds nothing to the constraint's move.
void ConstraintContext::place(std::size_t i, Vec3f to) {
    SPINDRIFT_ASSERT(i < size_);
    const Vec3f from = x_[i].xyz();
    if (!walls_->is_clear(from, to, collision::Start::now)) walls_->trace(from, to, collision::Start::now);
    x_[i] = {to.x, to.y, to.z, x_[i].w};
    if (x_before_ != x_) {
        const Vec3f before = x_before_[i].xyz() + (to - from);
        x_before_[i] = {before.x, before.y, before.z, x_before_[i].w};
    }
    marks_[i] |= moved;
}

void ConstraintContext::set_velocity(std::size_t i, Vec3d v) {
    if (points_.x) {
        points_.v[i] = v;
        return;
    }
    const Vec3f v_i = vec_cast<float>(v);
    v_[i] = {v_i.x, v_i.y, v_i.z, v_[i].w};
}

std::optional<std::size_t> ConstraintContext::find(std::int64_t id) const {
    if (!points_.x) return index_.find(id);
    if (id < 0 || static_cast<std::size_t>(id) >= size_) return {};
    return static_cast<std::size_t>(id);
}

}  // namespace spindrift::constraints
