#pragma once
// Memory for large arrays: on huge pages where the system grants them, kept between steps, counted by name.
//
//   Buffer<Float4> x("position"); x.resize(n);  memory_by_name()["position"] == n * 16 or a little more

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <type_traits>
#include <utility>

namespace spindrift {

/// Bytes of address space that a buffer of this many bytes takes.
std::size_t huge_allocation_size(std::size_t bytes);
void* huge_allocate(std::size_t bytes);
void huge_free(void* memory, std::size_t bytes);

/// Adds (or takes away) bytes under a name of the memory account.
void account_memory(const std::string& name, std::ptrdiff_t bytes);
/// Bytes reserved now, by the names the buffers were given.
std::map<std::string, std::size_t> memory_by_name();
std::size_t memory_in_use();
/// Largest resident size the process had, as the system counts it.
std::size_t peak_resident_bytes();

/// Array of plain values without initialisation; growing keeps the values.
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    explicit Buffer(std::string name = "other") : name_(std::move(name)) {}
    ~Buffer() { release(); }
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        swap(other);
        return *this;
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return size_; }
    std::size_t capacity() const { return capacity_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }

    /// Changes the size; reserves exactly what is missing. New values are whatever is there.
    void resize(std::size_t size) {
        if (size > capacity_) reserve(size);
        size_ = size;
    }
    /// Changes the size and forgets the values: nothing is copied, and there is room for some more the next time.
    void renew(std::size_t size) {
        if (size > capacity_) {
            release();
            reserve(size + size / 8);
        }
        size_ = size;
    }
    /// Room for at least `capacity` values, also when that means giving memory back.
    void reserve(std::size_t capacity);
    void release() {
        if (data_) {
            huge_free(data_, capacity_ * sizeof(T));
            account_memory(name_, -static_cast<std::ptrdiff_t>(capacity_ * sizeof(T)));
        }
        data_ = nullptr;
        size_ = capacity_ = 0;
    }
    /// The name stays with the storage.
    void swap(Buffer& other) noexcept {
        std::swap(name_, other.name_);
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

  private:
    std::string name_;
    T* data_ = nullptr;
    std::size_t size_ = 0, capacity_ = 0;
};

template <class T>
void Buffer<T>::reserve(std::size_t capacity) {
    const std::size_t granted = huge_allocation_size(capacity * sizeof(T)) / sizeof(T);
    if (granted == capacity_) return;
    T* fresh = granted ? static_cast<T*>(huge_allocate(granted * sizeof(T))) : nullptr;
    const std::size_t kept = std::min(size_, granted);
    for (std::size_t i = 0; i < kept; ++i)
        fresh[i] = data_[i];
    const std::size_t size = kept;
    release();
    data_ = fresh;
    size_ = size;
    capacity_ = granted;
    account_memory(name_, static_cast<std::ptrdiff_t>(granted * sizeof(T)));
}

}  // namespace spindrift
