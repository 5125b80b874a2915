#include "spindrift/image/exr_file.h"

#include <cmath>
#include <exception>
#include <string>
#include <vector>

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfInputFile.h>
#include <ImfOutputFile.h>
#include <ImfStdIO.h>
#include <fmt/format.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/errors.h"
#include "spindrift/image/file_checks.h"

namespace spindrift::image {

namespace {

/// The best packing makes a few bytes of a block of rows of one colour.
constexpr double most_pixels_of_byte = 1 << 16;

/// Floats of one channel, some bytes apart.
struct Channel {
    std::string name;
    const float* first;
    std::size_t stride;
};

void write_channels(const std::filesystem::path& path, int width, int height, const std::vector<Channel>& channels) {
    SPINDRIFT_CHECK(width > 0 && height > 0);
    Imf::StdOSStream stream;
    try {
        Imf::Header header(width, height);
        header.compression() = Imf::ZIP_COMPRESSION;
        Imf::FrameBuffer pixels;
        for (const Channel& channel : channels) {
            header.channels().insert(channel.name, Imf::Channel(Imf::FLOAT));
            char* const first = reinterpret_cast<char*>(const_cast<float*>(channel.first));
            pixels.insert(channel.name, Imf::Slice(Imf::FLOAT, first, channel.stride,
                                                   channel.stride * static_cast<std::size_t>(width)));
        }
        Imf::OutputFile file(stream, header);
        file.setFrameBuffer(pixels);
        file.writePixels(height);
    } catch (const std::exception& problem) {
        throw IoError(IoError::Kind::other, path, fmt::format("cannot make an OpenEXR picture: {}", problem.what()));
    }
    write_file(path, stream.str());
}

/// The one channel that is read as grey; none if there are colours.
std::string grey_channel(const std::filesystem::path& path, const Imf::ChannelList& channels) {
    if (channels.findChannel("R") || channels.findChannel("G") || channels.findChannel("B")) return {};
    if (channels.findChannel("Y")) return "Y";
    std::string name;
    int count = 0;
    for (auto channel = channels.begin(); channel != channels.end(); ++channel, ++count)
        name = channel.name();
    if (count != 1) {
        throw IoError(IoError::Kind::corrupt, path,
                      "this OpenEXR picture has neither channels R, G, B nor a single one; export it with them");
    }
    return name;
}

Image read_pixels(const std::filesystem::path& path) {
    Imf::InputFile file(path.c_str());
    const Imath::Box2i window = file.header().dataWindow();
    const long long width = 1LL + window.max.x - window.min.x, height = 1LL + window.max.y - window.min.y;
    check_size(path, width, height);
    const double bytes = static_cast<double>(std::filesystem::file_size(path));
    if (static_cast<double>(width * height) > most_pixels_of_byte * bytes)
        throw IoError(IoError::Kind::corrupt, path, "this OpenEXR picture is too short for its size; export it again");

    const std::string grey = grey_channel(path, file.header().channels());
    Image image(static_cast<int>(width), static_cast<int>(height));
    const auto slice = [&](float& first) {
        return Imf::Slice::Make(Imf::FLOAT, &first, window, sizeof(Vec3f),
                                sizeof(Vec3f) * static_cast<std::size_t>(width));
    };
    Imf::FrameBuffer pixels;
    Vec3f& first = image.pixels.front();
    pixels.insert(grey.empty() ? "R" : grey, slice(first.x));
    if (grey.empty()) {
        pixels.insert("G", slice(first.y));
        pixels.insert("B", slice(first.z));
    }
    file.setFrameBuffer(pixels);
    file.readPixels(window.min.y, window.max.y);
    for (Vec3f& p : image.pixels) {
        if (!grey.empty()) p = {p.x, p.x, p.x};
        for (int c = 0; c < 3; ++c)
            p[c] = std::isfinite(p[c]) ? p[c] : 0;
    }
    return image;
}

}  // namespace

void write_exr(const std::filesystem::path& path, const Image& image) {
    const Vec3f* first = image.pixels.data();
    write_channels(path, image.width, image.height,
                   {{"R", &first->x, sizeof *first}, {"G", &first->y, sizeof *first}, {"B", &first->z, sizeof *first}});
}

void write_exr(const std::filesystem::path& path, int width, int height, std::span<const float> values) {
    SPINDRIFT_CHECK(values.size() == static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    write_channels(path, width, height, {{"Y", values.data(), sizeof(float)}});
}

Image read_exr(const std::filesystem::path& path) {
    check_is_file(path);
    // The library checks the size before it makes its tables.
    Imf::Header::setMaxImageSize(static_cast<int>(most_side), static_cast<int>(most_side));
    try {
        return read_pixels(path);
    } catch (const Error&) {
        throw;
    } catch (const std::exception& problem) {
        throw IoError(IoError::Kind::corrupt, path,
                      fmt::format("this OpenEXR picture cannot be read: {}; export it again", problem.what()));
    }
}

}  // namespace spindrift::image
