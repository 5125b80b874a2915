#pragma once
// The particles of whitewater: one array for each property.
//
//   Particles all;
//   all.resize(n);
//   all.arrange(order);             // as many as `order` names, in its order

#include <cstdint>

#include "spindrift/core/buffer.h"
#include "spindrift/core/vec.h"
#include "spindrift/whitewater/kinds.h"

namespace spindrift::whitewater {

struct Particles {
    Buffer<Vec3f> x{"whitewater"}, v{"whitewater"};               ///< m from an origin, m/s
    Buffer<float> pscale{"whitewater"};                           ///< radius for the eye, m
    Buffer<float> age{"whitewater"}, life{"whitewater"};          ///< s; it goes when it is as old as its life is long
    Buffer<std::int64_t> id{"whitewater"}, source{"whitewater"};  ///< own, and of the particle of liquid it is from
    Buffer<std::uint16_t> crowd{"whitewater"};                    ///< particles of foam in its cell
    Buffer<Kind> kind{"whitewater"};
    Buffer<std::uint8_t> cause{"whitewater"};
    Buffer<Vec3f> color{"whitewater"};  ///< linear RGB of the liquid it is from; of nobody unless has_color
    bool has_color = false;

    std::size_t size() const { return x.size(); }
    void resize(std::size_t size);
    /// Keeps those that `order` names.
    void arrange(const Buffer<std::uint32_t>& order);

    /// Of one of them, and while it is put in order; with colours each has twelve more.
    static constexpr std::size_t bytes = 56, most_bytes = bytes + sizeof(Vec3f) + 20;

  private:
    Buffer<Vec3f> scratch_{"whitewater"};

    /// Calls f for each array.
    template <class F>
    void for_each(const F& f) {
        f(x), f(v), f(pscale), f(age), f(life), f(id), f(source), f(crowd), f(kind), f(cause);
        if (has_color) f(color);
    }
};

}  // namespace spindrift::whitewater
