#include "spindrift/sim/body_frame.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/geometry/primitives.h"
#include "spindrift/scene/file_names.h"

namespace spindrift::sim {

namespace {

namespace fs = std::filesystem;
using bodies::BodyContact;
using bodies::BodyState;
using Turn = std::array<double, 4>;

constexpr ChannelType vector_type{ScalarType::f64, 3};

/// Adds an array with get(i) for each i.
template <class T, class Get>
void add(ChannelSet& out, std::string name, ChannelType type, std::size_t size, const Get& get) {
    const Channel<T> values = out.add(std::move(name), type, size).as<T>();
    for (std::size_t i = 0; i < size; ++i)
        values[i] = get(i);
}

template <class T>
void add(ChannelSet& out, const std::string& name, ChannelType type, const std::vector<T>& values) {
    add<T>(out, name, type, values.size(), [&](std::size_t i) { return values[i]; });
}

std::string joined_names(const Scene& scene) {
    std::string all;
    for (const bodies::BodyParams& each : scene.body)
        all += (&each == scene.body.data() ? "" : "\n") + each.name;
    return all;
}

void add_states(ChannelSet& out, const BodyFrame& frame) {
    const std::vector<BodyState>& states = frame.state.bodies;
    const std::size_t n = states.size();
    add<Vec3d>(out, "position", vector_type, n, [&](std::size_t i) { return frame.poses[i].position; });
    add<Vec3d>(out, "center", vector_type, n, [&](std::size_t i) { return states[i].center; });
    add<Turn>(out, "turn", {ScalarType::f64, 4}, n, [&](std::size_t i) { return states[i].turn; });
    add<Vec3d>(out, "velocity", vector_type, n, [&](std::size_t i) { return states[i].velocity; });
    add<Vec3d>(out, "spin", vector_type, n, [&](std::size_t i) { return states[i].spin; });
    const auto& impulses = frame.state.impulses;
    add<Vec3d>(out, "impulse", vector_type, n, [&](std::size_t i) { return impulses[i].linear; });
    add<Vec3d>(out, "angular_impulse", vector_type, n, [&](std::size_t i) { return impulses[i].angular; });
}

void add_contacts(ChannelSet& out, const std::vector<BodyContact>& contacts) {
    using Pair = std::array<std::int32_t, 2>;
    const std::size_t n = contacts.size();
    add<Pair>(out, "contact_bodies", {ScalarType::i32, 2}, n, [&](std::size_t i) {
        return Pair{contacts[i].a, contacts[i].b};
    });
    add<Vec3d>(out, "contact_point", vector_type, n, [&](std::size_t i) { return contacts[i].point; });
    add<Vec3d>(out, "contact_normal", vector_type, n, [&](std::size_t i) { return contacts[i].normal; });
    add<double>(out, "contact_impulse", {ScalarType::f64, 1}, n, [&](std::size_t i) { return contacts[i].impulse; });
}

/// Reads arrays and says what is wrong with them.
class Reader {
  public:
    Reader(const ChannelSet& arrays, const fs::path& source) : arrays_(arrays), source_(source) {}

    [[noreturn]] void refuse(const std::string& what) const {
        throw IoError(IoError::Kind::corrupt, source_,
                      fmt::format("this is no frame of bodies: {}; simulate the frame again", what));
    }

    template <class T>
    ConstChannel<T> get(const std::string& name, ChannelType type) const {
        const ChannelArray* array = arrays_.find(name);
        if (!array || array->type() != type) refuse(fmt::format("it has no array '{}' of the right kind", name));
        if (type.scalar == ScalarType::f64 || type.scalar == ScalarType::f32) check_finite(*array);
        return array->as<T>();
    }

    template <class T>
    ConstChannel<T> get(const std::string& name, ChannelType type, std::size_t size) const {
        const ConstChannel<T> values = get<T>(name, type);
        if (values.size() != size) refuse(fmt::format("'{}' has {} rows in place of {}", name, values.size(), size));
        return values;
    }

