#include "spindrift/whitewater/emission.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"

namespace spindrift::whitewater {

namespace {

constexpr std::uint32_t nobody = 0xffffffff;

/// Moments at which rates between two frames are looked at.
constexpr std::size_t course_points = 5;

/// Finds a frame's particles by id.
class ById {
  public:
    explicit ById(const Liquid& liquid) : ids_(liquid.id) {
        if (ids_.empty()) return;
        const auto [lo, hi] = std::minmax_element(ids_.begin(), ids_.end());
        low_ = std::max<std::int64_t>(0, *lo);
        if (*hi < low_) return;
        const auto range = static_cast<std::uint64_t>(*hi - low_) + 1;
        if (range < 8 * ids_.size() + 4096) {
            table_.assign(range, nobody);
            for (std::uint32_t i = 0; i < ids_.size(); ++i) {
                if (ids_[i] >= low_) table_[static_cast<std::size_t>(ids_[i] - low_)] = i;
            }
            return;
        }
        for (std::uint32_t i = 0; i < ids_.size(); ++i)
            sorted_.emplace_back(ids_[i], i);
        std::sort(sorted_.begin(), sorted_.end());
    }

    std::uint32_t find(std::int64_t id) const {
        if (!table_.empty()) {
            const auto place = static_cast<std::uint64_t>(id - low_);
            return id >= low_ && place < table_.size() ? table_[place] : nobody;
        }
        const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{id, std::uint32_t{0}});
        return found != sorted_.end() && found->first == id ? found->second : nobody;
    }

  private:
    ConstChannel<std::int64_t> ids_;
    std::int64_t low_ = 0;
    std::vector<std::uint32_t> table_;
    std::vector<std::pair<std::int64_t, std::uint32_t>> sorted_;
};

/// One particle of liquid between two frames, in one of them or in both.
struct Parent {
    std::uint32_t before = nobody, after = nobody;
};

class Emission {
  public:
    Emission(const EmissionSetup& setup, const WhitewaterParams& params)
        : setup_(setup),
          amount_(0.5 * (params.amount.at(setup.before.liquid.frame) + params.amount.at(setup.after.liquid.frame))),
          scatter_(static_cast<float>(params.spray.scatter)) {
        find_parents();
    }

    const std::vector<Parent>& parents() const { return parents_; }

    /// Expected births, by cause.
    std::array<double, potential_count> expected(const Parent& parent) const { return course(parent).by_cause; }

    void bear(const Parent& parent, std::vector<Birth>& births) const {
        const Course over_time = course(parent);
        const std::int64_t id = id_of(parent);
        const std::uint64_t own = hash_counter(setup_.seed, static_cast<std::uint64_t>(id),
                                               static_cast<std::uint64_t>(std::lround(setup_.after.liquid.frame)));
        const double wanted = over_time.total();
        const auto count = static_cast<std::uint64_t>(wanted + uniform(hash_counter(own, 0, 9)));
        for (std::uint64_t k = 0; k < count; ++k)
            births.push_back(birth(parent, over_time, own, {k, count}));
    }

  private:
    static const Giver& giver(const Giving& giving, std::uint32_t particle) {
        return giving.rates->givers[giving.rates->row[particle]];
    }

    /// One of the two may not be near giving: all that is known is that its potentials are small.
    static Giver between(const Giver& a, const Giver& b, float s) {
        if (a.energy > 0 && b.energy > 0) return Giver::between(a, b, s);
        Giver rest = a.energy > 0 ? a : b;
        rest.value = {};
        return a.energy > 0 ? Giver::between(a, rest, s) : Giver::between(rest, b, s);
    }

    /// Shares of the volume that a parent gives in a second at a share of the time between the frames.
    std::array<float, potential_count> rates(const Parent& parent, float s) const {
        const RateLaw &first = setup_.before.rates->law, &second = setup_.after.rates->law;
        std::array<float, potential_count> sum{};
        const auto add = [&](const RateLaw& law, const Giver& at, float share) {
            const std::array<float, potential_count> each = law(at);
            for (std::size_t k = 0; k < potential_count; ++k)
                sum[k] += share * each[k];
        };
        if (parent.before != nobody && parent.after != nobody) {
            const Giver at = between(giver(setup_.before, parent.before), giver(setup_.after, parent.after), s);
            add(first, at, 1 - s);
            add(second, at, s);
        } else if (parent.before != nobody) {
            add(first, giver(setup_.before, parent.before), 1 - s);
        } else {
            add(second, giver(setup_.after, parent.after), s);
        }
        return sum;
    }

