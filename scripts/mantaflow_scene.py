"""The dam of `spindrift bench flip` as a liquid of Blender: builds it, bakes its data and tells the time as JSON.

    blender -b --factory-startup -t 2 --python scripts/mantaflow_scene.py -- 64 24 /tmp/cache /tmp/times.json

Blender's Z is up: a block of 0.4 x 1 x 0.5 m in the corner of a box of one metre. scripts/compare_mantaflow calls this.
"""
import json
import os
import sys
import time

import bpy


def add_box(name, low, high):
    bpy.ops.mesh.primitive_cube_add(size=1, location=[(a + b) / 2 for a, b in zip(low, high)])
    box = bpy.context.object
    box.name = name
    box.scale = [b - a for a, b in zip(low, high)]
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    return box, box.modifiers.new("Fluid", "FLUID")


def build(resolution, frames, cache):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, frames
    scene.render.fps = 24
    scene.gravity = (0, 0, -9.81)

    _, water = add_box("water", (0, 0, 0), (0.4, 1, 0.5))
    water.fluid_type = "FLOW"
    water.flow_settings.flow_type = "LIQUID"
    water.flow_settings.flow_behavior = "GEOMETRY"

    box, domain = add_box("domain", (0, 0, 0), (1, 1, 1))
    domain.fluid_type = "DOMAIN"
    settings = domain.domain_settings
    settings.domain_type = "LIQUID"
    # Only a modular cache bakes its data alone; the folder comes first, for a change of it throws a bake away.
    settings.cache_directory = cache
    settings.cache_type = "MODULAR"
    settings.cache_frame_start, settings.cache_frame_end = 1, frames
    settings.resolution_max = resolution
    settings.simulation_method = "FLIP"
    settings.flip_ratio = 0.97
    settings.particle_number = 2  # along each side of a cell: 8 in all
    settings.use_adaptive_timesteps = True
    settings.cfl_condition = 4
    settings.use_mesh = False
    return box, settings


def main():
    resolution, frames, cache, answer = sys.argv[sys.argv.index("--") + 1:]
    frames = int(frames)
    box, settings = build(int(resolution), frames, cache)
    # The operator bakes the domain of the active object, and waits for it when there is no window.
    bpy.context.view_layer.objects.active = box
    wall, processor = time.perf_counter(), time.process_time()
    bpy.ops.fluid.bake_data()
    wall, processor = time.perf_counter() - wall, time.process_time() - processor

    written = len([name for name in os.listdir(os.path.join(cache, "data")) if name.startswith("fluid_data_")])
    if written != frames:
        raise RuntimeError(f"Blender baked {written} frames of {frames}")
    bpy.context.scene.frame_set(frames)
    systems = box.evaluated_get(bpy.context.evaluated_depsgraph_get()).particle_systems
    with open(answer, "w") as file:
        json.dump({"version": bpy.app.version_string, "seconds": wall, "processor_seconds": processor,
                   "particles": sum(len(system.particles) for system in systems),
                   "band": settings.particle_band_width, "most_substeps": settings.timesteps_max}, file)


main()
