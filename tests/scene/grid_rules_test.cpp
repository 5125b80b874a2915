// What scenes may say about solvers on a grid.

#include "scenes.h"
#include <gtest/gtest.h>

namespace spindrift {
namespace {

std::string two_liquids(const std::string& second) {
    return "solver = \"apic\"\n[[liquid]]\nname = \"a\"\nspacing = 0.1\ndensity = 1000\nfill = { box = [[0, 0, 0], [1, "
           "1, 1]] }\n[[liquid]]\nname = \"b\"\n" +
           second;
}

TEST(GridRules, one_word_or_a_table_chooses_the_solver) {
    const auto with = [](const std::string& text, const std::vector<std::string>& overrides = {}) {
        return parse_scene(text + std::string(small_scene), "dam.toml", overrides).solver;
    };
    EXPECT_EQ(with("").method, fluid::Method::pbf);
    EXPECT_EQ(with("solver = \"flip\"\n").method, fluid::Method::flip);
    EXPECT_EQ(with("solver = { method = \"pic\", substeps = 3 }\n").method, fluid::Method::pic);
    EXPECT_EQ(with("solver = { method = \"pic\", substeps = 3 }\n").substeps[0], 3);
    EXPECT_EQ(with("", {"solver=apic"}).method, fluid::Method::apic);
    EXPECT_EQ(with("solver = \"flip\"\n", {"solver=apic"}).method, fluid::Method::apic);
}

TEST(GridRules, a_word_may_be_followed_by_settings) {
    const Scene scene =
        parse_scene("solver = \"flip\"\n" + std::string(small_scene), "dam.toml", {"solver.substeps=2"});
    EXPECT_EQ(scene.solver.method, fluid::Method::flip);
    EXPECT_EQ(scene.solver.substeps[0], 2);
}

TEST(GridRules, unknown_solvers_and_settings_are_refused_with_advice) {
    const std::string rest(small_scene);
    EXPECT_NE(complaints("solver = \"flop\"\n" + rest).find("dam.toml:1:10"), std::string::npos);
    EXPECT_NE(complaints("solver = \"flop\"\n" + rest).find("did you mean 'flip'?"), std::string::npos)
        << complaints("solver = \"flop\"\n" + rest);
    EXPECT_EQ(complaints("flip.cfl = 9\n" + rest), "dam.toml:1:12: cfl: 9 is out of range; allowed: 0.5 to 5");
    EXPECT_EQ(complaints("flip.cfl = 0.1\n" + rest), "dam.toml:1:12: cfl: 0.1 is out of range; allowed: 0.5 to 5");
    EXPECT_NE(complaints("flip.blent = 1.0\n" + rest).find("did you mean 'blend'?"), std::string::npos);
}

TEST(GridRules, liquids_share_a_spacing_and_a_density) {
    EXPECT_EQ(complaints(two_liquids("spacing = 0.1\ndensity = 1000\n")), "");
    EXPECT_EQ(complaints(two_liquids("spacing = 0.05\ndensity = 1000\n")),
              "dam.toml:9:11: solver = \"apic\" has one grid for all liquids: give 'b' the spacing of 'a', 0.1 m, or "
              "write solver = \"pbf\"");
    EXPECT_EQ(complaints(two_liquids("spacing = 0.1\ndensity = 900\n")),
              "dam.toml:10:11: solver = \"apic\" moves liquids of one density: give 'b' the density of 'a', 1000 "
              "kg/m^3, or write solver = \"pbf\"");
}

TEST(GridRules, levels_of_detail_belong_to_position_based_fluids) {
    EXPECT_EQ(complaints("solver = \"flip\"\n[lod]\nmodel = \"dtvs\"\n[[camera]]\nposition = [1, 1, 1]\ntarget = [0, "
                         "0, 0]\n" +
                         std::string(small_scene)),
              "dam.toml:2:1: levels of detail are iterations of position based fluids, which solver = \"flip\" does "
              "not have; take [lod] out, or write solver = \"pbf\"");
}

TEST(GridRules, a_narrow_band_has_nothing_inside_that_particles_carry) {
    const auto said = [](const std::string& text, const std::string& more = "") {
        return complaints("solver = \"flip\"\n" + text + std::string(small_scene) + more);
    };
    EXPECT_EQ(said("flip.narrow_band = 4\n"), "");
    EXPECT_EQ(said("flip.narrow_band = 2\n"),
              "dam.toml:2:20: a band thinner than three cells would tear; write narrow_band = 3, or 0 for none");
    EXPECT_EQ(said("flip.narrow_band = 4\n", "\n[[killer]]\nage = 3\n"),
              "dam.toml:2:20: a killer takes particles, and a narrow band has none inside; write narrow_band = 0, or "
              "take [[killer]] out");
    EXPECT_EQ(complaints("flip.narrow_band = 4\n" + two_liquids("spacing = 0.1\ndensity = 1000\n")),
              "dam.toml:1:20: a narrow band knows one liquid; write narrow_band = 0, or take the other liquids out");
}

TEST(GridRules, a_scene_that_memory_cannot_hold_is_refused_before_it_is_filled) {
    const std::string said =
        complaints("solver = \"flip\"\n[[liquid]]\nspacing = 1e-5\nfill = { box = [[0, 0, 0], [1, 1, 1]] }\n");
    EXPECT_NE(said.find("dam.toml:"), std::string::npos) << said;
    EXPECT_NE(said.find("memory"), std::string::npos) << said;
}

TEST(GridRules, scenes_are_read_as_they_were_written) {
    const Scene scene = parse_scene(
        "solver = \"flip\"\nflip = { blend = 0.9, cfl = 2, spray = 0, reseed = false }\n" + std::string(small_scene),
        "dam.toml", {"solver.substeps=2"});
    const Scene again = parse_scene(write_scene(scene), "again.toml");
    EXPECT_EQ(again.solver.method, fluid::Method::flip);
    EXPECT_EQ(again.solver.substeps, scene.solver.substeps);
    EXPECT_EQ(again.flip.blend, 0.9);
    EXPECT_EQ(again.flip.cfl, 2);
    EXPECT_EQ(again.flip.spray, 0);
    EXPECT_FALSE(again.flip.reseed);
    EXPECT_EQ(write_scene(again), write_scene(scene));
}

}  // namespace
}  // namespace spindrift
