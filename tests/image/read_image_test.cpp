#include "spindrift/image/read_image.h"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "temporary_folder.h"
#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfOutputFile.h>
#include <gtest/gtest.h>
#include <png.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/random.h"
#include "spindrift/image/exr_file.h"
#include "spindrift/image/png_file.h"

namespace spindrift::image {
namespace {

Image pattern(int width, int height) {
    Image image(width, height);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        const auto draw = [&](std::uint64_t k) { return uniform(hash_counter(5, i, k)); };
        image.pixels[i] = {draw(0) * 100, draw(1) - 0.5f, draw(2) * 1e-5f};
    }
    return image;
}

void expect_refused(const std::filesystem::path& path, IoError::Kind kind, const std::string& sentence) {
    try {
        read_image(path);
        ADD_FAILURE() << path << " was read, but '" << sentence << "' was expected";
    } catch (const IoError& error) {
        EXPECT_EQ(error.kind(), kind) << error.what();
        EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
    }
}

/// Writes numbers as they are, in a format of libpng's simple interface that makes no difference to them.
void write_raw_png(const std::filesystem::path& path, int width, int height, png_uint_32 format, const void* pixels) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.width = static_cast<png_uint_32>(width);
    png.height = static_cast<png_uint_32>(height);
    png.format = format;
    ASSERT_TRUE(png_image_write_to_file(&png, path.c_str(), 0, pixels, 0, nullptr));
}

TEST(ReadImage, exr_gives_back_the_same_bits_whatever_its_name) {
    const TemporaryFolder folder;
    const Image image = pattern(37, 23);
    write_exr(folder / "picture.png", image);
    const Image back = read_image(folder / "picture.png");
    EXPECT_EQ(back.width, 37);
    EXPECT_EQ(back.pixels, image.pixels);
    EXPECT_EQ(read_data_image(folder / "picture.png").pixels, image.pixels);
    EXPECT_EQ(folder.file_count(), 1u) << "nothing is left aside";
    EXPECT_THROW(write_exr(folder / "absent/picture.exr", image), IoError);
}

TEST(ReadImage, one_channel_is_read_as_grey) {
    const TemporaryFolder folder;
    const std::vector<float> values{0, 0.25f, -3, 1e6f, 5, std::numeric_limits<float>::quiet_NaN()};
    write_exr(folder / "height.exr", 3, 2, values);
    const Image back = read_image(folder / "height.exr");
    ASSERT_EQ(back.height, 2);
    EXPECT_EQ(back.at(1, 0), (Vec3f{0.25f, 0.25f, 0.25f}));
    EXPECT_EQ(back.at(0, 1), (Vec3f{1e6f, 1e6f, 1e6f}));
    EXPECT_EQ(back.at(2, 1), (Vec3f{0, 0, 0})) << "what is no number is 0";
}

TEST(ReadImage, exr_of_halfs_with_a_window_of_its_own_is_read) {
    const TemporaryFolder folder;
    const std::string path = folder / "half.exr";
    const Imath::Box2i window({-5, 7}, {-4, 7});
    Imf::Header header(Imath::Box2i({0, 0}, {9, 9}), window);
    std::vector<half> values{half(0.5f), half(0.75f)};
    Imf::FrameBuffer pixels;
    for (const char* name : {"A", "G"}) {
        header.channels().insert(name, Imf::Channel(Imf::HALF));
        pixels.insert(name, Imf::Slice::Make(Imf::HALF, values.data(), window, sizeof(half), 2 * sizeof(half)));
    }
    {
        Imf::OutputFile file(path.c_str(), header);
        file.setFrameBuffer(pixels);
        file.writePixels(1);
    }
    const Image back = read_image(path);
    ASSERT_EQ(back.width, 2);
    ASSERT_EQ(back.height, 1);
    EXPECT_EQ(back.at(1, 0), (Vec3f{0, 0.75f, 0}));
}

TEST(ReadImage, png_data_is_not_bent_by_the_curve_of_colors) {
    const TemporaryFolder folder;
    const std::uint8_t grey[] = {0, 51, 128, 255};
    write_raw_png(folder / "grey.png", 4, 1, PNG_FORMAT_GRAY, grey);
    const Image data = read_data_image(folder / "grey.png"), colors = read_image(folder / "grey.png");
    for (int x = 0; x < 4; ++x) {
        EXPECT_EQ(data.at(x, 0), (Vec3f{1, 1, 1} * (static_cast<float>(grey[x]) / 255)));
        EXPECT_EQ(colors.at(x, 0).y, srgb_decode(static_cast<float>(grey[x]) / 255));
    }
}

