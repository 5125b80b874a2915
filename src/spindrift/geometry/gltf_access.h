#pragma once
// Numbers of a glTF model, checked against the buffers they lie in before any is read.
//
//   GltfNumbers positions(path, model, accessor, TINYGLTF_TYPE_VEC3);
//   double y = positions.at(7, 1);          // second component of the eighth

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace tinygltf {
class Model;
}

namespace spindrift::geometry {

class GltfNumbers {
  public:
    /// `type` is the glTF type that is expected; throws IoError if there is another or it leaves its buffer.
    GltfNumbers(const std::filesystem::path& path, const tinygltf::Model& model, int accessor, int type);

    std::size_t count() const { return count_; }
    double at(std::size_t item, std::size_t component) const;
    /// Of whole numbers: an index.
    std::uint32_t index(std::size_t item) const;

  private:
    const unsigned char* data_ = nullptr;
    std::size_t count_ = 0, stride_ = 0, component_bytes_ = 0;
    int component_type_ = 0;
    bool normalized_ = false;
};

}  // namespace spindrift::geometry