    /// How a parent's rate goes on between the frames.
    struct Course {
        std::array<double, course_points> rate{};  ///< births, if it were like this all the time
        std::array<double, potential_count> by_cause{};

        double total() const { return std::accumulate(by_cause.begin(), by_cause.end(), 0.0); }
        /// The moment at which a share u of all births has come.
        float moment(double u) const;
    };

    Course course(const Parent& parent) const {
        Course out;
        const double each = setup_.span * amount_ * volume_of(parent) / setup_.volume;
        for (std::size_t j = 0; j < course_points; ++j) {
            const std::array<float, potential_count> rate =
                rates(parent, static_cast<float>(j) / static_cast<float>(course_points - 1));
            const double weight =
                (j == 0 || j + 1 == course_points ? 0.5 : 1.0) / static_cast<double>(course_points - 1);
            for (std::size_t k = 0; k < potential_count; ++k) {
                out.rate[j] += each * rate[k];
                out.by_cause[k] += each * weight * rate[k];
            }
        }
        return out;
    }

    /// All that give anything at one of the frames.
    void find_parents() {
        const Liquid &before = setup_.before.liquid, &after = setup_.after.liquid;
        const ById in_after(after), in_before(before);
        const std::vector<std::uint32_t>&rows_before = setup_.before.rates->row, &rows_after = setup_.after.rates->row;
        for (std::uint32_t i = 0; i < before.x.size(); ++i) {
            if (rows_before[i] != 0) parents_.push_back({i, before.id.empty() ? nobody : in_after.find(before.id[i])});
        }
        for (std::uint32_t j = 0; j < after.x.size(); ++j) {
            if (rows_after[j] == 0) continue;
            const std::uint32_t i = after.id.empty() ? nobody : in_before.find(after.id[j]);
            if (i == nobody || rows_before[i] == 0) parents_.push_back({i, j});
        }
    }

    std::int64_t id_of(const Parent& parent) const {
        const Liquid& liquid = parent.before != nobody ? setup_.before.liquid : setup_.after.liquid;
        const std::uint32_t i = parent.before != nobody ? parent.before : parent.after;
        return liquid.id.empty() ? static_cast<std::int64_t>(i) : liquid.id[i];
    }

    double spacing_of(const Parent& parent) const {
        const Liquid& liquid = parent.before != nobody ? setup_.before.liquid : setup_.after.liquid;
        const std::uint32_t i = parent.before != nobody ? parent.before : parent.after;
        const std::size_t kind = liquid.phase.empty() ? 0 : liquid.phase[i];
        return liquid.cells->spacing(liquid.cells->class_of(kind));
    }
    double volume_of(const Parent& parent) const {
        const double d = spacing_of(parent);
        return d * d * d;
    }

    struct Moving {
        Vec3f x, v;
    };
    Moving place(const Parent& parent, float s) const {
        const auto span = static_cast<float>(setup_.span);
        const Liquid &a = setup_.before.liquid, &b = setup_.after.liquid;
        if (parent.after == nobody) return {a.x[parent.before] + a.v[parent.before] * (s * span), a.v[parent.before]};
        const Vec3f x1 = b.x[parent.after], v1 = b.v[parent.after];
        if (parent.before == nobody) return {x1 - v1 * ((1 - s) * span), v1};
        const Vec3f x0 = a.x[parent.before], v0 = a.v[parent.before], way = x1 - x0;
        const float t = 1 - s;
        const Vec3f x = x0 + way * (s * s * (3 - 2 * s)) + v0 * (span * s * t * t) - v1 * (span * s * s * t);
        return {x, v0 * t + v1 * s};
    }