TEST(ReadImage, png_data_of_sixteen_bits_keeps_them) {
    const TemporaryFolder folder;
    const std::uint16_t grey[] = {0, 1, 12345, 65535};
    write_raw_png(folder / "grey.png", 2, 2, PNG_FORMAT_LINEAR_Y, grey);
    const Image data = read_data_image(folder / "grey.png");
    EXPECT_EQ(data.at(1, 0).x, 1.f / 65535);
    EXPECT_EQ(data.at(0, 1).z, 12345.f / 65535);
    EXPECT_EQ(data.at(1, 1).y, 1);
}

TEST(ReadImage, transparent_places_are_black_as_colors_and_as_they_are_as_data) {
    const TemporaryFolder folder;
    const std::uint8_t red[] = {255, 0, 0, 0, 255, 0, 0, 255};
    write_raw_png(folder / "red.png", 2, 1, PNG_FORMAT_RGBA, red);
    EXPECT_EQ(read_image(folder / "red.png").at(0, 0), (Vec3f{0, 0, 0}));
    EXPECT_EQ(read_image(folder / "red.png").at(1, 0), (Vec3f{1, 0, 0}));
    EXPECT_EQ(read_data_image(folder / "red.png").at(0, 0), (Vec3f{1, 0, 0}));
}

TEST(ReadImage, what_is_missing_or_no_picture_is_said) {
    const TemporaryFolder folder;
    write_file(folder / "text.png", "not a picture");
    write_file(folder / "empty.exr", "");
    std::filesystem::create_directory(folder / "folder");
    expect_refused(folder / "absent.png", IoError::Kind::missing, "there is no such file");
    expect_refused(folder / "folder", IoError::Kind::missing, "this is a folder");
    expect_refused(folder / "text.png", IoError::Kind::corrupt, "give a PNG or OpenEXR file");
    expect_refused(folder / "empty.exr", IoError::Kind::corrupt, "give a PNG or OpenEXR file");
}

std::uint32_t checksum(const std::string& bytes) {
    std::uint32_t crc = 0xffffffff;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int k = 0; k < 8; ++k)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

std::string big_endian(std::uint32_t value) {
    std::string bytes;
    for (const int shift : {24, 16, 8, 0})
        bytes += static_cast<char>(value >> shift & 0xff);
    return bytes;
}

/// A PNG that announces a size and has hardly anything behind it.
std::string hollow_png(std::uint32_t width, std::uint32_t height) {
    const std::string header = "IHDR" + big_endian(width) + big_endian(height) + std::string("\x10\2\0\0\0", 5);
    return "\x89PNG\r\n\x1a\n" + big_endian(13) + header + big_endian(checksum(header)) + big_endian(0) + "IDAT" +
           big_endian(checksum("IDAT"));
}

TEST(ReadImage, huge_and_hollow_pictures_are_refused_before_memory_is_taken) {
    const TemporaryFolder folder;
    write_file(folder / "wide.png", hollow_png(20000, 10));
    expect_refused(folder / "wide.png", IoError::Kind::corrupt, "a picture of 20000 x 10 pixels cannot be read");
    write_file(folder / "many.png", hollow_png(16384, 16384));
    expect_refused(folder / "many.png", IoError::Kind::corrupt, "128 million in all are possible");
    write_file(folder / "hollow.png", hollow_png(8000, 8000));
    expect_refused(folder / "hollow.png", IoError::Kind::corrupt, "too short for its size");

    write_exr(folder / "x.exr", Image(4, 4));
    std::string bytes = read_file(folder / "x.exr");
    const std::size_t window = bytes.find("box2i") + 10;
    const std::int32_t far_away = 3000000;
    std::memcpy(bytes.data() + window + 8, &far_away, 4);
    write_file(folder / "x.exr", bytes);
    expect_refused(folder / "x.exr", IoError::Kind::corrupt, "");
}

