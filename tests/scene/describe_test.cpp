// Every member of every struct of a scene is described: as many of them are visited by describe() as the struct has.

#include <optional>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "spindrift/scene/scene.h"

namespace spindrift {

/// Stands for a value of any member.
struct Anything {
    template <class T>
    operator T&() const&;
    template <class T>
    operator T&&() const&&;
};

namespace {

template <std::size_t>
using AnythingAt = Anything;

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
    return requires {
        T{AnythingAt<I>{}...};
    };
}

/// As many values as a struct can be made of; its base counts as one.
template <class T, std::size_t most = 60>
constexpr std::size_t member_count() {
    if constexpr (most == 0 || takes<T>(std::make_index_sequence<most>()))
        return most;
    else
        return member_count<T, most - 1>();
}

template <class T>
inline constexpr std::size_t parameter_count = member_count<T>();
template <>
inline constexpr std::size_t parameter_count<SolverChoice> = member_count<SolverChoice>() -
                                                             1 + member_count<pbf::SolverParams>();
template <>
inline constexpr std::size_t parameter_count<whitewater::SourceParams> = member_count<whitewater::SourceParams>() -
                                                                         1 + member_count<emitters::RegionParams>();
template <>
inline constexpr std::size_t parameter_count<Scene> = member_count<Scene>() - 1;  // all but its file

template <class T>
void expect_described();

/// Goes into the structs that it meets.
struct MemberVisitor {
    std::set<const void*> addresses{};
    std::set<std::string> names{};

    template <class T>
    void operator()(std::string_view name, const T& member, const ParamInfo& info) {
        addresses.insert(&member);
        names.insert(std::string(name));
        EXPECT_TRUE(!info.text.empty() && !info.text.ends_with('.')) << name << ": " << info.text;
        if constexpr (Described<T>)
            expect_described<T>();
        else if constexpr (holds_struct<T>)
            expect_described<typename T::value_type>();
    }
};

template <class T>
void expect_described() {
    const T params{};
    MemberVisitor visitor;
    T::describe(params, visitor);
    const std::string first = visitor.names.empty() ? "" : *visitor.names.begin();
    EXPECT_EQ(visitor.addresses.size(), parameter_count<T>) << "members of the struct with " << first;
    EXPECT_EQ(visitor.names.size(), parameter_count<T>) << "names of the struct with " << first;
}

TEST(DescribeTest, every_member_of_every_struct_is_described_once) {
    expect_described<Scene>();
}

struct Undescribed {
    std::optional<double> given{};
    Animated<Vec3d> moving{};
    std::array<double, 2> pair{};
    Box3d forgotten{};
};

TEST(DescribeTest, members_are_counted_whatever_they_are) {
    EXPECT_EQ(member_count<Undescribed>(), 4u);
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
