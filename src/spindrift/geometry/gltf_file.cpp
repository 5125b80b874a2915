#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <tiny_gltf.h>

#include "spindrift/core/atomic_file.h"
#include "spindrift/core/interruption.h"
#include "spindrift/geometry/formats.h"
#include "spindrift/geometry/gltf_access.h"

namespace spindrift::geometry {

namespace {

/// The parser goes into nested values by recursion.
constexpr int deepest_nesting = 200;
/// Instances can make much of a small file.
constexpr std::size_t most_items = std::size_t{1} << 25;

/// Columns, then the place of the origin.
struct Affine {
    Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, origin{};

    Vec3d turn(Vec3d p) const { return x * p.x + y * p.y + z * p.z; }
    Vec3d operator()(Vec3d p) const { return origin + turn(p); }
    Affine operator*(const Affine& b) const { return {turn(b.x), turn(b.y), turn(b.z), (*this)(b.origin)}; }
    bool mirrors() const { return dot(cross(x, y), z) < 0; }
};

Affine node_transform(const tinygltf::Node& node) {
    if (const auto& m = node.matrix; m.size() == 16)
        return {{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}, {m[12], m[13], m[14]}};
    Affine result;
    if (const auto& q = node.rotation; q.size() == 4) {
        const double x = q[0], y = q[1], z = q[2], w = q[3];
        result.x = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)};
        result.y = {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)};
        result.z = {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)};
    }
    if (const auto& s = node.scale; s.size() == 3) {
        result.x *= s[0];
        result.y *= s[1];
        result.z *= s[2];
    }
    if (const auto& t = node.translation; t.size() == 3) result.origin = {t[0], t[1], t[2]};
    return result;
}

/// Whether the brackets of a JSON text, outside of strings, are nested deeper than any real file's.
bool is_too_deep(std::string_view json) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (in_string && c == '\\')
            ++i;
        else if (c == '"')
            in_string = !in_string;
        else if (!in_string && (c == '{' || c == '['))
            ++depth;
        else if (!in_string && (c == '}' || c == ']'))
            --depth;
        if (depth > deepest_nesting) return true;
    }
    return false;
}