/// Reads or refuses; nothing else happens.
void expect_survival(const std::filesystem::path& path, const std::string& whole) {
    int refused = 0;
    for (std::uint64_t round = 0; round < 300; ++round) {
        std::string bytes = whole;
        if (round % 3 == 0) bytes.resize(hash_counter(1, round, 0) % bytes.size());
        for (std::uint64_t hit = 1; hit < 4 && !bytes.empty(); ++hit)
            bytes[hash_counter(1, round, hit) % bytes.size()] ^=
                static_cast<char>(1 << hash_counter(2, round, hit) % 8);
        std::ofstream(path, std::ios::binary) << bytes;
        try {
            read_image(path);
        } catch (const IoError& error) {
            EXPECT_EQ(error.kind(), IoError::Kind::corrupt) << error.what();
            ++refused;
        }
    }
    EXPECT_GT(refused, 100);
}

/// The head of an OpenEXR file, byte by byte: a picture so wide, with so many channels.
std::string exr_head(std::int32_t width, int channels) {
    const auto number = [](std::int32_t value) { return std::string(reinterpret_cast<const char*>(&value), 4); };
    const auto text = [](const std::string& word) { return word + '\0'; };
    const auto attribute = [&](const char* name, const char* type, const std::string& value) {
        return text(name) + text(type) + number(static_cast<std::int32_t>(value.size())) + value;
    };
    std::string list;
    for (int k = 0; k < channels; ++k)
        list += text(std::to_string(k)) + number(2) + number(0) + number(1) + number(1);  // floats, all of them
    const std::string window = number(0) + number(0) + number(width - 1) + number(0);
    const std::string one = std::string("\0\0\x80\x3f", 4);
    return std::string("\x76\x2f\x31\x01", 4) + number(2) + attribute("channels", "chlist", list + '\0') +
           attribute("compression", "compression", std::string(1, '\4')) +  // PIZ: 32 rows in a block
           attribute("dataWindow", "box2i", window) + attribute("displayWindow", "box2i", window) +
           attribute("lineOrder", "lineOrder", std::string(1, '\0')) + attribute("pixelAspectRatio", "float", one) +
           attribute("screenWindowCenter", "v2f", number(0) + number(0)) +
           attribute("screenWindowWidth", "float", one) + '\0';
}

TEST(ReadImage, small_files_that_claim_many_channels_are_refused_before_memory_is_taken) {
    const TemporaryFolder folder;
    write_file(folder / "wide.exr", exr_head(16384, 400));
    EXPECT_LT(std::filesystem::file_size(folder / "wide.exr"), 10000u) << "and asks for 800 MB at once";
    expect_refused(folder / "wide.exr", IoError::Kind::corrupt, "more channels or larger tiles than can be read");
    write_file(folder / "cut.exr", exr_head(16, 1));
    expect_refused(folder / "cut.exr", IoError::Kind::corrupt, "this OpenEXR picture");
}

TEST(ReadImage, damaged_pictures_are_read_or_refused) {
    const TemporaryFolder folder;
    write_png(folder / "x.png", pattern(20, 10));
    expect_survival(folder / "x.png", read_file(folder / "x.png"));
    write_exr(folder / "x.exr", pattern(20, 10));
    expect_survival(folder / "x.exr", read_file(folder / "x.exr"));
}

TEST(Lookup, is_exact_at_the_centres_of_pixels_and_straight_between) {
    Image image(4, 2);
    for (int x = 0; x < 4; ++x) {
        image.at(x, 0) = {static_cast<float>(x), 1, 0};
        image.at(x, 1) = {static_cast<float>(x), 0, 0};
    }
    EXPECT_EQ(lookup(image, 0.125f, 0.25f), (Vec3f{0, 0, 0})) << "v counts from the lower edge";
    EXPECT_EQ(lookup(image, 0.375f, 0.75f), (Vec3f{1, 1, 0}));
    EXPECT_EQ(lookup(image, 0.5f, 0.5f), (Vec3f{1.5f, 0.5f, 0}));
}

TEST(Lookup, repeats_the_picture_outside_and_takes_any_number) {
    const Image image = pattern(5, 3);
    for (const float u : {0.f, 0.3f, 0.99f}) {
        // Rounding of float in u + 7, times the steps between pixels of up to 100.
        EXPECT_NEAR(lookup(image, u, 0.4f).x, lookup(image, u + 7, 0.4f - 3).x, 1e-3f);
    }
    EXPECT_NEAR(lookup(image, 0, 0.5f).x, lookup(image, 1, 0.5f).x, 1e-3f);
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -1e38f,
                            -1e-30f, 0.99999997f})
        EXPECT_TRUE(is_finite(lookup(image, bad, bad)));
}

}  // namespace
}  // namespace spindrift::image
