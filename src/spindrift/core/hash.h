#pragma once
// 64-bit content hash for states, stage inputs and cached files. Not cryptographic.
//
//   Hash64 h; h.add(bytes.data(), bytes.size()); std::string key = h.hex();

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace spindrift {

class Hash64 {
  public:
    Hash64& add(const void* data, std::size_t bytes) {
        const auto* p = static_cast<const unsigned char*>(data);
        length_ += bytes;
        for (; bytes >= 8; p += 8, bytes -= 8) {
            std::uint64_t word;
            std::memcpy(&word, p, 8);
            mix(word);
        }
        if (bytes > 0) {
            std::uint64_t tail = 0;
            std::memcpy(&tail, p, bytes);
            mix(tail);
        }
        return *this;
    }
    Hash64& add(std::string_view text) { return add(text.data(), text.size()); }
    template <class T>
    Hash64& add(std::span<const T> values) {
        return add(values.data(), values.size_bytes());
    }

    std::uint64_t value() const { return finish(state_ ^ length_); }
    std::string hex() const {
        static constexpr char digits[] = "0123456789abcdef";
        std::string text(16, '0');
        std::uint64_t v = value();
        for (int i = 15; i >= 0; --i, v >>= 4)
            text[static_cast<std::size_t>(i)] = digits[v & 15];
        return text;
    }

  private:
    static std::uint64_t finish(std::uint64_t z) {
        z = (z ^ (z >> 33)) * 0xff51afd7ed558ccdULL;
        z = (z ^ (z >> 33)) * 0xc4ceb9fe1a85ec53ULL;
        return z ^ (z >> 33);
    }
    void mix(std::uint64_t word) {
        // The shift brings the highest bits down, so that no single bit of the next word can undo them.
        std::uint64_t m = (state_ ^ word) * 0x9e3779b97f4a7c15ULL;
        m = (m ^ (m >> 32)) * 0xd6e8feb86659fd93ULL;
        state_ = (m ^ (m >> 29)) + 0x2545f4914f6cdd1dULL;
    }

    std::uint64_t state_ = 0x2545f4914f6cdd1dULL;
    std::uint64_t length_ = 0;
};

/// The hash of bytes that come piece by piece: the same as of all of them at once.
class StreamHash {
  public:
    void add(const void* data, std::size_t bytes) {
        if (bytes == 0) return;  // there may be no data then, not even at an address
        const auto* p = static_cast<const unsigned char*>(data);
        if (held_ > 0) {
            const std::size_t more = bytes < 8 - held_ ? bytes : 8 - held_;
            std::memcpy(rest_ + held_, p, more);
            held_ += more;
            p += more;
            bytes -= more;
            if (held_ < 8) return;
            hash_.add(rest_, 8);
        }
        const std::size_t whole = bytes / 8 * 8;
        hash_.add(p, whole);
        held_ = bytes - whole;
        std::memcpy(rest_, p + whole, held_);
    }
    std::string hex() const { return Hash64(hash_).add(rest_, held_).hex(); }

  private:
    Hash64 hash_;
    unsigned char rest_[8] = {};
    std::size_t held_ = 0;
};

}  // namespace spindrift
