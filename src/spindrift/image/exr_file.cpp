#include "spindrift/image/exr_file.h"

#include <algorithm>
#include <cmath>
#include <exception>

#include <ImfChannelList.h>
#include <ImfCompression.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfInputFile.h>
#include <ImfOutputFile.h>
#include <ImfStdIO.h>
#include <ImfStringAttribute.h>
#include <fmt/format.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/image/exr_head.h"
#include "spindrift/image/file_checks.h"

namespace spindrift::image {

namespace {

/// How many pixels of one colour a byte may stand for, with a little to spare; what claims more is lying.
double most_pixels_of_byte(Imf::Compression packing) {
    switch (packing) {
        case Imf::NO_COMPRESSION:
            return 1;
        case Imf::RLE_COMPRESSION:
            return 128;
        case Imf::ZIPS_COMPRESSION:
        case Imf::ZIP_COMPRESSION:
        case Imf::PXR24_COMPRESSION:
            return 1100;
        case Imf::B44_COMPRESSION:
        case Imf::B44A_COMPRESSION:
            return 16;
        default:
            return 4096;
    }
}

/// Numbers of one channel as the library takes them.
struct Plane {
    Imf::PixelType type;
    const void* first;
    std::size_t stride;  ///< in bytes
};

/// Numbers that 16 bits hold: no infinity, which would spread through filters, for light that is merely bright.
std::vector<half> to_halfs(const float* first, std::size_t stride, std::size_t count) {
    std::vector<half> halfs(count);
    parallel_for(count, [&](Range range) {
        for (const auto i : range) {
            const float value = first[i * stride];
            halfs[i] = std::isnan(value) ? half(0.f) : half(std::clamp(value, -float{HALF_MAX}, float{HALF_MAX}));
        }
    });
    return halfs;
}

/// `halfs` keeps what had to be converted.
Plane plane_of(const ExrChannel& channel, std::size_t count, std::vector<half>& halfs) {
    if (const auto* ids = std::get_if<std::span<const std::uint32_t>>(&channel.numbers))
        return {Imf::UINT, ids->data(), sizeof(std::uint32_t)};
    const auto* vectors = std::get_if<std::span<const Vec3f>>(&channel.numbers);
    const float* first =
        vectors ? &(*vectors)[0].x + channel.component : std::get<std::span<const float>>(channel.numbers).data();
    const std::size_t stride = vectors ? 3 : 1;
    if (!channel.is_half) return {Imf::FLOAT, first, stride * sizeof(float)};
    halfs = to_halfs(first, stride, count);
    return {Imf::HALF, halfs.data(), sizeof(half)};
}

bool fits(const ExrChannel& channel, std::size_t count) {
    const bool has_components = std::holds_alternative<std::span<const Vec3f>>(channel.numbers);
    return std::visit([](const auto& numbers) { return numbers.size(); }, channel.numbers) == count &&
           channel.component >= 0 && channel.component < (has_components ? 3 : 1);
}

void write_pixels(Imf::OStream& stream, Imf::Header& header, const std::vector<ExrChannel>& channels) {
    const auto width = static_cast<std::size_t>(header.dataWindow().max.x + 1);
    const int height = header.dataWindow().max.y + 1;
    std::vector<std::vector<half>> halfs(channels.size());
    Imf::FrameBuffer pixels;
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const Plane plane = plane_of(channels[i], width * static_cast<std::size_t>(height), halfs[i]);
        char* const first = static_cast<char*>(const_cast<void*>(plane.first));
        header.channels().insert(channels[i].name, Imf::Channel(plane.type));
        pixels.insert(channels[i].name, Imf::Slice(plane.type, first, plane.stride, plane.stride * width));
    }
    Imf::OutputFile file(stream, header);
    file.setFrameBuffer(pixels);
    file.writePixels(height);
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
    check_exr_head(path);
    Imf::InputFile file(path.c_str(), 0);  // threads of its own would have blocks of their own
    const Imath::Box2i window = file.header().dataWindow();
    const long long width = 1LL + window.max.x - window.min.x, height = 1LL + window.max.y - window.min.y;
    check_size(path, width, height);
    const double bytes = static_cast<double>(std::filesystem::file_size(path));
    if (static_cast<double>(width * height) > most_pixels_of_byte(file.header().compression()) * bytes)
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

WrittenFile write_exr(const std::filesystem::path& path, int width, int height, const std::vector<ExrChannel>& channels,
                      const ExrTexts& texts) {
    SPINDRIFT_CHECK(width > 0 && height > 0);
    const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    SPINDRIFT_CHECK(std::ranges::all_of(channels, [&](const ExrChannel& each) { return fits(each, count); }));
    Imf::StdOSStream stream;
    try {
        Imf::Header header(width, height);
        header.compression() = Imf::ZIP_COMPRESSION;
        for (const auto& [name, text] : texts)
            header.insert(name, Imf::StringAttribute(text));
        write_pixels(stream, header, channels);
    } catch (const std::exception& problem) {
        throw IoError(IoError::Kind::other, path, fmt::format("cannot make an OpenEXR picture: {}", problem.what()));
    }
    return write_file(path, stream.str());
}

WrittenFile write_exr(const std::filesystem::path& path, const Image& image) {
    const std::span<const Vec3f> colors(image.pixels);
    return write_exr(
        path, image.width, image.height,
        {ExrChannel::full("R", colors, 0), ExrChannel::full("G", colors, 1), ExrChannel::full("B", colors, 2)});
}

WrittenFile write_exr(const std::filesystem::path& path, int width, int height, std::span<const float> values) {
    return write_exr(path, width, height, {ExrChannel::full("Y", values)});
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