std::string lower_ending(const std::string& name) {
    std::string text = std::filesystem::path(name).extension().string();
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// Pictures are not looked for: the mesh is all that is wanted.
bool is_wanted_file(const std::string& name, void*) {
    constexpr std::string_view pictures[] = {".png", ".jpg", ".jpeg", ".webp", ".ktx", ".ktx2", ".dds", ".tga"};
    std::error_code ignored;
    return std::ranges::find(pictures, lower_ending(name)) == std::end(pictures) &&
           std::filesystem::is_regular_file(name, ignored);
}

bool read_buffer_file(std::vector<unsigned char>* out, std::string* error, const std::string& name, void*) {
    try {
        const std::string bytes = read_file(name);
        out->assign(bytes.begin(), bytes.end());
        return true;
    } catch (const IoError& problem) {
        *error += problem.what();
        return false;
    }
}

bool ignore_image(tinygltf::Image*, int, std::string*, std::string*, int, int, const unsigned char*, int, void*) {
    return true;
}

bool is_binary(const std::string& bytes) {
    return bytes.starts_with("glTF");
}

/// The JSON text, wherever the file has it.
std::string_view json_of(const std::string& bytes) {
    if (!is_binary(bytes)) return bytes;
    std::uint32_t length = 0;
    if (bytes.size() >= 20) std::memcpy(&length, bytes.data() + 12, 4);
    return std::string_view(bytes).substr(std::min<std::size_t>(20, bytes.size()), length);
}

/// The first line of what the library says, without the name that its parser of JSON gives to the error.
std::string reason_of(const std::string& words) {
    std::string reason = words.substr(0, std::min<std::size_t>(words.find('\n'), 300));
    const std::size_t from = reason.find("[json.exception"), to = reason.find("] ", std::min(from, reason.size()));
    if (from != std::string::npos && to != std::string::npos) reason.erase(from, to + 2 - from);
    return reason;
}

tinygltf::Model parse(const std::filesystem::path& path, const std::string& bytes) {
    if (is_too_deep(json_of(bytes)))
        throw damaged(path, "this is not a sound glTF file: its values are nested too deep");
    if (bytes.size() > std::numeric_limits<std::uint32_t>::max())
        throw damaged(path, "the glTF file is larger than 4 GB");
    tinygltf::TinyGLTF loader;
    loader.SetImageLoader(ignore_image, nullptr);
    loader.SetFsCallbacks(
        {is_wanted_file, [](const std::string& name, void*) { return name; }, read_buffer_file, nullptr, nullptr});
    tinygltf::Model model;
    std::string error, warning;
    bool good = false;
    const auto size = static_cast<unsigned int>(bytes.size());
    const std::string folder = path.parent_path().string();
    try {
        good = is_binary(bytes)
                   ? loader.LoadBinaryFromMemory(&model, &error, &warning,
                                                 reinterpret_cast<const unsigned char*>(bytes.data()), size, folder)
                   : loader.LoadASCIIFromString(&model, &error, &warning, bytes.data(), size, folder);
    } catch (const std::exception& problem) {
        error = problem.what();
    }
    if (!good) throw damaged(path, fmt::format("this is not a sound glTF file: {}", reason_of(error)));
    return model;
}

class GltfReader {
  public:
    GltfReader(const std::filesystem::path& path, const tinygltf::Model& model)
        : path_(path), model_(model), visited_(model.nodes.size(), false) {}

    Mesh read() {
        for (const std::string& name : model_.extensionsRequired) {
            if (name == "KHR_draco_mesh_compression" || name == "EXT_meshopt_compression")
                throw damaged(path_, fmt::format("the glTF file is compressed ({}), which is not read here: turn "
                                                 "compression off",
                                                 name));
        }
        for (const int root : roots())
            visit(root);
        if (model_.nodes.empty()) {
            for (const tinygltf::Mesh& mesh : model_.meshes)
                add_mesh(mesh, {});
        }
        if (!has_uv_) mesh_.uv.clear();
        return std::move(mesh_);
    }

  private:
    /// Nodes of the default scene, or those that are nobody's children.
    std::vector<int> roots() const {
        const std::size_t scene = static_cast<std::size_t>(std::max(model_.defaultScene, 0));
        if (scene < model_.scenes.size()) return model_.scenes[scene].nodes;
        std::vector<bool> is_child(model_.nodes.size(), false);
        for (const tinygltf::Node& node : model_.nodes) {
            for (const int child : node.children) {
                if (is_node(child)) is_child[static_cast<std::size_t>(child)] = true;
            }
        }
        std::vector<int> nodes;
        for (std::size_t i = 0; i < is_child.size(); ++i) {
            if (!is_child[i]) nodes.push_back(static_cast<int>(i));
        }
        return nodes;
    }

    bool is_node(int index) const { return index >= 0 && static_cast<std::size_t>(index) < model_.nodes.size(); }

    /// A node has one parent; a file that breaks this rule would have no end.
    void visit(int root) {
        std::vector<std::pair<int, Affine>> open{{root, {}}};
        while (!open.empty()) {
            const auto [index, parent] = open.back();
            open.pop_back();
            if (!is_node(index) || visited_[static_cast<std::size_t>(index)]) continue;
            visited_[static_cast<std::size_t>(index)] = true;
            const tinygltf::Node& node = model_.nodes[static_cast<std::size_t>(index)];
            const Affine here = parent * node_transform(node);
            if (node.mesh >= 0 && static_cast<std::size_t>(node.mesh) < model_.meshes.size())
                add_mesh(model_.meshes[static_cast<std::size_t>(node.mesh)], here);
            for (auto child = node.children.rbegin(); child != node.children.rend(); ++child)
                open.emplace_back(*child, here);
        }
    }

    void add_mesh(const tinygltf::Mesh& mesh, const Affine& place) {
        for (const tinygltf::Primitive& primitive : mesh.primitives) {
            const int mode = primitive.mode < 0 ? TINYGLTF_MODE_TRIANGLES : primitive.mode;
            const auto position = primitive.attributes.find("POSITION");
            const bool has_faces = mode == TINYGLTF_MODE_TRIANGLES || mode == TINYGLTF_MODE_TRIANGLE_STRIP ||
                                   mode == TINYGLTF_MODE_TRIANGLE_FAN;
            if (has_faces && position != primitive.attributes.end())
                add_primitive(primitive, position->second, mode, place);
        }
    }

    void add_primitive(const tinygltf::Primitive& primitive, int position, int mode, const Affine& place) {
        stop_if_interrupted();
        const GltfNumbers points(path_, model_, position, TINYGLTF_TYPE_VEC3);
        first_point_ = mesh_.points.size();
        check_room(mesh_.points.size() + points.count());
        for (std::size_t i = 0; i < points.count(); ++i) {
            const Vec3d p{points.at(i, 0), points.at(i, 1), points.at(i, 2)};
            mesh_.points.push_back(vec_cast<float>(place(p)));
        }
        read_uv(primitive);
        read_corners(primitive, points.count());
        stop_if_interrupted();
        add_faces(mode, place.mirrors());
    }

    void check_room(std::size_t items) const {
        if (items > most_items)
            throw damaged(path_, fmt::format("the glTF file has more than {} points or triangles", most_items));
    }

    /// glTF counts v from the upper edge of a picture.
    void read_uv(const tinygltf::Primitive& primitive) {
        uv_.clear();
        const auto attribute = primitive.attributes.find("TEXCOORD_0");
        if (attribute == primitive.attributes.end()) return;
        const GltfNumbers uv(path_, model_, attribute->second, TINYGLTF_TYPE_VEC2);
        check_room(uv.count());
        for (std::size_t i = 0; i < uv.count(); ++i)
            uv_.push_back({static_cast<float>(uv.at(i, 0)), static_cast<float>(1 - uv.at(i, 1))});
        has_uv_ = true;
    }

    void read_corners(const tinygltf::Primitive& primitive, std::size_t points) {
        corners_.clear();
        if (primitive.indices < 0) {
            for (std::size_t i = 0; i < points; ++i)
                corners_.push_back(static_cast<std::uint32_t>(i));
            return;
        }
        const GltfNumbers indices(path_, model_, primitive.indices, TINYGLTF_TYPE_SCALAR);
        check_room(indices.count());
        for (std::size_t i = 0; i < indices.count(); ++i) {
            const std::uint32_t corner = indices.index(i);
            corners_.push_back(corner < points ? corner : bad_corner);
        }
    }

    void add_faces(int mode, bool mirrored) {
        const std::size_t step = mode == TINYGLTF_MODE_TRIANGLES ? 3 : 1;
        check_room(mesh_.triangles.size() + corners_.size() / step);
        for (std::size_t i = 0; i + 3 <= corners_.size(); i += step) {
            Triangle triangle{corners_[i], corners_[i + 1], corners_[i + 2]};
            if (mode == TINYGLTF_MODE_TRIANGLE_FAN) triangle[0] = corners_[0];
            // Every other triangle of a strip runs the other way around.
            const bool odd = mode == TINYGLTF_MODE_TRIANGLE_STRIP && i % 2 == 1;
            if (odd != mirrored) std::swap(triangle[1], triangle[2]);
            add_triangle(triangle);
        }
    }

    void add_triangle(Triangle triangle) {
        std::array<Uv, 3> uv{};
        for (std::size_t k = 0; k < 3; ++k) {
            if (triangle[k] < uv_.size()) uv[k] = uv_[triangle[k]];
            if (triangle[k] != bad_corner) triangle[k] += static_cast<std::uint32_t>(first_point_);
        }
        mesh_.triangles.push_back(triangle);
        mesh_.uv.push_back(uv);
    }

    const std::filesystem::path& path_;
    const tinygltf::Model& model_;
    std::vector<bool> visited_;
    Mesh mesh_;
    bool has_uv_ = false;
    std::size_t first_point_ = 0;
    std::vector<std::uint32_t> corners_;
    std::vector<Uv> uv_;
};

}  // namespace

Mesh read_gltf(const std::filesystem::path& path, const std::string& bytes) {
    const tinygltf::Model model = parse(path, bytes);
    return GltfReader(path, model).read();
}

}  // namespace spindrift::geometry
