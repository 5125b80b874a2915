#include "spindrift/collision/fields/mesh_source.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "spindrift/collision/fields/vdb_file.h"
#include "spindrift/core/errors.h"
#include "spindrift/geometry/primitives.h"
#include "spindrift/geometry/read_mesh.h"
#include "spindrift/geometry/sequence.h"

namespace spindrift::collision {

namespace {

geometry::Mesh mesh_of_shape(const ColliderParams& params, const std::filesystem::path& folder) {
    if (!params.vdb.empty()) return read_vdb_surface(folder / params.vdb).mesh;
    if (params.box) return geometry::make_box(*params.box);
    if (params.sphere) return geometry::make_sphere(params.sphere->center, params.sphere->radius);
    if (params.cylinder)
        return geometry::make_cylinder(params.cylinder->base, params.cylinder->top, params.cylinder->radius);
    return {};
}

/// Numbers of the files that a pattern finds, in order.
std::vector<int> numbers_of(const std::filesystem::path& pattern) {
    const std::string name = pattern.filename().string();
    const std::size_t last = name.rfind('#'), before = name.find_last_not_of('#', last);
    const std::size_t first = before == std::string::npos ? 0 : before + 1;
    const std::string head = name.substr(0, first), tail = name.substr(last + 1);
    const std::filesystem::path folder = pattern.has_parent_path() ? pattern.parent_path() : ".";
    std::vector<int> numbers;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        const std::string file = entry.path().filename().string();
        if (file.size() <= head.size() + tail.size() || !file.starts_with(head) || !file.ends_with(tail)) continue;
        int number = 0;
        const char *begin = file.data() + head.size(), *end = file.data() + file.size() - tail.size();
        const auto [stop, error] = std::from_chars(begin, end, number);
        if (error == std::errc{} && stop == end && geometry::frame_file(pattern, number).filename() == file)
            numbers.push_back(number);
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

}  // namespace

MeshSource::MeshSource(const ColliderParams& params, const std::filesystem::path& folder)
    : params_(params), folder_(folder), pattern_(folder / params.mesh) {
    if (params.is_sequence()) find_files();
}

const geometry::MeshReport& MeshSource::report() {
    if (!reported_) at(first_);
    return report_;
}

void MeshSource::find_files() {
    const std::vector<int> numbers = numbers_of(pattern_);
    if (numbers.empty()) {
        throw IoError(IoError::Kind::missing, pattern_,
                      fmt::format("there is no file of this sequence, such as {}",
                                  geometry::frame_file(pattern_, 1).filename().string()));
    }
    first_ = numbers.front();
    last_ = numbers.back();
    const std::vector<int> missing = geometry::missing_frames(pattern_, first_, last_);
    if (!missing.empty()) {
        throw IoError(IoError::Kind::missing, pattern_,
                      fmt::format("the sequence runs from {} to {} but has no file for {}; export the missing frames",
                                  first_, last_, geometry::describe_frames(missing)));
    }
}

int MeshSource::number(int frame) const {
    const int shifted = params_.start ? frame - *params_.start + first_ : frame;
    return std::clamp(shifted, first_, last_);
}

std::filesystem::path MeshSource::file(int frame) const {
    return geometry::frame_file(pattern_, number(frame));
}

const geometry::Mesh& MeshSource::at(int frame) {
    const int wanted = params_.scale.moves() ? frame : number(frame);
    if (const auto found = meshes_.find(wanted); found != meshes_.end()) return found->second;
    geometry::MeshFile file;
    if (params_.mesh.empty()) {
        file.mesh = mesh_of_shape(params_, folder_);
        file.report = geometry::clean(file.mesh);
    } else {
        file = geometry::read_mesh(geometry::frame_file(pattern_, number(frame)));
    }
    if (!reported_) report_ = file.report;
    reported_ = true;
    geometry::transform(file.mesh, params_.scale.at(frame), {});
    // Going forward, the oldest is not asked for again.
    if (meshes_.size() >= 2)
        meshes_.erase(wanted > meshes_.begin()->first ? meshes_.begin() : std::prev(meshes_.end()));
    return meshes_[wanted] = std::move(file.mesh);
}

}  // namespace spindrift::collision
