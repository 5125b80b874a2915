#pragma once
// Surfaces of several liquids between points of any arrangement, as the particles themselves.
//
//   geometry::InterfaceMesh all = contour_delaunay(points, labels, phi, lead);
//   std::vector<geometry::Mesh> each = split_liquids(all, 3);           // split_liquids.h
//
// Source: section 5, Onderik 2014 (chromatic contouring of Delaunay tetrahedra).
// Differs: points of air are the caller's; the thesis is silent on where it takes them from.
//
// A reference for contour_liquids(), which takes a thousandth of the time (decision 0011).

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/surface/contour/chromatic.h"

namespace spindrift::surface {

using Tetrahedron = std::array<std::uint32_t, 4>;

/// Delaunay tetrahedra of points in positive order, det(p1 - p0, p2 - p0, p3 - p0) > 0 but for flat ones, sorted.
/// None for fewer than five points, or if all lie in a plane. Points that are not finite are left out. Where many
/// points lie on one sphere they are moved by less than can be seen, so some tetrahedra may be flat; none is missing.
std::vector<Tetrahedron> delaunay_tetrahedra(std::span<const Vec3f> points);

/// Each point has the label of a liquid or air, its phi (below 0 in liquids) and its lead as in Lattice. The meshes are
/// closed if the outermost points are air.
geometry::InterfaceMesh contour_delaunay(std::span<const Vec3f> points, std::span<const std::uint8_t> labels,
                                         std::span<const float> phi, std::span<const float> lead);

/// The same of any tetrahedra in positive order that fill space without gaps.
geometry::InterfaceMesh contour_tetrahedra(std::span<const Tetrahedron> tetrahedra, std::span<const Vec3f> points,
                                           std::span<const std::uint8_t> labels, std::span<const float> phi,
                                           std::span<const float> lead);

}  // namespace spindrift::surface
