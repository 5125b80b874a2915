#include "spindrift/collision/wet/wet_texels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "spindrift/core/errors.h"

namespace spindrift::collision {

namespace {

/// How often UVs may cover the picture, and how many rows of it triangles may cross, in pictures.
constexpr std::size_t most_layers = 8, most_rows = 64;

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

/// A place in the picture, in pixels from its upper left corner.
struct Point {
    double x, y;
};

class Rasterizer {
  public:
    Rasterizer(const geometry::Mesh& mesh, int resolution, const std::filesystem::path& file)
        : mesh_(mesh), side_(resolution), file_(file), texels_(size(side_) * size(side_)), first_(texels_, nowhere) {}

    std::vector<WetTexel> run() {
        std::vector<std::uint32_t> small;
        for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t) {
            const std::size_t before = places_.size();
            const std::array<Point, 3> corners = corners_of(t);
            if (!is_usable(corners)) continue;
            fill(t, corners);
            if (places_.size() == before) small.push_back(t);
        }
        for (const std::uint32_t t : small)
            mark_middle(t, corners_of(t));
        dilate();
        return std::move(places_);
    }

  private:
    static std::size_t size(int n) { return static_cast<std::size_t>(n); }

    std::array<Point, 3> corners_of(std::uint32_t t) const {
        std::array<Point, 3> corners{};
        for (std::size_t i = 0; i < 3; ++i)
            corners[i] = {mesh_.uv[t][i][0] * double(side_), (1 - double(mesh_.uv[t][i][1])) * side_};
        return corners;
    }

    /// Neither infinite nor so far away that pixels cannot be told apart.
    static bool is_usable(const std::array<Point, 3>& p) {
        constexpr double far = 1e9;
        return std::all_of(p.begin(), p.end(), [](Point q) { return std::abs(q.x) < far && std::abs(q.y) < far; });
    }

    [[noreturn]] void refuse() const {
        throw IoError(IoError::Kind::corrupt, file_,
                      "its texture coordinates cover the picture many times over, so no wet map can be made; unwrap it "
                      "into 0 to 1 without overlaps in your modelling program");
    }

    std::uint32_t texel(double x, double y) const {
        const auto wrapped = [&](double at) {
            const auto rest = static_cast<int>(std::fmod(at, side_));
            return static_cast<std::uint32_t>(rest < 0 ? rest + side_ : rest);
        };
        return wrapped(y) * static_cast<std::uint32_t>(side_) + wrapped(x);
    }

    void add(std::uint32_t at, std::uint32_t triangle, double b, double c) {
        if (places_.size() >= most_layers * texels_) refuse();
        if (first_[at] == nowhere) first_[at] = static_cast<std::uint32_t>(places_.size());
        places_.push_back({at, triangle, static_cast<float>(b), static_cast<float>(c)});
    }

    /// All pixels whose centre is in the triangle, row by row.
    void fill(std::uint32_t t, const std::array<Point, 3>& p) {
        const double area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
        if (area == 0) return;
        const double first = std::ceil(std::min({p[0].y, p[1].y, p[2].y}) - 0.5);
        const double last = std::floor(std::max({p[0].y, p[1].y, p[2].y}) - 0.5);
        rows_ += std::max(0.0, last - first + 1);
        if (rows_ > static_cast<double>(most_rows * texels_ + 16 * mesh_.triangles.size())) refuse();
        for (double row = first; row <= last; ++row)
            fill_row(t, p, row, area);
    }

    void fill_row(std::uint32_t t, const std::array<Point, 3>& p, double row, double area) {
        const double y = row + 0.5;
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (std::size_t i = 0; i < 3; ++i) {
            const Point a = p[i], b = p[(i + 1) % 3];
            if (a.y == b.y || y < std::min(a.y, b.y) || y > std::max(a.y, b.y)) continue;
            const double x = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
            low = std::min(low, x);
            high = std::max(high, x);
        }
        for (double column = std::ceil(low - 0.5); column <= std::floor(high - 0.5); ++column) {
            const double x = column + 0.5;
            const double b = ((x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (y - p[0].y)) / area;
            const double c = ((p[1].x - p[0].x) * (y - p[0].y) - (x - p[0].x) * (p[1].y - p[0].y)) / area;
            const double in_b = std::clamp(b, 0.0, 1.0);
            add(texel(column, row), t, in_b, std::clamp(c, 0.0, 1 - in_b));
        }
    }

    /// Triangles between the centres of pixels still show, unless others do there.
    void mark_middle(std::uint32_t t, const std::array<Point, 3>& p) {
        const std::uint32_t at =
            texel(std::floor((p[0].x + p[1].x + p[2].x) / 3), std::floor((p[0].y + p[1].y + p[2].y) / 3));
        if (first_[at] == nowhere) add(at, t, 1.0 / 3, 1.0 / 3);
    }

    /// Pixels beside those of a triangle show the same place: look-ups near a seam mix them in.
    void dilate() {
        constexpr std::array<std::array<int, 2>, 8> beside{
            {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}};
        const std::vector<std::uint32_t> covered = first_;
        for (int y = 0; y < side_; ++y) {
            for (int x = 0; x < side_; ++x) {
                const std::size_t at = size(y) * size(side_) + size(x);
                for (std::size_t k = 0; k < beside.size() && first_[at] == nowhere; ++k) {
                    const int column = (x + beside[k][0] + side_) % side_, row = (y + beside[k][1] + side_) % side_;
                    const std::uint32_t from = covered[size(row) * size(side_) + size(column)];
                    if (from == nowhere) continue;
                    const WetTexel place = places_[from];
                    first_[at] = from;
                    places_.push_back({static_cast<std::uint32_t>(at), place.triangle, place.b, place.c});
                }
            }
        }
    }

    const geometry::Mesh& mesh_;
    int side_;
    const std::filesystem::path& file_;
    std::size_t texels_;
    std::vector<std::uint32_t> first_;  ///< place of each pixel, or nowhere
    std::vector<WetTexel> places_;
    double rows_ = 0;
};

}  // namespace

std::vector<WetTexel> find_wet_texels(const geometry::Mesh& mesh, int resolution, const std::filesystem::path& file) {
    if (mesh.uv.size() != mesh.triangles.size() || mesh.uv.empty()) {
        throw IoError(IoError::Kind::corrupt, file,
                      "has no texture coordinates, so no wet map can be laid over it; unwrap it in your modelling "
                      "program, or leave wet_map out");
    }
    return Rasterizer(mesh, resolution, file).run();
}

}  // namespace spindrift::collision
