// Pictures of caches that have meshes.

#include <filesystem>
#include <string>
#include <vector>

#include "complaint.h"
#include "temporary_folder.h"
#include <gtest/gtest.h>

#include "spindrift/cache/manifest_file.h"
#include "spindrift/cache/series.h"
#include "spindrift/core/errors.h"
#include "spindrift/image/png_file.h"
#include "spindrift/stages/mesh/mesh_stage.h"
#include "spindrift/stages/pictures/panels.h"
#include "spindrift/stages/pictures/render_stage.h"
#include "spindrift/stages/run/run.h"

namespace spindrift::stages {
namespace {

namespace fs = std::filesystem;
using render::Show;

Scene drop() {
    return parse_scene(R"(
        frames = [1, 2]
        [domain]
        box = [[0, 0, 0], [0.3, 0.2, 0.1]]
        [[liquid]]
        spacing = 0.02
        fill = { box = [[0, 0, 0], [0.1, 0.12, 0.1]] }
        [mesh]
        voxel = 1
        [render]
        resolution = [120, 68]
        samples = 1)",
                       "drop.toml");
}

Scene layers() {
    return parse_scene(R"(
        frames = [1, 1]
        [domain]
        box = [[0, 0, 0], [0.1, 0.3, 0.1]]
        [[liquid]]
        name = "water"
        spacing = 0.02
        fill = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] }
        [[liquid]]
        name = "oil"
        density = 800
        spacing = 0.02
        fill = { box = [[0, 0.1, 0], [0.1, 0.2, 0.1]] }
        [mesh]
        voxel = 1
        [render]
        resolution = [120, 68]
        samples = 1)",
                       "layers.toml");
}

class RenderMeshes : public testing::Test {
  protected:
    void simulate(const Scene& scene) {
        RunOptions options;
        options.folder = cache();
        run_scene(scene, options, quiet);
    }
    void make_meshes(const Scene& scene) { mesh_cache(scene, {.folder = cache()}, quiet); }
    RenderReport draw(const Scene& scene) {
        return render_cache(scene, {.folder = cache(), .sheet_frames = 0, .movie = false}, quiet);
    }
    /// The last picture.
    image::Image picture(const Scene& scene) { return image::read_png(draw(scene).last_picture); }
    fs::path cache() const { return folder / "cache"; }

    TemporaryFolder folder;
    SilentProgress quiet;
};

Scene shown(Scene scene, Show show, const std::string& color = "auto") {
    scene.render.show = show;
    scene.render.color = color;
    return scene;
}

TEST_F(RenderMeshes, meshes_are_drawn_once_they_are_there) {
    const Scene scene = drop();
    simulate(scene);
    const image::Image particles = picture(scene);
    make_meshes(scene);
    const RenderReport anew = draw(scene);
    EXPECT_EQ(anew.stale, 2);
    EXPECT_NE(image::read_png(anew.last_picture).pixels, particles.pixels);
    EXPECT_EQ(draw(scene).reused, 2);
    EXPECT_EQ(picture(shown(scene, Show::particles)).pixels, particles.pixels);
    const image::Image water = picture(shown(scene, Show::mesh)), both = picture(shown(scene, Show::both));
    EXPECT_NE(water.pixels, both.pixels);
    EXPECT_NE(both.pixels, particles.pixels);
}

TEST_F(RenderMeshes, another_mesh_makes_pictures_stale) {
    Scene scene = drop();
    simulate(scene);
    make_meshes(scene);
    draw(scene);
    scene.mesh.voxel = 0.8;
    make_meshes(scene);
    EXPECT_EQ(draw(scene).stale, 2);
}

TEST_F(RenderMeshes, a_mesh_of_other_particles_does_not_count) {
    const Scene scene = drop();
    simulate(scene);
    const image::Image particles = picture(scene);
    make_meshes(scene);
    io::Manifest manifest = cache::load_manifest(cache());
    for (io::FrameEntry& entry : manifest.series[cache::series::particles].frames)
        entry.hash = "other";
    cache::save_manifest(cache(), manifest);
    EXPECT_EQ(picture(scene).pixels, particles.pixels);
    EXPECT_NE(complaint([&] { draw(shown(scene, Show::mesh)); }).find("spindrift mesh"), std::string::npos);
}

