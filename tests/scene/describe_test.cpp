// Every member of every struct is described: its address is among those that describe() visits.

#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "spindrift/scene/scene.h"

namespace spindrift {
namespace {

struct AddressVisitor {
    std::set<const void*> addresses;
    std::set<std::string> names;
    bool all_texts = true;

    template <class T>
    void operator()(std::string_view name, T& member, const ParamInfo& info) {
        addresses.insert(&member);
        names.insert(std::string(name));
        all_texts = all_texts && !info.text.empty() && !info.text.ends_with('.');
    }
};

/// `members` is a tuple of references to every member; a structured binding keeps it complete.
template <class T, class... Members>
void expect_described(const T& params, const std::tuple<Members&...>& members) {
    AddressVisitor visitor;
    T::describe(params, visitor);
    std::apply([&](auto&... m) { EXPECT_EQ(visitor.addresses, (std::set<const void*>{&m...})); }, members);
    EXPECT_EQ(visitor.names.size(), sizeof...(Members));
    EXPECT_TRUE(visitor.all_texts);
}

TEST(DescribeTest, every_member_of_emitters_is_described) {
    const emitters::SphereShape sphere;
    const auto& [center, sphere_radius] = sphere;
    expect_described(sphere, std::tie(center, sphere_radius));
    const emitters::CylinderShape cylinder;
    const auto& [base, top, radius] = cylinder;
    expect_described(cylinder, std::tie(base, top, radius));
    const emitters::FillParams fill;
    const auto& [a, b, c, d, e, f, g, h, i, j, k] = fill;
    expect_described(fill, std::tie(a, b, c, d, e, f, g, h, i, j, k));
    const emitters::FloodParams flood;
    const auto& [from, level] = flood;
    expect_described(flood, std::tie(from, level));
}

TEST(DescribeTest, every_member_of_emitters_and_killers_is_described) {
    const emitters::DiscShape disc;
    const auto& [disc_radius] = disc;
    expect_described(disc, std::tie(disc_radius));
    const emitters::RectangleShape rectangle;
    const auto& [size] = rectangle;
    expect_described(rectangle, std::tie(size));
    const emitters::EmitterParams emitter;
    const auto& [e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, e13, e14, e15, e16, e17, e18, e19, e20, e21,
                 e22, e23, e24] = emitter;
    expect_described(emitter, std::tie(e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, e13, e14, e15, e16, e17,
                                       e18, e19, e20, e21, e22, e23, e24));
    const emitters::RegionParams region;
    const auto& [box, sphere, cylinder] = region;
    expect_described(region, std::tie(box, sphere, cylinder));
    const emitters::KillerParams killer;
    const auto& [k0, k1, k2, k3, k4, k5, k6, k7, k8, k9] = killer;
    expect_described(killer, std::tie(k0, k1, k2, k3, k4, k5, k6, k7, k8, k9));
}

TEST(DescribeTest, every_member_of_collision_is_described) {
    const collision::DomainParams domain;
    const auto& [box, open, friction, bounce] = domain;
    expect_described(domain, std::tie(box, open, friction, bounce));
    const collision::PlaneShape plane;
    const auto& [point, normal] = plane;
    expect_described(plane, std::tie(point, normal));
    const collision::ColliderParams collider;
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, ior] = collider;
    expect_described(collider,
                     std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, ior));
    const collision::WetMapParams wet_map;
    const auto& [resolution, wetting, drying] = wet_map;
    expect_described(wet_map, std::tie(resolution, wetting, drying));
}

TEST(DescribeTest, every_member_of_bodies_is_described) {
    const bodies::BodyParams body;
    const auto& [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18, b19, b20, b21,
                 b22, b23, b24, b25, b26, b27, b28, b29, b30, b31, b32] = body;
    expect_described(body, std::tie(b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17, b18,
                                    b19, b20, b21, b22, b23, b24, b25, b26, b27, b28, b29, b30, b31, b32));
    const bodies::CapsuleShape capsule;
    const auto& [base, top, radius] = capsule;
    expect_described(capsule, std::tie(base, top, radius));
    const bodies::SheetShape sheet;
    const auto& [size, cells] = sheet;
    expect_described(sheet, std::tie(size, cells));
    const bodies::HingeParams hinge;
    const auto& [point, axis, friction] = hinge;
    expect_described(hinge, std::tie(point, axis, friction));
    const bodies::ClothParams cloth;
    const auto& [stretch, bend, weight, cloth_damping] = cloth;
    expect_described(cloth, std::tie(stretch, bend, weight, cloth_damping));
    const bodies::SoftParams soft;
    const auto& [young, poisson, damping, cell] = soft;
    expect_described(soft, std::tie(young, poisson, damping, cell));
}

