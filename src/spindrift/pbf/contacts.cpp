#include "spindrift/pbf/contacts.h"

#include <algorithm>

#include "spindrift/core/parallel.h"

namespace spindrift::pbf {

void Contacts::find(const ContactPass& pass, std::size_t clusters) {
    starts_.clear();
    fields_.clear();
    pushes_.clear();
    push_count_ = 0;
    if (pass.walls->empty()) return;
    parallel_for(clusters, [&](Range range) {
        mark_near_plain(pass, static_cast<std::uint32_t>(range.first), static_cast<std::uint32_t>(range.last));
    });
    if (pass.walls->fields.empty()) return;
    list(pass, clusters);
    known_.resize(fields_.size() * contact_floats);
    number_pushes(*pass.walls);
}

/// Which fields each cluster is near.
void Contacts::list(const ContactPass& pass, std::size_t clusters) {
    constexpr std::size_t chunk = 256;
    std::vector<std::vector<std::uint16_t>> found((clusters + chunk - 1) / chunk);
    starts_.assign(clusters + 1, 0);
    parallel_for(clusters, chunk, [&](Range range) {
        list_near_fields(pass, static_cast<std::uint32_t>(range.first), static_cast<std::uint32_t>(range.last),
                         found[range.first / chunk], starts_.data() + 1);
    });
    for (std::size_t n = 0; n < clusters; ++n)
        starts_[n + 1] += starts_[n];
    for (const std::vector<std::uint16_t>& part : found)
        fields_.insert(fields_.end(), part.begin(), part.end());
}

void Contacts::number_pushes(const collision::Walls& walls) {
    const auto takes_part = [](const collision::WallField& field) { return field.body >= 0; };
    if (std::none_of(walls.fields.begin(), walls.fields.end(), takes_part)) return;
    pushes_.resize(fields_.size());
    std::int32_t count = 0;
    for (std::size_t k = 0; k < fields_.size(); ++k)
        pushes_[k] = takes_part(walls.fields[fields_[k]]) ? count++ : no_push;
    push_count_ = static_cast<std::size_t>(count);
}

ContactView Contacts::view() {
    return {.starts = starts_.empty() ? nullptr : starts_.data(),
            .field = fields_.data(),
            .push = pushes_.empty() ? nullptr : pushes_.data(),
            .known = known_.data()};
}

}  // namespace spindrift::pbf
