#include "spindrift/bodies/rigid/contact_islands.h"

#include <cmath>

#include "rigid_scenes.h"
#include <gtest/gtest.h>

namespace spindrift::bodies {
namespace {

TEST(EnvelopeMatrix, SolvesWhatItsProductSays) {
    EnvelopeMatrix matrix({0, 0, 1, 3, 1});
    const double entries[5][5] = {{4, 1, 0, 0, 0}, {1, 5, 2, 0, 1}, {0, 2, 6, 0, 1}, {0, 0, 0, 3, 1}, {0, 1, 1, 1, 7}};
    for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t j = i == 2 || i == 4 ? 1 : i == 3 ? 3 : 0; j <= i; ++j)
            matrix.at(i, j) = entries[i][j];
    }
    const std::vector<double> expected{1, -2, 3, 0.5, -1};
    std::vector<double> x(5, 0.0);
    for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t j = 0; j < 5; ++j)
            x[i] += entries[i][j] * expected[j];
    }
    matrix.factor();
    matrix.solve(x);
    for (std::size_t i = 0; i < 5; ++i)
        EXPECT_NEAR(x[i], expected[i], 1e-14);
}

TEST(ContactIslands, ABoxAtRestIsPredictedToRest) {
    const std::vector<BodyParams> bodies{make_box_body({0.1, 0.1, 0.1}, {0, 0.05, 0}),
                                         make_box_body({0.1, 0.1, 0.1}, {0, 0.15, 0})};
    TestWorld test({.params = bodies, .domain = make_room()});
    const double dt = 1.0 / 240;
    test.begin(dt);
    EXPECT_NEAR(test.world.velocity(0).linear.y, -9.81 * dt, 1e-12) << "nothing has touched yet";
    test.run(60, dt);
    test.begin(dt);
    for (std::size_t i = 0; i < 2; ++i) {
        const Vec3d change = test.world.velocity(i).linear - test.world.states()[i].velocity;
        EXPECT_LT(length(change), 2e-3 * 9.81 * dt);
    }
    test.world.press(1, {{0.2, 0, 0}, {}});
    EXPECT_LT(std::abs(test.world.velocity(1).linear.x - test.world.states()[1].velocity.x), 1e-3) << "grip holds it";
}

TEST(ContactIslands, LetGoOfWhatPullsOrSlides) {
    std::vector<BodyParams> bodies{make_box_body({0.1, 0.1, 0.1}, {0, 0.05, 0})};
    bodies[0].mass = 0.5;
    const double dt = 1.0 / 240, weight = 0.5 * 9.81 * dt;
    const auto velocity_after = [&](Vec3d impulse) {
        TestWorld test({.params = bodies, .domain = make_room()});
        test.run(60, dt);
        test.begin(dt);
        const std::vector<fluid::Twist> impulses{{impulse, {}}};
        const bool went = test.world.let_go(impulses);
        test.world.press(0, impulses[0]);
        return std::pair{went, test.world.velocity(0).linear};
    };
    const auto [lighter, stays] = velocity_after({0.1 * weight, 0.5 * weight, 0});
    EXPECT_FALSE(lighter) << "half its weight still presses it on the floor, whose friction holds a tenth of it";
    EXPECT_LT(length(stays), 0.1 * 9.81 * dt);
    const auto [lifted, flies] = velocity_after({0, 3 * weight, 0});
    EXPECT_TRUE(lifted);
    EXPECT_NEAR(flies.y, 2 * 9.81 * dt, 0.01 * 9.81 * dt) << "nothing pulls it back";
    const auto [pushed, slides] = velocity_after({2 * weight, 0, 0});
    EXPECT_TRUE(pushed);
    EXPECT_NEAR(slides.x, 2 * 9.81 * dt, 0.01 * 9.81 * dt) << "friction holds half its weight at most";
}

/// Three boxes in a pile and a pendulum, a step after they touched.
std::vector<BodyParams> make_pile() {
    std::vector<BodyParams> bodies{
        make_box_body({0.1, 0.1, 0.1}, {0, 0.05, 0}), make_box_body({0.1, 0.1, 0.1}, {0.11, 0.05, 0}),
        make_box_body({0.2, 0.1, 0.15}, {0.05, 0.15, 0.01}), make_box_body({0.05, 0.4, 0.05}, {1, 1, 0})};
    bodies[2].density = 2000;
    HingeParams hinge;
    hinge.point = {1, 1.2, 0};
    bodies[3].hinge = hinge;
    return bodies;
}

