#pragma once
// Cameras and pictures.
//
//   render::CameraParams camera{.position = {3, 1.6, 3}, .target = {1, 0.4, 0.5}};
//   render::Camera now = camera.at(12.5);        // frames may be fractions

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/core/vec.h"
#include "spindrift/params/animated.h"
#include "spindrift/params/checker.h"
#include "spindrift/params/info.h"

namespace spindrift::render {

/// A camera at one moment.
struct Camera {
    Vec3d position{};
    Vec3d target{};
    Vec3d up{0, 1, 0};
    double fov_deg = 40;
};

struct CameraParams {
    std::string name = "camera";
    Animated<Vec3d> position{};
    Animated<Vec3d> target{};
    Animated<Vec3d> up = Camera{}.up;
    Animated<double> fov_deg = Camera{}.fov_deg;

    Camera at(double frame) const { return {position.at(frame), target.at(frame), up.at(frame), fov_deg.at(frame)}; }

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("name", self.name, {.text = "Name, by which a picture is asked for"});
        v("position", self.position,
          {.text = "Where the camera stands", .unit = "m", .limits = coordinate_limits, .required = true});
        v("target", self.target,
          {.text = "What it looks at", .unit = "m", .limits = coordinate_limits, .required = true});
        v("up", self.up, {.text = "Direction that is up in the picture", .limits = coordinate_limits});
        v("fov_deg", self.fov_deg, {.text = "Vertical angle of view", .unit = "degrees", .limits = between(1, 170)});
    }

    void check(const Checker& checker) const {
        checker.direction("up", up);
        for (const double frame : key_frames()) {
            const Camera now = at(frame);
            const Vec3d view = now.target - now.position;
            if (length(view) == 0)
                return checker.problem("target", "the camera looks at the point where it stands" + when(frame) +
                                                     "; move 'target' or 'position'");
            if (length(cross(now.up, view)) <= 1e-9 * length(now.up) * length(view))
                return checker.problem(
                    "up", "points along the view" + when(frame) + "; choose another direction, such as [0, 0, 1]");
        }
    }

  private:
    /// Where the camera is looked at closely; between keys View copes with anything.
    std::vector<double> key_frames() const {
        std::vector<double> frames;
        for (const Animated<Vec3d>* curve : {&position, &target, &up}) {
            for (const auto& key : curve->keys)
                frames.push_back(key.frame);
        }
        if (frames.empty()) frames.push_back(0);
        std::sort(frames.begin(), frames.end());
        return frames;
    }
    std::string when(double frame) const {
        const bool moves = position.moves() || target.moves() || up.moves();
        return moves ? " at frame " + format_number(frame) : "";
    }
};

/// A cut through the liquid: what lies on the side the normal points to is not drawn.
struct SlicePlane {
    Vec3d point{};
    Vec3d normal{0, 0, 1};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("point", self.point,
          {.text = "A point of the plane", .unit = "m", .limits = coordinate_limits, .required = true});
        v("normal", self.normal,
          {.text = "Direction towards what is taken away, of any length",
           .limits = coordinate_limits,
           .required = true});
    }

    void check(const Checker& checker) const { checker.direction("normal", normal); }
};

/// What is drawn of a liquid.
enum class Show { automatic, particles, mesh, both };

constexpr std::array<std::string_view, 4> enum_words(Show) {
    return {"auto", "particles", "mesh", "both"};
}

struct RenderParams {
    Show show = Show::automatic;
    std::array<int, 2> resolution = {960, 540};
    std::string color = "auto";
    std::optional<std::array<double, 2>> range{};
    int samples = 4;
    bool ground = true;
    std::optional<SlicePlane> slice{};

    template <class Self, class Visitor>
    static void describe(Self& self, Visitor& v) {
        v("show", self.show,
          {.text = "What is drawn of the liquid; auto is the mesh where there is one of the particles as they are now, "
                   "and nothing is sliced, else the particles"});
        v("resolution", self.resolution,
          {.text = "Width and height of the picture", .unit = "pixels", .limits = between(1, 16384)});
        v("color", self.color,
          {.text = "What colours the particles: liquid (each liquid has its own colour), speed, Cd (the colours this "
                   "channel holds) or any other channel; auto is liquid if there are several, else speed; meshes are "
                   "clear with auto, and else matte in the colours of the liquids or of a channel that they carry"});
        v("range", self.range,
          {.text = "Values at the two ends of the colour map; taken from the particles if not given"});
        v("samples", self.samples, {.text = "Rays per pixel", .limits = between(1, 256)});
        v("ground", self.ground, {.text = "Whether a ground plane is drawn"});
        v("slice", self.slice, {.text = "Plane that cuts liquid away, to look inside"});
    }

    void check(const Checker& checker) const {
        if (color.empty())
            checker.problem("color", "expected \"auto\", \"liquid\", \"speed\" or the name of a channel");
        if (range && !((*range)[0] < (*range)[1])) checker.problem("range", "the low end must be below the high end");
    }
};

}  // namespace spindrift::render