TEST_F(RenderMeshes, a_missing_mesh_that_was_asked_for_is_said_before_anything_is_drawn) {
    const Scene scene = drop();
    simulate(scene);
    EXPECT_THROW(draw(shown(scene, Show::mesh)), IoError);
    EXPECT_THROW(draw(shown(scene, Show::both)), IoError);
    EXPECT_FALSE(fs::exists(cache() / "preview" / "liquid.0001.png"));
    const std::vector<PanelSource> sources{{shown(scene, Show::mesh), cache(), {}}};
    EXPECT_THROW(draw_panels(sources, {.width = 64}, quiet), IoError);
}

TEST_F(RenderMeshes, a_channel_colours_meshes_that_carry_it) {
    const Scene scene = drop();
    simulate(scene);
    make_meshes(scene);
    const image::Image clear = picture(scene), speed = picture(shown(scene, Show::mesh, "speed"));
    EXPECT_NE(speed.pixels, clear.pixels);
    EXPECT_EQ(picture(shown(scene, Show::automatic, "speed")).pixels, speed.pixels);
    EXPECT_EQ(picture(shown(scene, Show::automatic, "id")).pixels, picture(shown(scene, Show::particles, "id")).pixels)
        << "the mesh does not carry it";
    const std::string said = complaint([&] { draw(shown(scene, Show::mesh, "sped")); });
    EXPECT_FALSE(said.empty());
    EXPECT_NE(complaint([&] { draw(shown(scene, Show::mesh, "id")); }).find("mesh.channels"), std::string::npos);
}

TEST_F(RenderMeshes, several_liquids_have_their_colours) {
    const Scene scene = layers();
    simulate(scene);
    make_meshes(scene);
    const image::Image image = picture(scene);
    Scene red = scene;
    red.liquid[1].color = Vec3d{0.8, 0.02, 0.02};
    const image::Image changed = picture(red);
    float most = 0;
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        ASSERT_TRUE(is_finite(image.pixels[i]));
        most = std::max(most, length(image.pixels[i] - changed.pixels[i]));
    }
    EXPECT_GT(most, 0.1f);
}

TEST_F(RenderMeshes, liquids_that_are_asked_for_are_matte_in_their_own_colours) {
    Scene scene = shown(layers(), Show::mesh, "liquid");
    scene.liquid[0].color = Vec3d{0.8, 0, 0};
    scene.liquid[1].color = Vec3d{0, 0, 0.8};
    simulate(scene);
    make_meshes(scene);
    const image::Image image = picture(scene);
    EXPECT_NE(image.pixels, picture(shown(scene, Show::mesh)).pixels) << "clear";
    int red = 0, blue = 0;
    for (const Vec3f pixel : image.pixels) {
        // The floor and the sky are bluish grey, within a factor of two.
        red += pixel.x > 5 * pixel.z;
        blue += pixel.z > 5 * pixel.x;
    }
    EXPECT_GT(red, 200);
    EXPECT_GT(blue, 200);
}

TEST_F(RenderMeshes, meshes_of_liquids_apart_are_refused_with_the_command_that_makes_others) {
    Scene scene = layers();
    simulate(scene);
    const std::string plain = "`spindrift mesh " + cache().string();
    const auto said = [&] { return complaint([&] { draw(shown(scene, Show::mesh)); }); };
    EXPECT_NE(said().find(plain + "`"), std::string::npos) << "nothing stands against it";
    Scene apart = scene;
    apart.mesh.liquids = surface::Liquids::apart;
    make_meshes(apart);
    EXPECT_NE(said().find(plain + " --set mesh.liquids=both`"), std::string::npos);
    scene = apart;
    EXPECT_NE(said().find("mesh.liquids = \"both\" or \"together\""), std::string::npos);
    EXPECT_NE(said().find(plain + " --set mesh.liquids=both`"), std::string::npos);
    scene.mesh.formats = {surface::Format::obj};
    EXPECT_NE(said().find(plain + " --set mesh.liquids=both --format ply`"), std::string::npos);
    scene.mesh.formats = {surface::Format::ply};
    scene.mesh.liquids = surface::Liquids::both;
    make_meshes(scene);
    EXPECT_EQ(said(), "");
}

TEST_F(RenderMeshes, a_damaged_mesh_is_refused_with_advice) {
    const Scene scene = drop();
    simulate(scene);
    make_meshes(scene);
    const fs::path file = cache::load_manifest(cache()).series[cache::series::mesh].frames[0].file;
    const auto bytes = fs::file_size(cache() / file);
    fs::resize_file(cache() / file, bytes / 2);
    fs::resize_file(cache() / file, bytes);
    EXPECT_NE(complaint([&] { draw(scene); }).find("spindrift mesh"), std::string::npos);
}

}  // namespace
}  // namespace spindrift::stages
