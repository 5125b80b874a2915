#pragma once
// Scene texts for the tests, and what is said about bad ones.

#include <string>
#include <string_view>
#include <vector>

#include "spindrift/core/errors.h"
#include "spindrift/scene/scene.h"

namespace spindrift {

inline constexpr std::string_view small_scene = R"([[liquid]]
spacing = 0.1
fill = { box = [[0, 0, 0], [1, 1, 1]] }
)";

inline constexpr std::string_view full_scene = R"(version = 1
frames = [10, 20]
fps = 30
gravity = [0, -1.62, 0]
seed = 42

[domain]
box = [[0, 0, 0], [4, 3, 2]]
open = ["top", "front"]
friction = 0.25
bounce = 0.125

[[channel]]
name = "temperature"
default = 293
unit = "K"

[[channel]]
name = "tint"
type = "vec3"
default = [1, 0.5, 0]

[[liquid]]
name = "sea"
material = "honey"
density = 1400
viscosity = 0.01
surface_tension = 0.05
spacing = 0.05
channels = { temperature = 350, tint = [1, 0, 0] }
fill = [
    { box = [[0, 0, 0], [1, 1, 1]], sampling = "jittered", jitter = 0.1, velocity = [1, 0, 0] },
    { sphere = { center = [3, 2, 1], radius = 0.4 } },
    { cylinder = { base = [2, 0, 1], top = [2, 1, 1], radius = 0.3 } },
]

[[collider]]
name = "pillar"
box = [[3, 0, 0], [3.2, 1, 0.2]]
friction = 0.5
bounce = 0.1

[[collider]]
name = "slope"
plane = { point = [0, -0.1, 0], normal = [0.1, 1, 0] }

[[force]]
type = "vortex"
position = [2, 0, 1]
axis = [0, 0, 1]
strength = 5
radius = 0.5
falloff = 2

[[force]]
type = "drag"
rate = 0.5
wind = [4, 0, 0]

[[force]]
type = "constant"
acceleration = [0.5, 0, 0]

[[force]]
type = "noise"
strength = { keys = [[10, 0.0], [15.5, 3]], interpolation = "smooth" }
position = [[10, [1, 1, 1]], [20, [2, 1, 1]]]
radius = [[10, 0.5], [20, 1]]
scale = 0.5
speed = 2
seed = 3
active = [10, 18]

[[emitter]]
name = "tap"
liquid = "sea"
disc = { radius = 0.1 }
position = [2, 2.5, 1]
direction = [1, -1, 0]
rotation_deg = [0, 30, 0]
speed = 2.5
active = [10, 15.5]
inherit = 0.5
jitter = 0.1
spread_deg = 5
limit = 100000

[[emitter]]
name = "slit"
rectangle = { size = [0.5, 0.05] }
position = [1, 2.5, 1]
rate = 0.02

[[emitter]]
name = "spring"
cylinder = { base = [0, 0, 0], top = [0, 0.2, 0], radius = 0.2 }
position = [2, 1.5, 1]
velocity = [0, 1, 0]
rate = 0.5

[[killer]]
name = "old"
liquid = "sea"
age = 10
speed = 1
slower = 100
isolated = 3
most = 1000000
active = [10, 20]

[[killer]]
name = "gone"
inside = { sphere = { center = [9, 9, 9], radius = 1 } }
outside = { box = [[-1, -1, -1], [5, 9, 3]] }

[solver]
iterations = 8
tolerance = 0.001
substeps = [2, 16]
cfl = 0.4
fall = 0.02
acceleration = "none"
smoothing = 0.01

[output]
path = "out/sea"
name = "sea"
channels = ["vorticity", "uv"]

[[camera]]
name = "wide"
position = [3, 1.6, 3]
target = [1, 0.4, 0.5]
up = [0, 0.9, 0.1]
fov_deg = 35

[[camera]]
name = "orbit"
position = { keys = [[10, [3, 1.6, 3]], [20, [-3, 1.6, 3]]], interpolation = "smooth" }
target = [1, 0.4, 0.5]

[render]
resolution = [640, 360]
color = "density"
range = [900, 1100]
samples = 16
ground = false
slice = { point = [0, 0, 1], normal = [0, 0, 1] }

[[render.module]]
name = "seen"
kind = "beauty"
quality = "draft"
resolution = [320, 180]
cache = "../other_cache"

[[render.module]]
name = "inside"
kind = "false_color"
channel = "speed"
range = [0, 4]
slice = { point = [0, 0, 1], normal = [0, 0, 1] }

[[render.module]]
name = "both"
kind = "side_by_side"
inputs = ["seen", "inside"]
labels = ["as seen", "speed"]

[[render.module]]
name = "titled"
kind = "labelled"
inputs = ["both"]

[[render.module]]
name = "dailies"
kind = "encode"
inputs = ["titled"]
formats = ["png", "mp4"]

[[render.graph]]
name = "labelled"
inputs = ["picture"]
output = "words"
module = [
    { name = "words", kind = "text", inputs = ["half"], text = "frame {frame}", corner = "lower_right" },
    { name = "half", kind = "scale", inputs = ["picture"], width = 200 },
]
)";

/// Every complaint about a scene, one per line; empty if there is none.
inline std::string complaints(std::string_view text, const std::vector<std::string>& overrides = {}) {
    try {
        parse_scene(text, "dam.toml", overrides);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace spindrift
