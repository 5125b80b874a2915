#pragma once
// Particle sets and archives for the tests of npz.

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "io_test_support.h"
#include <zip.h>

#include "spindrift/io/npz.h"

namespace spindrift::io {

/// Arbitrary but fixed values in a channel of every scalar type, and two vectors.
inline ChannelSet sample_channels(std::size_t n) {
    const std::vector<std::pair<const char*, ChannelType>> kinds = {
        {"P", {ScalarType::f32, 3}},       {"v", {ScalarType::f64, 3}},    {"id", {ScalarType::i64, 1}},
        {"density", {ScalarType::f32, 1}}, {"mass", {ScalarType::f64, 1}}, {"a", {ScalarType::i8, 1}},
        {"phase", {ScalarType::u8, 1}},    {"c", {ScalarType::i16, 2}},    {"d", {ScalarType::u16, 1}},
        {"e", {ScalarType::i32, 4}},       {"f", {ScalarType::u32, 1}},    {"g", {ScalarType::u64, 1}},
    };
    ChannelSet set;
    for (const auto& [name, type] : kinds) {
        ChannelArray& channel = set.add(name, type, n);
        for (std::size_t i = 0; i < channel.size_bytes(); ++i) {
            channel.data()[i] = static_cast<std::byte>(hash_counter(1, set.channels.size(), i));
        }
    }
    return set;
}

inline void expect_equal(const ChannelSet& a, const ChannelSet& b) {
    ASSERT_EQ(a.channels.size(), b.channels.size());
    for (std::size_t c = 0; c < a.channels.size(); ++c) {
        const ChannelArray &x = a.channels[c], &y = b.channels[c];
        EXPECT_EQ(x.name(), y.name());
        EXPECT_EQ(x.type(), y.type()) << x.name();
        ASSERT_EQ(x.size(), y.size()) << x.name();
        EXPECT_TRUE(x.size() == 0 || std::memcmp(x.data(), y.data(), x.size_bytes()) == 0) << x.name();
    }
}

/// An archive of any files, valid as a zip whatever they hold.
inline void put_zip(const std::filesystem::path& path, const std::vector<std::pair<std::string, std::string>>& files,
                    int method = ZIP_CM_STORE) {
    zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    for (const auto& [name, content] : files) {
        const auto index = static_cast<zip_uint64_t>(zip_file_add(
            archive, name.c_str(), zip_source_buffer(archive, content.data(), content.size(), 0), ZIP_FL_OVERWRITE));
        zip_set_file_compression(archive, index, method, 0);
    }
    ASSERT_EQ(zip_close(archive), 0);
}

/// A .npy file with any dictionary in its header.
inline std::string npy(const std::string& dictionary, const std::string& values, char version = 1) {
    const std::size_t length = dictionary.size();
    std::string text = "\x93NUMPY";
    text += version;
    text += '\0';
    for (int byte = 0; byte < (version == 1 ? 2 : 4); ++byte)
        text += static_cast<char>(length >> (8 * byte) & 0xff);
    return text + dictionary + values;
}

}  // namespace spindrift::io
