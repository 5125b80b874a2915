#include "spindrift/core/timer.h"

namespace spindrift {

void PhaseTimer::enter(std::string_view name) {
    for (std::size_t child : nodes_[current_].children) {
        if (nodes_[child].name == name) {
            current_ = child;
            return;
        }
    }
    const std::size_t child = nodes_.size();
    nodes_.push_back({.name = std::string(name), .parent = current_, .children = {}});
    nodes_[current_].children.push_back(child);
    current_ = child;
}

void PhaseTimer::leave(double seconds) {
    nodes_[current_].seconds += seconds;
    nodes_[current_].calls += 1;
    current_ = nodes_[current_].parent;
}

double PhaseTimer::seconds(std::string_view path) const {
    double found = 0;
    visit([&](std::string_view p, double s, long) {
        if (p == path) found = s;
    });
    return found;
}

void PhaseTimer::visit(const std::function<void(std::string_view, double, long)>& f) const {
    visit(0, "", f);
}

void PhaseTimer::visit(std::size_t node, const std::string& path,
                       const std::function<void(std::string_view, double, long)>& f) const {
    for (std::size_t child : nodes_[node].children) {
        const std::string child_path = path.empty() ? nodes_[child].name : path + "/" + nodes_[child].name;
        f(child_path, nodes_[child].seconds, nodes_[child].calls);
        visit(child, child_path, f);
    }
}

void PhaseTimer::reset() {
    for (Node& node : nodes_) {
        node.seconds = 0;
        node.calls = 0;
    }
}

}  // namespace spindrift
