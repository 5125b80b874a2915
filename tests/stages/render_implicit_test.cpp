// Pictures of surfaces that are traced from samples, of caches without meshes.

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

#include "mesh_caches.h"
#include <gtest/gtest.h>

#include "spindrift/cache/manifest_file.h"
#include "spindrift/cache/series.h"
#include "spindrift/core/errors.h"
#include "spindrift/image/png_file.h"
#include "spindrift/stages/mesh/frame_lattice.h"
#include "spindrift/stages/mesh/mesh_inputs.h"
#include "spindrift/stages/pictures/render_stage.h"
#include "spindrift/surface/contour/march.h"

namespace spindrift::stages {
namespace {

class RenderImplicit : public MeshStageTest {
  protected:
    static Scene shown(bool two, const std::string& color = "auto") {
        Scene scene = scene_of("", two);
        scene.render.show = render::Show::implicit;
        scene.render.color = color;
        scene.render.resolution = {120, 68};
        scene.render.samples = 4;
        return scene;
    }
    static RenderReport draw(const Scene& scene, const fs::path& cache) {
        SilentProgress quiet;
        return render_cache(scene, {.folder = cache, .first = 2, .last = 2, .sheet_frames = 0, .movie = false}, quiet);
    }
    static image::Image picture(const Scene& scene, const fs::path& cache) {
        return image::read_png(draw(scene, cache).last_picture);
    }
    static double difference(const image::Image& a, const image::Image& b) {
        double sum = 0;
        for (std::size_t i = 0; i < a.pixels.size(); ++i)
            sum += length(a.pixels[i] - b.pixels[i]);
        return sum / static_cast<double>(a.pixels.size());
    }
};

TEST_F(RenderImplicit, no_mesh_is_needed_and_the_picture_is_like_that_of_one) {
    for (const bool two : {false, true}) {
        const fs::path a = cache(two ? "two" : "one", two);
        for (const char* color : {"auto", "liquid"}) {
            Scene scene = shown(two, color);
            scene.mesh.smoothing = 0;
            fs::remove_all(a / cache::series::mesh);
            const image::Image implicit = picture(scene, a);
            make(scene, a);
            scene.render.show = render::Show::mesh;
            // Four samples of a coarse lattice: the mean distance of colours is 0.007 to 0.013.
            EXPECT_LT(difference(implicit, picture(scene, a)), 0.03) << color;
        }
    }
}

TEST_F(RenderImplicit, samples_are_those_that_the_mesh_is_made_of) {
    const fs::path a = cache("a");
    Scene scene = shown(false);
    const cache::Cache seen = cache::Cache::open(a);
    const io::FrameEntry& frame = *seen.find(cache::series::particles, 3);
    const surface::Lattice lattice = FrameSampler(scene, seen).sample(frame);
    // The domain cuts it at the floor; meshes keep their points 0.02 voxels off those of the lattice.
    const geometry::Mesh mesh = surface::march(lattice);
    ASSERT_FALSE(mesh.triangles.empty());
    float lowest = 1;
    for (const Vec3f p : mesh.points)
        lowest = std::min(lowest, p.y);
    EXPECT_NEAR(lowest, 0, 0.021 * lattice.voxel);
    scene.mesh.clip = false;
    const surface::Lattice whole = FrameSampler(scene, seen).sample(frame);
    EXPECT_NE(surface::march(whole).points, mesh.points);
}

TEST_F(RenderImplicit, pictures_are_stale_once_settings_of_the_surface_change) {
    const fs::path a = cache("a");
    Scene scene = shown(false);
    EXPECT_EQ(draw(scene, a).rendered, 1);
    EXPECT_EQ(draw(scene, a).reused, 1);
    scene.mesh.voxel = 0.8;
    EXPECT_EQ(draw(scene, a).stale, 1);
    EXPECT_EQ(draw(scene, a).reused, 1);
    keep_first(a, 2, 100);
    EXPECT_EQ(draw(scene, a).stale, 1);
}

TEST_F(RenderImplicit, few_particles_and_places_that_are_none_are_fine) {
    for (const std::size_t count : {0, 1, 2}) {
        const fs::path a = cache(std::to_string(count));
        keep_first(a, 2, count);
        for (const Vec3f pixel : picture(shown(false), a).pixels)
            ASSERT_TRUE(is_finite(pixel));
    }
    const fs::path a = cache("nan", true);
    ChannelSet channels = io::read_npz(particles(a, 2));
    auto x = channels.find("P")->as<Vec3f>();
    for (std::size_t i = 0; i < x.size(); i += 3)
        x[i].y = std::numeric_limits<float>::quiet_NaN();
    replace(a, 2, channels);
    for (const Vec3f pixel : picture(shown(true), a).pixels)
        ASSERT_TRUE(is_finite(pixel));
}

TEST_F(RenderImplicit, colours_of_channels_are_refused_with_what_can_have_them) {
    const fs::path a = cache("a");
    try {
        draw(shown(false, "speed"), a);
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("--show mesh"), std::string::npos);
    }
    EXPECT_FALSE(fs::exists(a / "preview" / "liquid.0002.png"));
}

}  // namespace
}  // namespace spindrift::stages
