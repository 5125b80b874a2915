#include "spindrift/surface/contour/delaunay.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

// Qhull's own C++ classes do not compile as C++20.
extern "C" {
#include <libqhull_r/libqhull_r.h>
}

#include "spindrift/core/errors.h"

namespace spindrift::surface {

namespace {

/// Points Qhull is asked about, in double precision from their middle, and which they were.
struct Sites {
    std::vector<Vec3d> places;
    std::vector<std::uint32_t> source;
};

Sites finite_sites(std::span<const Vec3f> points) {
    Sites sites;
    Box3d box{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!is_finite(points[i])) continue;
        const auto p = vec_cast<double>(points[i]);
        box = {min(box.lo, p), max(box.hi, p)};
        sites.places.push_back(p);
        sites.source.push_back(static_cast<std::uint32_t>(i));
    }
    for (Vec3d& p : sites.places)
        p -= box.center();
    return sites;
}

/// The place where f is largest.
template <class F>
Vec3d farthest(const std::vector<Vec3d>& places, const F& f) {
    return *std::ranges::max_element(places, {}, f);
}

/// Whether all places are in a plane, as far as single precision can tell.
bool is_flat(const std::vector<Vec3d>& places) {
    constexpr double small = 1e-6;
    const Vec3d a = places[0];
    const Vec3d along = farthest(places, [&](Vec3d p) { return length(p - a); }) - a;
    const Vec3d beside = farthest(places, [&](Vec3d p) { return length(cross(along, p - a)); }) - a;
    const Vec3d normal = cross(along, beside);
    if (!(length(normal) > small * dot(along, along))) return true;
    const auto height = [&](Vec3d p) { return std::abs(dot(normal, p - a)) / length(normal); };
    return height(farthest(places, height)) <= small * length(along);
}

/// One run of Qhull, and what it wrote while it ran.
class Qhull {
  public:
    explicit Qhull(std::vector<Vec3d>& places) : log_(open_memstream(&text_, &text_size_)) {
        if (!log_) throw Error(ExitCode::out_of_resources, "cannot cut particles into tetrahedra: out of memory");
        qh_zero(&qh_, log_);
        // d: Delaunay. QJ: move points a little where many lie on one sphere, so that there are tetrahedra only. Qbb:
        // scale the paraboloid, which keeps digits. Pp: no advice on precision.
        char command[] = "qhull d Qbb QJ Pp";
        code_ = qh_new_qhull(&qh_, 3, static_cast<int>(places.size()), &places[0].x, False, command, nullptr, log_);
    }
    ~Qhull() {
        qh_freeqhull(&qh_, !qh_ALL);
        int left = 0, bytes = 0;
        qh_memfreeshort(&qh_, &left, &bytes);
        std::fclose(log_);
        std::free(text_);
    }
    Qhull(const Qhull&) = delete;
    Qhull& operator=(const Qhull&) = delete;

    bool failed() const { return code_ != 0; }
    std::string first_line() {
        std::fflush(log_);
        const std::string all(text_, text_size_);
        return all.substr(0, all.find('\n'));
    }

    /// Calls f(four site numbers, turned) for each tetrahedron; `turned` tells the two orders apart.
    template <class F>
    void for_tetrahedra(const F& f) const {
        for (const facetT* facet = qh_.facet_list; facet && facet->next; facet = facet->next) {
            if (facet->upperdelaunay || !facet->simplicial) continue;
            Tetrahedron corners{};
            for (int i = 0; i < 4; ++i) {
                const auto* vertex = static_cast<const vertexT*>(facet->vertices->e[i].p);
                corners[static_cast<std::size_t>(i)] =
                    static_cast<std::uint32_t>((vertex->point - qh_.first_point) / qh_.hull_dim);
            }
            f(corners, facet->toporient != 0);
        }
    }

  private:
    char* text_ = nullptr;
    std::size_t text_size_ = 0;
    std::FILE* log_;
    qhT qh_;
    int code_ = 0;
};

double volume_of(const std::vector<Vec3d>& places, const Tetrahedron& t) {
    const Vec3d a = places[t[0]];
    return dot(places[t[1]] - a, cross(places[t[2]] - a, places[t[3]] - a)) / 6;
}

/// The same order up to an even number of swaps: the lowest number first, then the next, the rest as it must be.
Tetrahedron normal_order(Tetrahedron t) {
    int swaps = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 3; j > i; --j) {
            if (t[j - 1] < t[j]) continue;
            std::swap(t[j - 1], t[j]);
            ++swaps;
        }
    }
    if (swaps % 2) std::swap(t[2], t[3]);
    return t;
}

}  // namespace

std::vector<Tetrahedron> delaunay_tetrahedra(std::span<const Vec3f> points) {
    Sites sites = finite_sites(points);
    if (sites.places.size() < 5 || is_flat(sites.places)) return {};
    std::vector<Tetrahedron> tetrahedra;
    Qhull qhull(sites.places);
    if (qhull.failed()) {
        throw Error(ExitCode::failure, "cannot cut particles into tetrahedra (" + qhull.first_line() +
                                           "); set mesh.tetrahedra to \"lattice\"");
    }
    // Which of Qhull's two orders is the positive one shows in the sum; flat ones could not tell.
    double sum = 0;
    qhull.for_tetrahedra([&](Tetrahedron t, bool turned) {
        if (turned) std::swap(t[2], t[3]);
        sum += volume_of(sites.places, t);
        tetrahedra.push_back(t);
    });
    for (Tetrahedron& t : tetrahedra) {
        if (sum < 0) std::swap(t[2], t[3]);
        for (std::uint32_t& corner : t)
            corner = sites.source[corner];
        t = normal_order(t);
    }
    std::sort(tetrahedra.begin(), tetrahedra.end());
    return tetrahedra;
}

geometry::InterfaceMesh contour_delaunay(std::span<const Vec3f> points, std::span<const std::uint8_t> labels,
                                         std::span<const float> phi, std::span<const float> lead) {
    return contour_tetrahedra(delaunay_tetrahedra(points), points, labels, phi, lead);
}

}  // namespace spindrift::surface
