#include "spindrift/whitewater/emission.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "spindrift/core/parallel.h"
#include "spindrift/core/random.h"

namespace spindrift::whitewater {

namespace {

constexpr std::uint32_t nobody = 0xffffffff;

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

    /// Births per second at the two frames.
    std::array<double, 2> rates(const Parent& parent) const {
        const double per_volume = amount_ * volume_of(parent) / setup_.volume;
        return {parent.before == nobody ? 0 : per_volume * setup_.before.rates->of(parent.before),
                parent.after == nobody ? 0 : per_volume * setup_.after.rates->of(parent.after)};
    }

    std::array<double, potential_count> expected(const Parent& parent) const {
        std::array<double, potential_count> sum{};
        const double each = 0.5 * setup_.span * amount_ * volume_of(parent) / setup_.volume;
        for (std::size_t k = 0; k < potential_count; ++k) {
            if (parent.before != nobody) sum[k] += each * row(setup_.before, parent.before)[k];
            if (parent.after != nobody) sum[k] += each * row(setup_.after, parent.after)[k];
        }
        return sum;
    }

    void bear(const Parent& parent, std::vector<Birth>& births) const {
        const std::array<double, 2> rate = rates(parent);
        const std::int64_t id = id_of(parent);
        const std::uint64_t own = hash_counter(setup_.seed, static_cast<std::uint64_t>(id),
                                               static_cast<std::uint64_t>(std::lround(setup_.after.liquid.frame)));
        const double wanted = 0.5 * setup_.span * (rate[0] + rate[1]);
        const auto count = static_cast<std::uint64_t>(wanted + uniform(hash_counter(own, 0, 9)));
        for (std::uint64_t k = 0; k < count; ++k)
            births.push_back(birth(parent, rate, own, k));
    }

  private:
    static const std::array<float, potential_count>& row(const Giving& giving, std::uint32_t particle) {
        return giving.rates->rate[giving.rates->row[particle]];
    }

    /// All that give anything at one of the frames.
    void find_parents() {
        const Liquid &before = setup_.before.liquid, &after = setup_.after.liquid;
        const ById in_after(after), in_before(before);
        for (std::uint32_t i = 0; i < before.x.size(); ++i) {
            Parent parent{i, before.id.empty() ? nobody : in_after.find(before.id[i])};
            const bool gives = setup_.before.rates->row[i] != 0 ||
                               (parent.after != nobody && setup_.after.rates->row[parent.after] != 0);
            if (gives) parents_.push_back(parent);
        }
        for (std::uint32_t j = 0; j < after.x.size(); ++j) {
            if (setup_.after.rates->row[j] == 0) continue;
            if (after.id.empty() || in_before.find(after.id[j]) == nobody) parents_.push_back({nobody, j});
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

    /// The moment at which a share u of what a linear rate gives has come.
    static float moment(const std::array<double, 2>& rate, double u) {
        const double a = rate[0], b = rate[1];
        if (std::abs(b - a) < 1e-6 * (a + b)) return static_cast<float>(u);
        return static_cast<float>(std::clamp((std::sqrt(a * a + u * (b * b - a * a)) - a) / (b - a), 0.0, 1.0));
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

    std::uint8_t cause_of(const Parent& parent, float u) const {
        std::array<double, potential_count> shares = expected(parent);
        double sum = 0;
        for (const double share : shares)
            sum += share;
        double left = static_cast<double>(u) * sum;
        for (std::size_t k = 0; k < potential_count; ++k) {
            if (shares[k] > 0 && left < shares[k]) return static_cast<std::uint8_t>(k);
            left -= shares[k];
        }
        return static_cast<std::uint8_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
    }

    Birth birth(const Parent& parent, const std::array<double, 2>& rate, std::uint64_t own, std::uint64_t k) const {
        const auto random = [&](std::uint64_t draw) { return uniform(hash_counter(own, k + 1, draw)); };
        Birth born;
        born.share = moment(rate, random(0));
        const Moving at = place(parent, born.share);
        const float speed = length(at.v);
        const Vec3f along = speed > 0 ? at.v / speed : Vec3f{0, 1, 0};
        const Vec3f aside = normalize(cross(along, std::abs(along.y) < 0.9f ? Vec3f{0, 1, 0} : Vec3f{1, 0, 0}));
        const float angle = 2 * std::numbers::pi_v<float> * random(1), out = std::sqrt(random(2));
        const Vec3f radial = (aside * std::cos(angle) + cross(along, aside) * std::sin(angle)) * out;
        born.from = at.x;
        born.x = at.x + radial * static_cast<float>(0.5 * spacing_of(parent));
        born.v = at.v + radial * (scatter_ * speed);
        born.random = random(3);
        born.cause = cause_of(parent, random(4));
        born.source = id_of(parent);
        return born;
    }

    const EmissionSetup& setup_;
    double amount_;
    float scatter_;
    std::vector<Parent> parents_;
};

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
    std::vector<Birth> births;
    for (const Parent& parent : emission.parents())
        emission.bear(parent, births);
    if (setup.is_allowed) std::erase_if(births, [&](const Birth& born) { return !setup.is_allowed(born.x); });
    return births;
}

}  // namespace spindrift::whitewater
