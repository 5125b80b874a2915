#pragma once
// Balls that liquid moves, with nothing else in the world. Lengths in cells of one metre.
//
//   FreeBalls balls({{.center = {16, 16, 16}, .radius = 4, .density = 2}});
//   pool.place(balls.place());

#include <utility>
#include <vector>

#include "spindrift/collision/fields/make_field.h"
#include "spindrift/fluid/coupling.h"
#include "spindrift/geometry/primitives.h"

namespace spindrift::flip {

class FreeBalls final : public fluid::Coupling {
  public:
    struct Ball {
        Vec3d center{};
        double radius = 1, density = 1;
        fluid::Twist velocity{};
        bool answers = true;
        float friction = 1;

        double mass() const { return 4.18879 * radius * radius * radius * density; }
        double inertia() const { return 0.4 * mass() * radius * radius; }
    };
    std::vector<Ball> balls;
    bool joined = false;  ///< all fly as one, and none turns

    explicit FreeBalls(std::vector<Ball> all) : balls(std::move(all)) {
        for (const Ball& ball : balls) {
            fields_.push_back(collision::make_field(geometry::make_sphere({}, ball.radius),
                                                    {.cell = 0.5, .band = 4, .depth = ball.radius}));
        }
    }

    std::size_t size() const override { return balls.size(); }
    Body body(std::size_t i) const override { return {balls[i].center, balls[i].velocity, balls[i].answers}; }
    void respond(std::span<const fluid::Twist> impulses, std::span<fluid::Twist> changes) const override {
        Vec3d sum{};
        double mass = 0;
        for (std::size_t i = 0; i < balls.size(); ++i) {
            changes[i] = {impulses[i].linear / balls[i].mass(), impulses[i].angular / balls[i].inertia()};
            sum += impulses[i].linear;
            mass += balls[i].mass();
        }
        for (std::size_t i = 0; i < balls.size() && joined; ++i)
            changes[i] = {sum / mass, {}};
    }
    void press(std::span<const fluid::Twist> impulses) override {
        std::vector<fluid::Twist> changes(balls.size());
        respond(impulses, changes);
        for (std::size_t i = 0; i < balls.size(); ++i)
            balls[i].velocity += changes[i];
    }
    const collision::Walls& place() override {
        walls_ = {};
        for (std::size_t i = 0; i < balls.size(); ++i) {
            const Ball& ball = balls[i];
            const geometry::Pose pose = geometry::make_pose(ball.center, {});
            collision::WallField wall = collision::place_field(fields_[i], {pose, pose}, {{}, 1, 1});
            wall.fastest = static_cast<float>(length(ball.velocity.linear) + 32 * length(ball.velocity.angular));
            wall.velocity = vec_cast<float>(ball.velocity.linear - cross(ball.velocity.angular, ball.center));
            wall.spin = vec_cast<float>(ball.velocity.angular);
            wall.surface.friction = ball.friction;
            wall.body = static_cast<int>(i);
            walls_.fields.push_back(wall);
        }
        return walls_;
    }
    void take(std::span<fluid::BodyPush>) override {}

  private:
    std::vector<collision::Field> fields_;
    collision::Walls walls_;
};

}  // namespace spindrift::flip
