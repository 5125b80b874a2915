#include "spindrift/stages/whitewater/whitewater_files.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"
#include "spindrift/io/npz.h"

namespace spindrift::stages {

namespace {

using whitewater::Kind;
using whitewater::Particles;

constexpr ChannelType one_float{ScalarType::f32, 1}, three_floats{ScalarType::f32, 3}, whole{ScalarType::i64, 1},
    small{ScalarType::u8, 1}, count{ScalarType::u16, 1};

template <class T>
void add(ChannelSet& out, const char* name, ChannelType type, const T* first, std::size_t n) {
    std::copy_n(first, n, out.add(name, type, n).as<T>().begin());
}

const ChannelArray& expected(const ChannelSet& in, const char* name, ChannelType type,
                             const std::filesystem::path& path) {
    const ChannelArray* found = in.find(name);
    if (!found || found->type() != type)
        throw IoError(
            IoError::Kind::corrupt, path,
            fmt::format("expected the channel {} of whitewater; remove the file, and it is made again", name));
    return *found;
}

template <class T>
void take(Buffer<T>& to, std::size_t first, const ChannelArray& from) {
    const ConstChannel<T> values = from.as<T>();
    std::copy(values.begin(), values.end(), to.data() + first);
}

/// Whether it may have been whitewater: whoever goes on from it looks up its cell, counts its cause and lets it age.
bool is_sound(const Particles& all, std::size_t i) {
    const auto is_length = [](float value) { return std::isfinite(value) && value >= 0; };
    return is_finite(all.x[i]) && is_finite(all.v[i]) && is_length(all.pscale[i]) && is_length(all.age[i]) &&
           is_length(all.life[i]) && all.id[i] >= 0 && all.cause[i] < whitewater::cause_count;
}

}  // namespace

std::vector<WhitewaterSeries> whitewater_series(const Scene& scene) {
    const whitewater::WhitewaterParams params = scene.whitewater.value_or(whitewater::WhitewaterParams{});
    std::vector<WhitewaterSeries> all;
    for (std::size_t k = 0; k < whitewater::kind_count; ++k) {
        const auto kind = static_cast<Kind>(k);
        if (!params.has(kind)) continue;
        all.push_back({{.key = fmt::format("{}/{}", cache::series::whitewater, word(kind)),
                        .folder = cache::series::whitewater,
                        .name = fmt::format("{}.{}", scene.output.name, word(kind)),
                        .extension = "npz"},
                       kind});
    }
    return all;
}

ChannelSet whitewater_channels(const Particles& all, Kind kind, const WhitewaterFrame& frame) {
    const Kind* const kinds = all.kind.data();
    const auto first = static_cast<std::size_t>(std::lower_bound(kinds, kinds + all.size(), kind) - kinds);
    const std::size_t n = static_cast<std::size_t>(std::upper_bound(kinds, kinds + all.size(), kind) - kinds) - first;
    ChannelSet out;
    out.channels.reserve(12);
    ChannelArray& p = out.add("P", {frame.position, 3}, n);
    parallel_for(n, [&](Range range) {
        for (const std::size_t i : range) {
            if (frame.position == ScalarType::f32)
                p.as<Vec3f>()[i] = all.x[first + i];
            else
                p.as<Vec3d>()[i] = frame.origin + vec_cast<double>(all.x[first + i]);
        }
    });
    add(out, "v", three_floats, all.v.data() + first, n);
    add(out, "id", whole, all.id.data() + first, n);
    add(out, "pscale", one_float, all.pscale.data() + first, n);
    add(out, "age", one_float, all.age.data() + first, n);
    add(out, "life", one_float, all.life.data() + first, n);
    add(out, "cause", small, all.cause.data() + first, n);
    add(out, "source", whole, all.source.data() + first, n);
    if (all.has_color) add(out, "Cd", three_floats, all.color.data() + first, n);
    if (kind != Kind::foam) return out;
    add(out, "crowd", count, all.crowd.data() + first, n);
    const Channel<Vec3f> normals = out.add("N", three_floats, n).as<Vec3f>();
    parallel_for(n, [&](Range range) {
        whitewater::Flow::Cursor cursor;
        for (const std::size_t i : range) {
            const Vec3f slope = frame.flow.surface_at(all.x[first + i], cursor).slope;
            const float steep = length(slope);
            normals[i] = steep > 0 ? slope / steep : Vec3f{0, 1, 0};
        }
    });
    return out;
}

void read_whitewater(const std::filesystem::path& path, Kind kind, Vec3d origin, Particles& all) {
    const ChannelSet in = io::read_npz(path);
    const ChannelArray* p = in.find("P");
    if (!p || p->type().width != 3)
        throw IoError(IoError::Kind::corrupt, path,
                      "expected the channel P of whitewater; remove the file, and it is made again");
    const std::size_t first = all.size(), n = p->size();
    all.resize(first + n);
    for (std::size_t i = 0; i < n; ++i) {
        all.x[first + i] = vec_cast<float>(Vec3d{p->value(i, 0), p->value(i, 1), p->value(i, 2)} - origin);
        all.kind[first + i] = kind;
        all.crowd[first + i] = 0;
    }
    take(all.v, first, expected(in, "v", three_floats, path));
    take(all.id, first, expected(in, "id", whole, path));
    take(all.pscale, first, expected(in, "pscale", one_float, path));
    take(all.age, first, expected(in, "age", one_float, path));
    take(all.life, first, expected(in, "life", one_float, path));
    take(all.cause, first, expected(in, "cause", small, path));
    take(all.source, first, expected(in, "source", whole, path));
    if (all.has_color) take(all.color, first, expected(in, "Cd", three_floats, path));
    for (std::size_t i = first; i < first + n; ++i) {
        if (is_sound(all, i)) continue;
        throw IoError(IoError::Kind::corrupt, path,
                      fmt::format("the values of particle {} cannot be those of whitewater; remove the file, and it is "
                                  "made again",
                                  i - first));
    }
}

}  // namespace spindrift::stages