TEST(DescribeTest, every_member_of_forces_is_described) {
    const forces::ForceParams force;
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = force;
    expect_described(force, std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m));
}

TEST(DescribeTest, every_member_of_the_solver_is_described) {
    const pbf::SolverParams solver;
    const auto& [a, b, c, d, e, f, g, h, i] = solver;
    expect_described(solver, std::tie(a, b, c, d, e, f, g, h, i));
}

TEST(DescribeTest, every_member_of_levels_is_described) {
    const lod::LodParams lod;
    const auto& [a, b, c, d, e, f] = lod;
    expect_described(lod, std::tie(a, b, c, d, e, f));
}

TEST(DescribeTest, every_member_of_pictures_is_described) {
    const geometry::CameraParams camera;
    const auto& [a, b, c, d, e] = camera;
    expect_described(camera, std::tie(a, b, c, d, e));
    const render::RenderParams render;
    const auto& [f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w, x, y, dye] = render;
    expect_described(render, std::tie(f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w, x, y, dye));
    const render::SlicePlane slice;
    const auto& [point, normal, thickness] = slice;
    expect_described(slice, std::tie(point, normal, thickness));
    const render::FloorParams floor;
    const auto& [pattern, size, image, color] = floor;
    expect_described(floor, std::tie(pattern, size, image, color));
    const render::SunParams sun;
    const auto& [elevation, azimuth, strength, disc] = sun;
    expect_described(sun, std::tie(elevation, azimuth, strength, disc));
}

TEST(DescribeTest, every_member_of_modules_is_described) {
    const render::ModuleParams module;
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w, x] = module;
    expect_described(module, std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w, x));
    const render::GraphParams graph;
    const auto& [inputs, modules, name, output] = graph;
    expect_described(graph, std::tie(inputs, modules, name, output));
}

TEST(DescribeTest, every_member_of_surfaces_is_described) {
    const surface::MeshParams mesh;
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = mesh;
    expect_described(mesh, std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o));
}

TEST(DescribeTest, every_member_of_the_scene_but_its_file_is_described) {
    const LiquidParams liquid;
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = liquid;
    expect_described(liquid, std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o));
    const ChannelParams channel;
    const auto& [channel_name, type, initial, unit] = channel;
    expect_described(channel, std::tie(channel_name, type, initial, unit));
    const OutputParams output;
    const auto& [path, name, channels, grids] = output;
    expect_described(output, std::tie(path, name, channels, grids));
    const Scene scene;
    const auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, file] =
        scene;
    expect_described(
        scene, std::tie(m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19));
    EXPECT_TRUE(file.empty());
}

TEST(MaterialTest, presets_are_in_real_units) {
    LiquidParams liquid;
    EXPECT_NEAR(liquid.properties().density, 998, 1);
    EXPECT_NEAR(liquid.properties().viscosity, 1.0e-6, 1e-8);
    EXPECT_NEAR(liquid.properties().surface_tension, 0.0728, 1e-4);
    for (std::size_t i = 0; i < enum_words(Material{}).size(); ++i) {
        const MaterialProperties& preset = material_properties(static_cast<Material>(i));
        EXPECT_TRUE(preset.density > 500 && preset.density < 20000) << word(static_cast<Material>(i));
        EXPECT_TRUE(preset.viscosity > 1e-8 && preset.viscosity < 1) << word(static_cast<Material>(i));
        EXPECT_TRUE(preset.surface_tension > 0.01 && preset.surface_tension < 1) << word(static_cast<Material>(i));
    }
}

TEST(MaterialTest, given_values_replace_those_of_the_preset) {
    LiquidParams liquid;
    liquid.material = Material::honey;
    liquid.viscosity = 0.5;
    EXPECT_EQ(liquid.properties().viscosity, 0.5);
    EXPECT_EQ(liquid.properties().density, material_properties(Material::honey).density);
}

}  // namespace
}  // namespace spindrift