    template <class T>
    std::vector<T> list(const std::string& name, ChannelType type) const {
        const ConstChannel<T> values = get<T>(name, type);
        return {values.begin(), values.end()};
    }

  private:
    void check_finite(const ChannelArray& array) const {
        // No place, speed or impulse of a body is larger, and squares of this fit into floats.
        constexpr double largest = 1e15;
        for (std::size_t i = 0; i < array.size(); ++i) {
            for (int c = 0; c < array.type().width; ++c) {
                if (!(std::abs(array.value(i, c)) <= largest))
                    refuse(fmt::format("'{}' has a number that is not finite, or beyond all measure", array.name()));
            }
        }
    }

    const ChannelSet& arrays_;
    const fs::path& source_;
};

void check_names(const Scene& scene, const Reader& in) {
    const auto bytes = in.get<std::uint8_t>("names", {ScalarType::u8, 1});
    const std::string names(bytes.begin(), bytes.end());
    if (names == joined_names(scene)) return;
    std::string list = names;
    std::replace(list.begin(), list.end(), '\n', ',');
    throw UsageError(
        fmt::format("the bodies in the cache ({}) are not those of the scene; give the scene the same ones, or "
                    "simulate from the first frame with `spindrift run --overwrite`",
                    list));
}

void read_states(const Reader& in, std::size_t n, BodyFrame& frame) {
    const auto position = in.get<Vec3d>("position", vector_type, n), center = in.get<Vec3d>("center", vector_type, n),
               velocity = in.get<Vec3d>("velocity", vector_type, n), spin = in.get<Vec3d>("spin", vector_type, n),
               impulse = in.get<Vec3d>("impulse", vector_type, n),
               angular = in.get<Vec3d>("angular_impulse", vector_type, n);
    const auto turn = in.get<Turn>("turn", {ScalarType::f64, 4}, n);
    for (std::size_t i = 0; i < n; ++i) {
        const Turn& q = turn[i];
        const double size = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        // Rounding leaves far less; what is drawn and simulated takes it for a turn alone.
        if (std::abs(size - 1) > 1e-6) in.refuse("'turn' is not of unit length");
        BodyState state;
        state.center = center[i];
        state.turn = q;
        state.velocity = velocity[i];
        state.spin = spin[i];
        frame.state.bodies.push_back(std::move(state));
        frame.state.impulses.push_back({impulse[i], angular[i]});
        frame.poses.push_back(bodies::make_pose(position[i], q));
    }
}

void read_contacts(const Reader& in, std::size_t bodies, std::vector<BodyContact>& contacts) {
    const auto pairs = in.get<std::array<std::int32_t, 2>>("contact_bodies", {ScalarType::i32, 2});
    const std::size_t n = pairs.size();
    const auto point = in.get<Vec3d>("contact_point", vector_type, n),
               normal = in.get<Vec3d>("contact_normal", vector_type, n);
    const auto impulse = in.get<double>("contact_impulse", {ScalarType::f64, 1}, n);
    for (std::size_t i = 0; i < n; ++i) {
        for (const std::int32_t body : pairs[i]) {
            if (body < -1 || body >= static_cast<std::int64_t>(bodies))
                in.refuse("'contact_bodies' names a body that is not there");
        }
        contacts.push_back({pairs[i][0], pairs[i][1], point[i], normal[i], impulse[i]});
    }
}

}  // namespace

BodyFrame frame_of(const bodies::Bodies& bodies) {
    BodyFrame frame;
    if (bodies.empty()) return frame;
    frame.state = bodies.state();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        frame.poses.push_back(bodies.pose(i));
        std::vector<Vec3f> points, velocities;
        if (bodies.deforms(i)) {
            const geometry::Mesh mesh = bodies.surface(i);
            points = mesh.points;
            const geometry::Attribute* v = mesh.find("v");
            SPINDRIFT_CHECK(v && v->values.size() == 3 * points.size());
            for (std::size_t k = 0; k < v->values.size(); k += 3)
                velocities.push_back({v->values[k], v->values[k + 1], v->values[k + 2]});
        }
        frame.surfaces.push_back(std::move(points));
        frame.surface_velocities.push_back(std::move(velocities));
    }
    return frame;
}

