#include "spindrift/surface/contour/split_liquids.h"

#include <utility>

#include "spindrift/core/errors.h"
#include "spindrift/core/parallel.h"

namespace spindrift::surface {

namespace {

constexpr std::uint32_t unused = 0xffffffff;

/// Gives the points that triangles use new numbers in the order they had; returns how many there are.
std::size_t renumber(std::vector<geometry::Triangle>& triangles, std::vector<std::uint32_t>& numbers) {
    for (const auto& triangle : triangles) {
        for (const std::uint32_t p : triangle)
            numbers[p] = 0;
    }
    std::uint32_t next = 0;
    for (std::uint32_t& number : numbers) {
        if (number != unused) number = next++;
    }
    for (auto& triangle : triangles) {
        for (std::uint32_t& p : triangle)
            p = numbers[p];
    }
    return next;
}

std::vector<float> pick(const geometry::Attribute& from, const std::vector<std::uint32_t>& numbers, std::size_t count) {
    const auto width = static_cast<std::size_t>(from.width);
    std::vector<float> values;
    values.reserve(width * count);
    for (std::size_t p = 0; p < numbers.size(); ++p) {
        if (numbers[p] == unused) continue;
        const auto first = from.values.begin() + static_cast<std::ptrdiff_t>(p * width);
        values.insert(values.end(), first, first + from.width);
    }
    return values;
}

}  // namespace

geometry::Mesh liquid_mesh(const geometry::InterfaceMesh& all, std::uint8_t liquid) {
    SPINDRIFT_CHECK(all.sides.size() == all.mesh.triangles.size());
    geometry::Mesh mesh;
    for (std::size_t t = 0; t < all.sides.size(); ++t) {
        const auto& [behind, front] = all.sides[t];
        const auto& [a, b, c] = all.mesh.triangles[t];
        if (behind == liquid) mesh.triangles.push_back({a, b, c});
        if (front == liquid) mesh.triangles.push_back({a, c, b});
    }
    std::vector<std::uint32_t> numbers(all.mesh.points.size(), unused);
    const std::size_t count = renumber(mesh.triangles, numbers);
    mesh.points.reserve(count);
    for (std::size_t p = 0; p < numbers.size(); ++p) {
        if (numbers[p] != unused) mesh.points.push_back(all.mesh.points[p]);
    }
    for (const geometry::Attribute& from : all.mesh.attributes)
        mesh.attributes.push_back({from.name, from.width, pick(from, numbers, count)});
    return mesh;
}

std::vector<geometry::Mesh> split_liquids(const geometry::InterfaceMesh& all, std::size_t liquids) {
    SPINDRIFT_CHECK(liquids <= air);
    std::vector<geometry::Mesh> meshes(liquids);
    parallel_chunks(liquids, [&](std::size_t k) { meshes[k] = liquid_mesh(all, static_cast<std::uint8_t>(k)); });
    return meshes;
}

}  // namespace spindrift::surface
