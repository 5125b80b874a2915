#include "spindrift/whitewater/push_kernels.h"

#include "spindrift/core/simd.h"

namespace spindrift::whitewater::SPINDRIFT_ISA_NAMESPACE {

namespace {

using namespace simd::SPINDRIFT_ISA_NAMESPACE;

SPINDRIFT_INLINE float sum_of(F8 a) {
    alignas(32) float each[8];
    store(each, a);
    return ((each[0] + each[4]) + (each[1] + each[5])) + ((each[2] + each[6]) + (each[3] + each[7]));
}

Vec3f push(const Disc& own, Vec3f normal, const Pushers& others) {
    const F8 zero(0.f), x(own.x.x), y(own.x.y), z(own.x.z), radius(own.radius);
    const F8 nx(normal.x), ny(normal.y), nz(normal.z);
    F8 push_x(0.f), push_y(0.f), push_z(0.f);
    for (std::size_t k = 0; k < others.size; k += 8) {
        const F8 dx = x - load(others.x + k), dy = y - load(others.y + k), dz = z - load(others.z + k);
        const F8 count = load(others.count + k), wanted = radius + load(others.radius + k);
        const F8 near = fmadd(dx, dx, fmadd(dy, dy, dz * dz)) < wanted * wanted;
        if (mask(near) == 0) continue;
        // Away from the other along the surface, a quarter of what they overlap by; those in one place stay.
        const F8 up = fmadd(dx, nx, fmadd(dy, ny, dz * nz));
        const F8 ax = fnmadd(up, nx, dx), ay = fnmadd(up, ny, dy), az = fnmadd(up, nz, dz);
        const F8 squared = fmadd(ax, ax, fmadd(ay, ay, az * az)), distance = sqrt(max(squared, F8(1e-24f)));
        const F8 share = F8(0.25f) * count * (wanted - distance) / distance;
        const F8 counted = select(near, select(F8(1e-24f) < squared, share, zero), zero);
        push_x = fmadd(ax, counted, push_x);
        push_y = fmadd(ay, counted, push_y);
        push_z = fmadd(az, counted, push_z);
    }
    return {sum_of(push_x), sum_of(push_y), sum_of(push_z)};
}

}  // namespace

PushKernels push_kernels() {
    return {.push = push};
}

}  // namespace spindrift::whitewater::SPINDRIFT_ISA_NAMESPACE
