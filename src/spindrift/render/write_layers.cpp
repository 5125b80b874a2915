#include "spindrift/render/write_layers.h"

#include <array>
#include <span>

#include <fmt/format.h>

#include "spindrift/image/exr_file.h"

namespace spindrift::render {

WrittenFile write_layers(const std::filesystem::path& path, const Layers& layers,
                         const std::vector<std::pair<std::uint32_t, std::string>>& names) {
    using image::ExrChannel;
    const std::span<const Vec3f> light(layers.light.pixels), normal(layers.normal), albedo(layers.albedo);
    std::vector<ExrChannel> channels{ExrChannel::half("A", layers.alpha), ExrChannel::full("Z", layers.depth),
                                     ExrChannel::whole("id", layers.id)};
    constexpr std::array<const char*, 3> colors{"R", "G", "B"}, axes{"X", "Y", "Z"};
    for (int c = 0; c < 3; ++c) {
        const auto i = static_cast<std::size_t>(c);
        channels.push_back(ExrChannel::half(colors[i], light, c));
        channels.push_back(ExrChannel::half(fmt::format("N.{}", axes[i]), normal, c));
        channels.push_back(ExrChannel::half(fmt::format("albedo.{}", colors[i]), albedo, c));
    }
    std::string ids;
    for (const auto& [id, name] : names)
        ids += fmt::format("{}{} {}", ids.empty() ? "" : ", ", id, name);
    return image::write_exr(path, layers.width(), layers.height(), channels, {{"ids", ids}});
}

}  // namespace spindrift::render