ChannelSet body_arrays(const Scene& scene, const BodyFrame& frame) {
    ChannelSet out;
    const std::string names = joined_names(scene);
    add<std::uint8_t>(out, "names", {ScalarType::u8, 1}, names.size(),
                      [&](std::size_t i) { return static_cast<std::uint8_t>(names[i]); });
    add_states(out, frame);
    add_contacts(out, frame.state.contacts);
    const bodies::Ledger& ledger = frame.state.ledger;
    add<Vec3d>(out, "ledger", vector_type, {ledger.given, ledger.received, ledger.gravity, ledger.held});
    const std::vector<std::string> files = body_file_names(scene);
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!scene.body[i].deforms()) continue;
        add(out, "points." + files[i], vector_type, frame.state.bodies[i].points);
        add(out, "velocities." + files[i], vector_type, frame.state.bodies[i].velocities);
        add(out, "surface." + files[i], {ScalarType::f32, 3}, frame.surfaces[i]);
        add(out, "surface_v." + files[i], {ScalarType::f32, 3}, frame.surface_velocities[i]);
    }
    return out;
}

BodyFrame body_frame(const Scene& scene, const ChannelSet& arrays, const fs::path& source) {
    const Reader in(arrays, source);
    check_names(scene, in);
    BodyFrame frame;
    const std::size_t n = scene.body.size();
    read_states(in, n, frame);
    read_contacts(in, n, frame.state.contacts);
    const auto ledger = in.get<Vec3d>("ledger", vector_type, 4);
    frame.state.ledger = {ledger[0], ledger[1], ledger[2], ledger[3]};
    const std::vector<std::string> files = body_file_names(scene);
    frame.surfaces.resize(n);
    frame.surface_velocities.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (!scene.body[i].deforms()) continue;
        frame.state.bodies[i].points = in.list<Vec3d>("points." + files[i], vector_type);
        frame.state.bodies[i].velocities = in.list<Vec3d>("velocities." + files[i], vector_type);
        frame.surfaces[i] = in.list<Vec3f>("surface." + files[i], {ScalarType::f32, 3});
        frame.surface_velocities[i] = in.list<Vec3f>("surface_v." + files[i], {ScalarType::f32, 3});
    }
    return frame;
}

geometry::Mesh body_surface(const BodyFrame& frame, std::size_t body, const geometry::Mesh& shape,
                            const fs::path& source) {
    geometry::Mesh mesh = shape;
    std::vector<Vec3f> velocities = frame.surface_velocities[body];
    if (frame.surfaces[body].empty()) {
        geometry::transform(mesh, 1, frame.poses[body]);
        const BodyState& state = frame.state.bodies[body];
        velocities.clear();
        for (const Vec3f& p : mesh.points)
            velocities.push_back(
                vec_cast<float>(state.velocity + cross(state.spin, vec_cast<double>(p) - state.center)));
    } else {
        if (frame.surfaces[body].size() != shape.points.size() || velocities.size() != shape.points.size())
            throw IoError(IoError::Kind::corrupt, source,
                          fmt::format("the surface of body {} has {} points here and {} in the scene; simulate the "
                                      "frame again",
                                      body, frame.surfaces[body].size(), shape.points.size()));
        mesh.points = frame.surfaces[body];
    }
    geometry::Attribute v{"v", 3, {}};
    for (const Vec3f& each : velocities)
        v.values.insert(v.values.end(), {each.x, each.y, each.z});
    mesh.attributes.push_back(std::move(v));
    return mesh;
}

}  // namespace spindrift::sim
