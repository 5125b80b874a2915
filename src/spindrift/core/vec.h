#pragma once
// Small vectors. World space is right-handed, Y up, in metres, unless a name says otherwise.
//
//   Vec3f n = normalize(cross(Vec3f{1, 0, 0}, Vec3f{0, 0, -1}));   // {0, 1, 0}

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace spindrift {

template <class T>
struct Vec3 {
    T x{}, y{}, z{};

    constexpr T& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
    constexpr const T& operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }

    constexpr Vec3& operator+=(Vec3 b) { return *this = *this + b; }
    constexpr Vec3& operator-=(Vec3 b) { return *this = *this - b; }
    constexpr Vec3& operator*=(T s) { return *this = *this * s; }

    friend constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend constexpr Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
    friend constexpr Vec3 operator*(Vec3 a, T s) { return {a.x * s, a.y * s, a.z * s}; }
    friend constexpr Vec3 operator*(T s, Vec3 a) { return a * s; }
    friend constexpr Vec3 operator/(Vec3 a, T s) { return {a.x / s, a.y / s, a.z / s}; }
    friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

using Vec3f = Vec3<float>;
using Vec3d = Vec3<double>;
using Vec3i = Vec3<std::int32_t>;

template <class To, class From>
constexpr Vec3<To> vec_cast(Vec3<From> a) {
    return {static_cast<To>(a.x), static_cast<To>(a.y), static_cast<To>(a.z)};
}

template <class T>
constexpr T dot(Vec3<T> a, Vec3<T> b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
constexpr Vec3<T> cross(Vec3<T> a, Vec3<T> b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
T length(Vec3<T> a) {
    return std::sqrt(dot(a, a));
}

template <class T>
Vec3<T> normalize(Vec3<T> a) {
    return a / length(a);
}

template <class T>
constexpr Vec3<T> min(Vec3<T> a, Vec3<T> b) {
    return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}

template <class T>
constexpr Vec3<T> max(Vec3<T> a, Vec3<T> b) {
    return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

template <class T>
bool is_finite(Vec3<T> a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

/// Three coordinates and one slot that each pass uses for its own (a multiplier, a density, a particle's slot).
struct alignas(16) Float4 {
    float x, y, z, w;

    constexpr Vec3f xyz() const { return {x, y, z}; }
};

template <class T>
struct Box3 {
    Vec3<T> lo, hi;

    constexpr Vec3<T> size() const { return hi - lo; }
    constexpr Vec3<T> center() const { return (lo + hi) * T(0.5); }
    constexpr bool contains(Vec3<T> p) const {
        return p.x >= lo.x && p.y >= lo.y && p.z >= lo.z && p.x <= hi.x && p.y <= hi.y && p.z <= hi.z;
    }
    constexpr bool overlaps(const Box3& b) const {
        return lo.x < b.hi.x && b.lo.x < hi.x && lo.y < b.hi.y && b.lo.y < hi.y && lo.z < b.hi.z && b.lo.z < hi.z;
    }
    friend constexpr bool operator==(const Box3&, const Box3&) = default;
};

using Box3f = Box3<float>;
using Box3d = Box3<double>;

}  // namespace spindrift
