#include "spindrift/collision/wet/contact_grid.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace spindrift::collision {

namespace {

bool before(Vec3i a, Vec3i b) {
    return std::tie(a.z, a.y, a.x) < std::tie(b.z, b.y, b.x);
}

float squared_distance(const Box3f& box, Vec3f p) {
    const Vec3f away = max(max(box.lo - p, p - box.hi), Vec3f{});
    return dot(away, away);
}

bool are_apart(const Box3f& a, const Box3f& b) {
    return a.lo.x > b.hi.x || a.lo.y > b.hi.y || a.lo.z > b.hi.z || a.hi.x < b.lo.x || a.hi.y < b.lo.y ||
           a.hi.z < b.lo.z;
}

}  // namespace

ContactGrid::ContactGrid(std::span<const Contact> contacts) {
    if (contacts.empty()) return;
    float squared = 0;
    bounds_ = {contacts[0].at, contacts[0].at};
    for (const Contact& each : contacts) {
        squared = std::max(squared, each.squared);
        bounds_ = {min(bounds_.lo, each.at), max(bounds_.hi, each.at)};
    }
    radius_ = std::sqrt(squared);
    const Vec3f reach{radius_, radius_, radius_};
    bounds_ = {bounds_.lo - reach, bounds_.hi + reach};
    cells_.reserve(contacts.size());
    for (const Contact& each : contacts)
        cells_.push_back({cell_of(each.at), each});
    std::stable_sort(cells_.begin(), cells_.end(),
                     [](const Entry& a, const Entry& b) { return before(a.cell, b.cell); });
}

/// Cells are as wide as the largest ball.
Vec3i ContactGrid::cell_of(Vec3f p) const {
    const Vec3f q = (p - bounds_.lo) / (2 * radius_);
    return vec_cast<std::int32_t>(Vec3f{std::floor(q.x), std::floor(q.y), std::floor(q.z)});
}

void ContactGrid::find(const Box3f& box, std::vector<Contact>& found) const {
    found.clear();
    if (cells_.empty() || are_apart(box, bounds_)) return;
    const Vec3f reach{radius_, radius_, radius_};
    const Vec3i lo = cell_of(max(box.lo, bounds_.lo) - reach), hi = cell_of(min(box.hi, bounds_.hi) + reach);
    for (std::int32_t z = lo.z; z <= hi.z; ++z) {
        for (std::int32_t y = lo.y; y <= hi.y; ++y) {
            auto entry = std::lower_bound(cells_.begin(), cells_.end(), Vec3i{lo.x, y, z},
                                          [](const Entry& e, Vec3i cell) { return before(e.cell, cell); });
            for (; entry != cells_.end() && !before({hi.x, y, z}, entry->cell); ++entry) {
                if (squared_distance(box, entry->contact.at) <= entry->contact.squared) found.push_back(entry->contact);
            }
        }
    }
}

bool ContactGrid::touches(std::span<const Contact> contacts, Vec3f place) {
    return std::any_of(contacts.begin(), contacts.end(), [&](const Contact& each) {
        const Vec3f away = each.at - place;
        return dot(away, away) <= each.squared;
    });
}

}  // namespace spindrift::collision
