#include "spindrift/geometry/gltf_access.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <tiny_gltf.h>

#include "spindrift/geometry/formats.h"

namespace spindrift::geometry {

namespace {

template <class Item>
const Item& checked(const std::filesystem::path& path, const std::vector<Item>& items, int index, const char* name) {
    if (index < 0 || static_cast<std::size_t>(index) >= items.size())
        throw damaged(path, fmt::format("the glTF file names {} {}, which it does not have", name, index));
    return items[static_cast<std::size_t>(index)];
}

template <class T>
T load(const unsigned char* data) {
    T value;
    std::memcpy(&value, data, sizeof value);
    return value;
}

/// Whole numbers that stand for 0 to 1 or -1 to 1.
template <class T>
double fraction(const unsigned char* data, bool normalized) {
    const auto value = static_cast<double>(load<T>(data));
    return normalized ? std::max(value / static_cast<double>(std::numeric_limits<T>::max()), -1.0) : value;
}

}  // namespace

GltfNumbers::GltfNumbers(const std::filesystem::path& path, const tinygltf::Model& model, int index, int type) {
    const tinygltf::Accessor& accessor = checked(path, model.accessors, index, "accessor");
    if (accessor.sparse.isSparse)
        throw damaged(path, "the glTF file has sparse accessors, which are not read here: turn them off");
    const tinygltf::BufferView& view = checked(path, model.bufferViews, accessor.bufferView, "bufferView");
    const tinygltf::Buffer& buffer = checked(path, model.buffers, view.buffer, "buffer");
    const int bytes = tinygltf::GetComponentSizeInBytes(static_cast<std::uint32_t>(accessor.componentType));
    const int components = tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(type));
    const int stride = accessor.ByteStride(view);
    if (accessor.type != type || bytes <= 0 || stride < bytes * components)
        throw damaged(path, fmt::format("accessor {} of the glTF file has another type than its use asks for", index));

    const std::size_t size = buffer.data.size(), item = static_cast<std::size_t>(bytes * components);
    const bool view_fits = view.byteOffset <= size && view.byteLength <= size - view.byteOffset;
    const std::size_t left =
        view_fits && accessor.byteOffset <= view.byteLength ? view.byteLength - accessor.byteOffset : 0;
    const std::size_t room = left < item ? 0 : 1 + (left - item) / static_cast<std::size_t>(stride);
    if (accessor.count > room)
        throw damaged(path, fmt::format("accessor {} of the glTF file leaves its buffer", index));
    data_ = buffer.data.data() + view.byteOffset + accessor.byteOffset;
    count_ = accessor.count;
    stride_ = static_cast<std::size_t>(stride);
    component_bytes_ = static_cast<std::size_t>(bytes);
    component_type_ = accessor.componentType;
    normalized_ = accessor.normalized;
}

double GltfNumbers::at(std::size_t item, std::size_t component) const {
    const unsigned char* place = data_ + item * stride_ + component * component_bytes_;
    switch (component_type_) {
        case TINYGLTF_COMPONENT_TYPE_BYTE:
            return fraction<std::int8_t>(place, normalized_);
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
            return fraction<std::uint8_t>(place, normalized_);
        case TINYGLTF_COMPONENT_TYPE_SHORT:
            return fraction<std::int16_t>(place, normalized_);
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
            return fraction<std::uint16_t>(place, normalized_);
        case TINYGLTF_COMPONENT_TYPE_INT:
            return fraction<std::int32_t>(place, normalized_);
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
            return fraction<std::uint32_t>(place, normalized_);
        case TINYGLTF_COMPONENT_TYPE_FLOAT:
            return load<float>(place);
        default:
            return load<double>(place);
    }
}

std::uint32_t GltfNumbers::index(std::size_t item) const {
    const double value = at(item, 0);
    return value >= 0 && value < bad_corner ? static_cast<std::uint32_t>(value) : bad_corner;
}

}  // namespace spindrift::geometry
