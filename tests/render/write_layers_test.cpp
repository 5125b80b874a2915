// The layers of pictures in OpenEXR files, as another program would read them.

#include "spindrift/render/write_layers.h"

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "temporary_folder.h"
#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfInputFile.h>
#include <ImfStringAttribute.h>
#include <gtest/gtest.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/random.h"
#include "spindrift/image/exr_file.h"

namespace spindrift::render {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// A body before the sky, with the grain that a traced picture has.
Layers some_layers(int width, int height) {
    Layers layers(width, height);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const std::size_t i = layers.index(x, y);
            const float u = static_cast<float>(x) / static_cast<float>(width), grain = uniform(hash_counter(1, i, 0));
            layers.light.at(x, y) = {0.5f + 0.02f * grain, 0.25f + u, 0.75f};
            if (2 * x < width) continue;
            layers.alpha[i] = 1;
            layers.depth[i] = 2 + u;
            layers.normal[i] = {u, -1, std::sqrt(1 - u * u)};
            layers.albedo[i] = {0.25f, 0.5f, u};
            layers.id[i] = body_id::first_liquid;
        }
    }
    return layers;
}

template <class T>
std::vector<T> read_channel(const std::filesystem::path& path, const char* name, Imf::PixelType type) {
    Imf::InputFile file(path.c_str());
    const Imath::Box2i window = file.header().dataWindow();
    const auto width = static_cast<std::size_t>(window.max.x + 1), height = static_cast<std::size_t>(window.max.y + 1);
    std::vector<T> values(width * height);
    Imf::FrameBuffer pixels;
    pixels.insert(name, Imf::Slice::Make(type, values.data(), window, sizeof(T), sizeof(T) * width));
    file.setFrameBuffer(pixels);
    file.readPixels(window.min.y, window.max.y);
    return values;
}

std::vector<float> read_floats(const std::filesystem::path& path, const char* name) {
    return read_channel<float>(path, name, Imf::FLOAT);
}

TEST(WriteLayers, channels_have_the_names_and_types_that_compositors_know) {
    const TemporaryFolder folder;
    write_layers(folder / "dam.exr", some_layers(8, 4), {{0, "sky"}, {1, "floor"}, {1000, "water"}});
    EXPECT_EQ(folder.file_count(), 1u) << "nothing is left aside";
    const Imf::InputFile file((folder / "dam.exr").c_str());
    std::set<std::string> halfs, floats, wholes;
    for (auto channel = file.header().channels().begin(); channel != file.header().channels().end(); ++channel)
        (channel.channel().type == Imf::HALF    ? halfs
         : channel.channel().type == Imf::FLOAT ? floats
                                                : wholes)
            .insert(channel.name());
    EXPECT_EQ(halfs,
              (std::set<std::string>{"A", "B", "G", "N.X", "N.Y", "N.Z", "R", "albedo.B", "albedo.G", "albedo.R"}));
    EXPECT_EQ(floats, std::set<std::string>{"Z"});
    EXPECT_EQ(wholes, std::set<std::string>{"id"});
    const auto* ids = file.header().findTypedAttribute<Imf::StringAttribute>("ids");
    ASSERT_TRUE(ids);
    EXPECT_EQ(ids->value(), "0 sky, 1 floor, 1000 water");
    EXPECT_EQ(file.header().compression(), Imf::ZIP_COMPRESSION);
}

TEST(WriteLayers, values_come_back) {
    const TemporaryFolder folder;
    const Layers layers = some_layers(31, 17);
    write_layers(folder / "dam.exr", layers, {});
    EXPECT_EQ(read_floats(folder / "dam.exr", "Z"), layers.depth) << "infinite depth too";
    EXPECT_EQ(read_channel<std::uint32_t>(folder / "dam.exr", "id", Imf::UINT), layers.id);
    EXPECT_EQ(read_floats(folder / "dam.exr", "A"), layers.alpha);
    const std::vector<float> green = read_floats(folder / "dam.exr", "G"), up = read_floats(folder / "dam.exr", "N.Z"),
                             blue = read_floats(folder / "dam.exr", "albedo.B");
    // Halfs keep 11 bits.
    constexpr float rounding = 0x1p-11f;
    for (std::size_t i = 0; i < green.size(); ++i) {
        EXPECT_NEAR(green[i], layers.light.pixels[i].y, 2 * rounding);
        EXPECT_NEAR(up[i], layers.normal[i].z, rounding);
        EXPECT_NEAR(blue[i], layers.albedo[i].z, rounding);
    }
    EXPECT_NEAR(image::read_exr(folder / "dam.exr").at(3, 2).y, layers.light.at(3, 2).y, 2 * rounding);
}

TEST(WriteLayers, light_that_no_half_holds_stays_finite) {
    const TemporaryFolder folder;
    Layers layers(2, 2);
    layers.light.pixels = {{1e9f, infinity, -1e9f}, {std::nanf(""), 0, 1}, {}, {}};
    write_layers(folder / "sun.exr", layers, {});
    EXPECT_EQ(read_floats(folder / "sun.exr", "R"), (std::vector<float>{65504, 0, 0, 0}));
    EXPECT_EQ(read_floats(folder / "sun.exr", "G")[0], 65504);
    EXPECT_EQ(read_floats(folder / "sun.exr", "B")[0], -65504);
    EXPECT_EQ(read_floats(folder / "sun.exr", "Z")[0], infinity);
}

TEST(WriteLayers, a_picture_of_half_a_million_pixels_takes_a_few_megabytes) {
    const TemporaryFolder folder;
    write_layers(folder / "dam.exr", some_layers(960, 540), {});
    // Raw, it has 28 bytes per pixel: 14.5 MB. This one is smooth but for a little grain.
    EXPECT_LT(std::filesystem::file_size(folder / "dam.exr"), 5'000'000u);
}

TEST(WriteLayers, a_folder_that_is_not_there_is_said) {
    const TemporaryFolder folder;
    EXPECT_THROW(write_layers(folder / "absent/dam.exr", Layers(2, 2), {}), IoError);
}

}  // namespace
}  // namespace spindrift::render