    static std::uint8_t cause_of(const Course& over_time, float u) {
        const std::array<double, potential_count>& shares = over_time.by_cause;
        double left = static_cast<double>(u) * over_time.total();
        for (std::size_t k = 0; k < potential_count; ++k) {
            if (shares[k] > 0 && left < shares[k]) return static_cast<std::uint8_t>(k);
            left -= shares[k];
        }
        return static_cast<std::uint8_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
    }

    /// One of several.
    struct Which {
        std::uint64_t number, count;
    };
    Birth birth(const Parent& parent, const Course& over_time, std::uint64_t own, Which which) const {
        const auto random = [&](std::uint64_t draw) { return uniform(hash_counter(own, which.number + 1, draw)); };
        Birth born;
        // Each has a part of the time of its own: several of one parent lie evenly on its path.
        born.share = over_time.moment((static_cast<double>(which.number) + static_cast<double>(random(0))) /
                                      static_cast<double>(which.count));
        const Moving at = place(parent, born.share);
        const float speed = length(at.v);
        const Vec3f along = speed > 0 ? at.v / speed : Vec3f{0, 1, 0};
        const Vec3f aside = normalize(cross(along, std::abs(along.y) < 0.9f ? Vec3f{0, 1, 0} : Vec3f{1, 0, 0}));
        const float angle = 2 * std::numbers::pi_v<float> * random(1), out = std::sqrt(random(2));
        const Vec3f radial = (aside * std::cos(angle) + cross(along, aside) * std::sin(angle)) * out;
        born.from = at.x;
        born.x = at.x + radial * static_cast<float>(0.5 * spacing_of(parent));
        born.v = at.v + radial * (scatter_ * speed);
        born.cause = cause_of(over_time, random(4));
        born.source = id_of(parent);
        const Giving& giving = parent.before != nobody ? setup_.before : setup_.after;
        const std::uint32_t particle = parent.before != nobody ? parent.before : parent.after;
        if (particle < giving.liquid.color.size()) born.color = giving.liquid.color[particle];
        return born;
    }

    const EmissionSetup& setup_;
    double amount_;
    float scatter_;
    std::vector<Parent> parents_;
};

float Emission::Course::moment(double u) const {
    // Rates are straight lines between the points.
    double left = u * total();
    constexpr double step = 1.0 / (course_points - 1);
    for (std::size_t j = 0; j + 1 < course_points; ++j) {
        const double a = rate[j], b = rate[j + 1], here = 0.5 * step * (a + b);
        if (left >= here && j + 2 < course_points) {
            left -= here;
            continue;
        }
        const double share = here > 0 ? std::clamp(left / here, 0.0, 1.0) : 0.5;
        const double at = std::abs(b - a) < 1e-6 * (a + b)
                              ? share
                              : (std::sqrt(std::max(0.0, a * a + share * (b * b - a * a))) - a) / (b - a);
        return static_cast<float>(std::clamp((static_cast<double>(j) + at) * step, 0.0, 1.0));
    }
    return 1;
}

}  // namespace

std::array<double, potential_count> expected_births(const EmissionSetup& setup, const WhitewaterParams& params) {
    const Emission emission(setup, params);
    std::array<double, potential_count> sum{};
    for (const Parent& parent : emission.parents()) {
        const std::array<double, potential_count> each = emission.expected(parent);
        for (std::size_t k = 0; k < potential_count; ++k)
            sum[k] += each[k];
    }
    return sum;
}

std::vector<Birth> emit(const EmissionSetup& setup, const WhitewaterParams& params) {
    const Emission emission(setup, params);
    const std::vector<Parent>& parents = emission.parents();
    constexpr std::size_t piece = 2048;
    std::vector<std::vector<Birth>> pieces(chunk_count(parents.size(), piece));
    parallel_for(pieces.size(), 1, [&](Range range) {
        for (const std::size_t p : range) {
            for (const std::size_t k : chunk_range(p, parents.size(), piece))
                emission.bear(parents[k], pieces[p]);
            if (setup.is_allowed)
                std::erase_if(pieces[p], [&](const Birth& born) { return !setup.is_allowed(born.x); });
        }
    });
    std::vector<Birth> births;
    for (std::vector<Birth>& each : pieces) {
        births.insert(births.end(), each.begin(), each.end());
        each = {};
    }
    return births;
}

}  // namespace spindrift::whitewater
