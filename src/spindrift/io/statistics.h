#pragma once
// statistics.jsonl: one line for every frame simulated, appended as the run goes on.
//
//   append_statistics(folder / statistics_file, stats);
//   for (const FrameStatistics& s : read_statistics(folder / statistics_file)) plot(s.time, s.kinetic_energy);

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spindrift/core/vec.h"

namespace spindrift::io {

inline constexpr std::string_view statistics_file = "statistics.jsonl";

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
    double volume = 0;                                     ///< m^3
    Vec3d momentum;                                        ///< kg m/s
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

/// Throws IoError corrupt, in the name of `source`.
FrameStatistics parse_statistics(std::string_view line, const std::filesystem::path& source = statistics_file);

/// Adds one line; what a killed program left of an unfinished one is cut off first.
void append_statistics(const std::filesystem::path& path, const FrameStatistics& statistics);

/// All finished lines; damage within them is an IoError with the number of the line.
std::vector<FrameStatistics> read_statistics(const std::filesystem::path& path);

/// Removes the lines of this frame and of later ones; nothing happens if there is no such file.
void drop_statistics_from(const std::filesystem::path& path, int frame);

}  // namespace spindrift::io
