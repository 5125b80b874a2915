#pragma once
// What a frame of a simulation measures; statistics.h keeps it in a file.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "spindrift/core/vec.h"

namespace spindrift::io {

/// What the liquid did to a body, on average over a frame.
struct BodyStatistics {
    std::string name;
    std::string kind;
    double mass = 0;       ///< kg
    Vec3d force, torque;   ///< of the liquid, N; N m about the centre of mass
    double buoyancy = 0;   ///< the part of the force against gravity, N
    double drag = 0;       ///< size of the rest, N
    Vec3d position;        ///< of the centre of mass at the frame, m
    Vec3d velocity, spin;  ///< m/s, rad/s

    friend bool operator==(const BodyStatistics&, const BodyStatistics&) = default;
};

/// Momentum that went to the bodies that forces move since the start, N s.
struct BodyLedger {
    Vec3d given;     ///< by the liquid, as it counts its pushes
    Vec3d received;  ///< as the bodies' velocities tell it
    Vec3d gravity;
    Vec3d held;      ///< by contacts, joints and pins
    Vec3d momentum;  ///< that these bodies have at the frame

    friend bool operator==(const BodyLedger&, const BodyLedger&) = default;
};

struct FrameStatistics {
    int frame = 0;
    double time = 0;
    std::size_t particles = 0;
    int substeps = 0;
    double iterations = 0;                                 ///< mean of the substeps
    double mean_density_error = 0, max_density_error = 0;  ///< shares of the rest density
    double kinetic_energy = 0, potential_energy = 0;       ///< J
    double volume = 0;                                     ///< m^3, of all particles at rest
    double measured_volume = 0;  ///< m^3 that they take up: those that are pressed together share their room
    Vec3d momentum;              ///< kg m/s
    double max_speed = 0;
    double seconds = 0;                                  ///< wall clock
    std::vector<std::pair<std::string, double>> phases;  ///< path of the phase, seconds
    std::vector<std::string> events;
    std::vector<BodyStatistics> bodies{};  ///< files of scenes without bodies have neither these nor a ledger
    BodyLedger ledger{};

    friend bool operator==(const FrameStatistics&, const FrameStatistics&) = default;
};

/// JSON object without a line break. Numbers come back with the same bits; what is not finite comes back as NaN.
std::string to_json_line(const FrameStatistics& statistics);

}  // namespace spindrift::io
