#pragma once
// Settings of the mesh stage. Lengths are in spacings of the particles, so they fit any resolution.
//
//   surface::MeshParams preview{.voxel = 1};
//   surface::MeshParams film{.voxel = 0.5, .smoothing = 6, .formats = {Format::ply, Format::vdb}};

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"

namespace spindrift::surface {

/// What makes a surface of particles.
enum class Function { normalized, zhu_bridson, color_field, anisotropic };

constexpr std::array<std::string_view, 4> enum_words(Function) {
    return {"normalized", "zhu_bridson", "color_field", "anisotropic"};
}

enum class Format { ply, obj, glb, vdb };

constexpr std::array<std::string_view, 4> enum_words(Format) {
    return {"ply", "obj", "glb", "vdb"};
}

/// What is cut into tetrahedra where liquids meet.
enum class Tetrahedra { lattice, delaunay };

constexpr std::array<std::string_view, 2> enum_words(Tetrahedra) {
    return {"lattice", "delaunay"};
}

/// Meshes of several liquids.
enum class Liquids { together, apart, both };

constexpr std::array<std::string_view, 3> enum_words(Liquids) {
    return {"together", "apart", "both"};
}

struct MeshParams {
    Function function = Function::normalized;
    double voxel = 0.5;
    std::optional<double> radius{};
    double offset = 0.5;
    int smoothing = 4;
    double simplify = 0;
    double smallest_drop = 0.25;
    int upsample = 0;
    bool clip = true;
    double wall_gap = 0;
    Liquids liquids = Liquids::both;
    Tetrahedra tetrahedra = Tetrahedra::lattice;
    std::vector<std::string> channels{};
    std::vector<Format> formats = {Format::ply};
    bool crossings = false;

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("function", self.function,
          {.text = "What makes a surface of particles: normalized has neither bumps nor ghosts, the others are for "
                   "comparison; anisotropic gives the sharpest sheets at twice the cost",
           .reference = "section 3, Onderik 2014; Zhu and Bridson 2005; Mueller et al. 2003; Yu and Turk 2013"});
        v("voxel", self.voxel,
          {.text = "Distance of the samples of the surface; 1 is a quick look, half of it takes four times the time",
           .unit = "spacings",
           .limits = between(0.1, 2)});
        v("radius", self.radius,
          {.text = "How far a particle reaches: smoother when larger; if not given 2.8, with voxels above 0.75 or "
                   "zhu_bridson 3.6, anisotropic 4",
           .unit = "spacings",
           .limits = between(1, 8)});
        v("offset", self.offset,
          {.text = "How far outside of the outermost particles' centres a flat surface lies",
           .unit = "spacings",
           .limits = between(0, 1.5)});
        v("smoothing", self.smoothing, {.text = "Passes of smoothing that keep the volume", .limits = between(0, 100)});
        v("simplify", self.simplify,
          {.text = "How far the mesh may move while triangles are taken away; 0 keeps all",
           .unit = "spacings",
           .limits = between(0, 1)});
        v("smallest_drop", self.smallest_drop,
          {.text = "Pieces of less than this many particles' volume are left out; 0 keeps all",
           .limits = between(0, 1e6)});
        v("upsample", self.upsample,
          {.text = "Times that particles are added between those at the surface, for thin sheets",
           .limits = between(0, 3),
           .reference = "section 4, Onderik 2014"});
        v("clip", self.clip, {.text = "Cut the surface at colliders and the domain, and let it touch them"});
        v("wall_gap", self.wall_gap,
          {.text = "Film of air left between the liquid and walls where it is cut; below 0 the liquid reaches into "
                   "them, so "
                   "that its surface and that of a glass do not flicker through each other",
           .unit = "spacings",
           .limits = between(-0.5, 1)});
        v("liquids", self.liquids,
          {.text = "Meshes of several liquids: together is one mesh of all surfaces with the two liquids of each face, "
                   "apart a closed mesh for each liquid",
           .affects = Affects::output});
        v("tetrahedra", self.tetrahedra,
          {.text =
               "What is cut where liquids meet: a regular lattice, or the particles' own Delaunay tetrahedra, which "
               "take much longer",
           .reference = "section 5, Onderik 2014"});
        v("channels", self.channels,
          {.text = "Channels of the particles that the mesh carries besides v, and Cd if there is one"});
        v("formats", self.formats,
          {.text = "Files of each frame; vdb is a level set with velocities", .affects = Affects::output});
        v("crossings", self.crossings,
          {.text = "Look for triangles that cut each other, for the report; takes longer than the mesh"});
    }

    /// The radius, chosen if not given: a coarse lattice needs a rounder surface, kernels that are drawn in reach
    /// farther.
    double reach() const {
        if (radius) return *radius;
        if (function == Function::anisotropic) return 4;
        return voxel > 0.75 || function == Function::zhu_bridson ? 3.6 : 2.8;
    }

    void check(const Checker& checker) const;
};

}  // namespace spindrift::surface
