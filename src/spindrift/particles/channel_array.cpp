#include "spindrift/particles/channel_array.h"

#include <cstring>

namespace spindrift {

namespace {

template <class T>
double read_as(const std::byte* p) {
    T value;
    std::memcpy(&value, p, sizeof(T));
    return static_cast<double>(value);
}

}  // namespace

std::size_t scalar_size(ScalarType type) {
    switch (type) {
        case ScalarType::i8:
        case ScalarType::u8:
            return 1;
        case ScalarType::i16:
        case ScalarType::u16:
            return 2;
        case ScalarType::f32:
        case ScalarType::i32:
        case ScalarType::u32:
            return 4;
        default:
            return 8;
    }
}

double ChannelArray::value(std::size_t i, int c) const {
    const std::byte* p = bytes_.data() + i * type_.bytes() + static_cast<std::size_t>(c) * scalar_size(type_.scalar);
    switch (type_.scalar) {
        case ScalarType::f32:
            return read_as<float>(p);
        case ScalarType::f64:
            return read_as<double>(p);
        case ScalarType::i8:
            return read_as<std::int8_t>(p);
        case ScalarType::u8:
            return read_as<std::uint8_t>(p);
        case ScalarType::i16:
            return read_as<std::int16_t>(p);
        case ScalarType::u16:
            return read_as<std::uint16_t>(p);
        case ScalarType::i32:
            return read_as<std::int32_t>(p);
        case ScalarType::u32:
            return read_as<std::uint32_t>(p);
        case ScalarType::i64:
            return read_as<std::int64_t>(p);
        case ScalarType::u64:
            return read_as<std::uint64_t>(p);
    }
    return 0;
}

const ChannelArray* ChannelSet::find(std::string_view name) const {
    for (const ChannelArray& channel : channels) {
        if (channel.name() == name) return &channel;
    }
    return nullptr;
}

ChannelArray* ChannelSet::find(std::string_view name) {
    return const_cast<ChannelArray*>(std::as_const(*this).find(name));
}

ChannelArray& ChannelSet::add(std::string name, ChannelType type, std::size_t size) {
    channels.emplace_back(std::move(name), type).resize(size);
    return channels.back();
}

}  // namespace spindrift