TEST(ContactIslands, AnswerIsSymmetric) {
    const std::vector<BodyParams> bodies = make_pile();
    TestWorld test({.params = bodies, .domain = make_room()});
    test.run(30, 1.0 / 240);
    test.begin(1.0 / 240);
    std::vector<std::vector<double>> answer;
    for (std::size_t unit = 0; unit < 24; ++unit) {
        std::vector<fluid::Twist> impulses(4), changes(4);
        Six six{};
        six[unit % 6] = 1;
        impulses[unit / 6] = to_twist(six);
        test.world.respond(impulses, changes);
        answer.emplace_back();
        for (const fluid::Twist& change : changes) {
            for (const double c : to_six(change))
                answer.back().push_back(c);
        }
    }
    for (std::size_t i = 0; i < 24; ++i) {
        EXPECT_GT(answer[i][i], 0);
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_NEAR(answer[i][j], answer[j][i], 1e-10 * std::sqrt(answer[i][i] * answer[j][j]));
    }
    EXPECT_GT(answer[3 * 6 + 5][3 * 6 + 5], 100 * answer[3 * 6 + 4][3 * 6 + 4]) << "the hinge turns about z alone";
}

TEST(ContactIslands, PushesAndBodiesKeepWhatTheyGive) {
    std::vector<BodyParams> bodies = make_pile();
    bodies.push_back(make_ball(0.1, {2, 2, 0}));
    TestWorld test({.params = bodies, .domain = make_room()});
    test.run(30, 1.0 / 240);
    test.begin(1.0 / 240);
    const Vec3d origin{0.3, 0.1, -0.2};
    std::vector<fluid::BodyPush> pushes;
    for (std::uint32_t k = 0; k < 200; ++k) {
        fluid::BodyPush push;
        push.body = 4;
        push.mass = 0.001f * static_cast<float>(1 + k % 7);
        push.point = {2.0f + 0.01f * static_cast<float>(k % 10), 1.9f, 0.01f * static_cast<float>(k % 13)};
        push.impulse = {0.001f * static_cast<float>(k % 3), 0.004f, -0.001f * static_cast<float>(k % 5)};
        pushes.push_back(push);
    }
    const fluid::Twist before = test.world.velocity(4);
    test.world.take(pushes, origin);
    const fluid::Twist after = test.world.velocity(4);
    fluid::Twist given;
    double largest = 0;
    for (const fluid::BodyPush& push : pushes) {
        const Vec3d impulse = vec_cast<double>(push.impulse) - vec_cast<double>(push.returned) * double{push.mass};
        given += {impulse, cross(origin + vec_cast<double>(push.point) - test.world.center(4), impulse)};
        largest = std::max(largest, static_cast<double>(length(push.returned)));
        EXPECT_GE(dot(push.returned, push.impulse), 0) << "a body gives way forwards";
    }
    const double mass = test.world.mass(4).mass;
    EXPECT_NEAR(length((after.linear - before.linear) * mass - given.linear), 0, 1e-12);
    const double moment = test.world.mass(4).inertia[0][0];
    // The tensor of the ball's triangles is that of a ball to 1e-6 only.
    EXPECT_NEAR(length((after.angular - before.angular) * moment - given.angular), 0, 1e-6 * length(given.angular));
    EXPECT_GT(largest, 0.01);
}

TEST(ContactIslands, APushOfAsMuchMassAsTheBodyGivesBackHalf) {
    BodyParams ball = make_ball(0.1, {0, 1, 0});
    ball.mass = 2;
    BodyParams fixed = make_ball(0.1, {1, 1, 0});
    fixed.motion = Motion::fixed;
    const std::vector<BodyParams> bodies{ball, fixed};
    TestWorld test({.params = bodies});
    test.begin(0.01, {});
    std::vector<fluid::BodyPush> pushes(2);
    pushes[0].point = {-0.1f, 1, 0};
    pushes[1].point = {0.9f, 1, 0};
    pushes[1].body = 1;
    for (fluid::BodyPush& push : pushes) {
        push.mass = 2;
        push.impulse = {4, 0, 0};
        push.returned = {9, 9, 9};
    }
    test.world.take(pushes, {});
    EXPECT_NEAR(pushes[0].returned.x, 1, 1e-6);
    EXPECT_EQ(pushes[1].returned, Vec3f{}) << "what no force moves does not give way";
    EXPECT_NEAR(test.world.velocity(0).linear.x, 1, 1e-6) << "they go on together";
    EXPECT_EQ(test.world.velocity(1).linear, Vec3d{});
}

TEST(ContactIslands, ALargeCrowdIsHeldByTheWorldAlone) {
    const double side = 0.1;
    std::vector<ContactIslands::Body> bodies(150);
    std::vector<BodyContact> contacts;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        bodies[i].mass = 1;
        bodies[i].center = {side * static_cast<double>(i), 0.05, 0};
        bodies[i].grip = 0.5;
        contacts.push_back({static_cast<int>(i), -1, bodies[i].center - Vec3d{0, 0.05, 0}, {0, 1, 0}, 1});
        if (i > 0) contacts.push_back({static_cast<int>(i), static_cast<int>(i) - 1, bodies[i].center, {1, 0, 0}, 1});
    }
    const ContactIslands islands(bodies, contacts);
    std::vector<fluid::Twist> impulses(150), changes(150);
    impulses[3].linear = {0, -1, 0};
    islands.solve(impulses, changes);
    EXPECT_LT(std::abs(changes[3].linear.y), 1e-3);
    EXPECT_EQ(changes[4].linear, Vec3d{});
}

}  // namespace
}  // namespace spindrift::bodies
