#pragma once
// One named channel of a particle set, of any numeric type and width, and a set of them.
//
//   ChannelArray heat("temperature", {ScalarType::f32, 1});
//   heat.resize(n);
//   heat.as<float>()[i] = 293.f;              // P is as<Vec3f>(), id is as<std::int64_t>()

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spindrift/core/buffer.h"
#include "spindrift/core/channel.h"
#include "spindrift/core/errors.h"
#include "spindrift/core/vec.h"

namespace spindrift {

enum class ScalarType { f32, f64, i8, u8, i16, u16, i32, u32, i64, u64 };

std::size_t scalar_size(ScalarType type);

struct ChannelType {
    ScalarType scalar = ScalarType::f32;
    int width = 1;

    std::size_t bytes() const { return scalar_size(scalar) * static_cast<std::size_t>(width); }
    friend bool operator==(const ChannelType&, const ChannelType&) = default;
};

class ChannelArray {
  public:
    ChannelArray(std::string name, ChannelType type)
        : name_(std::move(name)), type_(type), bytes_("channel " + name_) {}

    const std::string& name() const { return name_; }
    ChannelType type() const { return type_; }
    std::size_t size() const { return size_; }
    std::size_t capacity() const { return bytes_.capacity() / type_.bytes(); }
    std::byte* data() { return bytes_.data(); }
    const std::byte* data() const { return bytes_.data(); }
    std::size_t size_bytes() const { return size_ * type_.bytes(); }

    void resize(std::size_t size) {
        bytes_.resize(size * type_.bytes());
        size_ = size;
    }
    void reserve(std::size_t capacity) { bytes_.reserve(capacity * type_.bytes()); }

    /// The values as T, whose size must be that of one particle's share.
    template <class T>
    Channel<T> as() {
        SPINDRIFT_CHECK(sizeof(T) == type_.bytes());
        return {reinterpret_cast<T*>(bytes_.data()), size_};
    }
    template <class T>
    ConstChannel<T> as() const {
        SPINDRIFT_CHECK(sizeof(T) == type_.bytes());
        return {reinterpret_cast<const T*>(bytes_.data()), size_};
    }
    /// Component `c` of particle `i` as a double, whatever the type.
    double value(std::size_t i, int c = 0) const;

  private:
    std::string name_;
    ChannelType type_;
    Buffer<std::byte> bytes_;
    std::size_t size_ = 0;
};

/// Channels of one particle set at one moment, as frames on disk hold them; all of the same length.
struct ChannelSet {
    std::vector<ChannelArray> channels;

    /// nullptr if there is none of that name.
    const ChannelArray* find(std::string_view name) const;
    ChannelArray* find(std::string_view name);
    ChannelArray& add(std::string name, ChannelType type, std::size_t size);
    std::size_t size() const { return channels.empty() ? 0 : channels.front().size(); }
};

}  // namespace spindrift
