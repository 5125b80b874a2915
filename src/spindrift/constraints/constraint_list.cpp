#include "spindrift/constraints/constraint_list.h"

#include <algorithm>

namespace spindrift::constraints {

void ConstraintList::add(std::shared_ptr<Constraint> constraint, int importance) {
    if (!constraint) throw UsageError("add_constraint: there is no constraint; pass std::make_shared<...>(...)");
    if (importance == 0) {
        throw UsageError(
            "add_constraint: importance 0 is what holds the liquid or the body together; use a positive one to act "
            "after it, a negative one to act before it");
    }
    const auto behind = std::upper_bound(entries_.begin(), entries_.end(), importance,
                                         [](int value, const Entry& entry) { return value < entry.importance; });
    entries_.insert(behind, Entry{importance, std::move(constraint)});
}

void ConstraintList::begin_step(const Step& step, Float4* x) {
    ConstraintContext& c = context_;
    c.points_ = {};
    c.size_ = step.particles->size();
    c.dt_ = step.dt;
    c.unit_ = step.unit;
    c.origin_ = step.particles->origin;
    c.iteration_ = 0;
    c.iterations_ = step.iterations;
    c.x_ = c.x_before_ = x;
    c.v_ = step.particles->velocity().data();
    c.particles_ = step.particles;
    c.ids_ = step.particles->find_channel("id")->as<std::int64_t>().data();
    c.liquid_ = step.liquid;
    c.liquids_ = step.liquids;
    c.walls_ = step.walls;
    c.index_.build(*step.particles);
    c.marks_.assign(c.size_, 0);
    for (const Entry& entry : entries_) {
        if (entry.constraint) entry.constraint->begin_step(c);
    }
}

void ConstraintList::begin_step(const PointStep& step) {
    SPINDRIFT_ASSERT(step.velocities.size() == step.positions.size() && step.starts.size() == step.positions.size());
    ConstraintContext& c = context_;
    c.points_ = {step.positions.data(), step.velocities.data(), step.starts.data(), step.mobility.data()};
    c.size_ = step.positions.size();
    c.dt_ = step.dt;
    c.iteration_ = 0;
    c.iterations_ = 1;
    c.marks_.assign(c.size_, 0);
    for (const Entry& entry : entries_) {
        if (entry.constraint) entry.constraint->begin_step(c);
    }
}

void ConstraintList::project(Constraint& constraint) {
    context_.iteration_ = 1;
    constraint.project(context_);
}

void ConstraintList::end_step() {
    context_.iteration_ = 0;
    for (const Entry& entry : entries_) {
        if (entry.constraint) entry.constraint->end_step(context_);
    }
}

void ConstraintList::project(const Entry& entry, int iteration, Float4* x, Float4* x_before) {
    context_.iteration_ = iteration;
    context_.x_ = x;
    context_.x_before_ = x_before;
    entry.constraint->project(context_);
}

void ConstraintList::keep_out_of_walls(const Float4* x_predicted, Float4* x) const {
    parallel_for(context_.size_, [&](Range range) {
        for (std::size_t i : range) {
            if (!(context_.marks_[i] & ConstraintContext::moved)) continue;
            Vec3f to = x[i].xyz();
            if (context_.walls_->is_clear(x_predicted[i].xyz(), to, collision::Start::now)) continue;
            context_.walls_->trace(x_predicted[i].xyz(), to, collision::Start::now);
            x[i] = {to.x, to.y, to.z, x[i].w};
        }
    });
}

void ConstraintList::end_step(ParticleStore& particles, Float4* x) {
    context_.x_ = context_.x_before_ = x;
    context_.v_ = particles.velocity().data();
    end_step();
}

}  // namespace spindrift::constraints
