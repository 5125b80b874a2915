// Scenes with random damage: the reader accepts them or complains, and never does anything else.

#include <algorithm>

#include "scenes.h"
#include <gtest/gtest.h>

#include "spindrift/core/random.h"

namespace spindrift {
namespace {

constexpr int rounds = 2000;

/// Random numbers of one round.
class Draws {
  public:
    explicit Draws(std::uint64_t round) : round_(round) {}
    std::size_t below(std::size_t n) { return n == 0 ? 0 : hash_counter(1, round_, draw_++) % n; }

  private:
    std::uint64_t round_, draw_ = 0;
};

std::string_view seed_scene(std::size_t index) {
    return index == 0 ? small_scene : full_scene;
}

std::string piece(const std::string& text, Draws& draws) {
    const std::size_t from = draws.below(text.size());
    return text.substr(from, 1 + draws.below(40));
}

void damage(std::string& text, Draws& draws) {
    const std::size_t at = draws.below(text.size() + 1);
    switch (draws.below(5)) {
        case 0:
            if (at < text.size()) text[at] = static_cast<char>(draws.below(256));
            break;
        case 1:
            if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << draws.below(8)));
            break;
        case 2:
            text.erase(at, draws.below(20));
            break;
        case 3:
            text.insert(at, piece(text, draws));
            break;
        default:
            text.insert(at, piece(std::string(seed_scene(draws.below(2))), draws));
    }
}

TEST(SceneFuzzTest, damaged_scenes_are_accepted_or_refused_but_nothing_else) {
    int accepted = 0;
    for (int round = 0; round < rounds; ++round) {
        Draws draws(static_cast<std::uint64_t>(round));
        std::string text(seed_scene(draws.below(2)));
        for (std::size_t hits = 1 + draws.below(6); hits > 0; --hits)
            damage(text, draws);
        try {
            const Scene scene = parse_scene(text, "fuzz.toml");
            scene_json(parse_scene(write_scene(scene), "fuzz.toml"));
            ++accepted;
        } catch (const SceneError&) {
        }
    }
    EXPECT_GT(accepted, 0);
    EXPECT_LT(accepted, rounds);
}

TEST(SceneFuzzTest, damaged_overrides_are_accepted_or_refused_but_nothing_else) {
    const std::string seeds[] = {"solver.iterations=8",
                                 "liquid.sea.fill.0.box=[[0,0,0],[1,1,1]]",
                                 "gravity.1=-3",
                                 "camera.wide.name='x'",
                                 "domain.open=[\"top\"]",
                                 "gravity={keys=[[1,[0,0,0]],[9,[0,-9,0]]]}",
                                 "force.0.strength=[[1,0],[9.5,2]]"};
    for (int round = 0; round < rounds; ++round) {
        Draws draws(static_cast<std::uint64_t>(rounds + round));
        std::string setting = seeds[draws.below(std::size(seeds))];
        for (std::size_t hits = draws.below(5); hits > 0; --hits)
            damage(setting, draws);
        try {
            parse_scene(full_scene, "fuzz.toml", {setting});
        } catch (const SceneError&) {
        }
    }
}

}  // namespace
}  // namespace spindrift
