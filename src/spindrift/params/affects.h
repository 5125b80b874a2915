#pragma once
// Which results a parameter changes, and copies of described structs that hold no others.
//
//   Scene inputs = only_affecting(scene, Affects::surface);     // all that does not change meshes is as if not given
//   take_affecting(simulated, edited, Affects::look);           // the new look of a scene that was simulated before
//
// A table says it for those of its members that say nothing. Whoever says nothing at all changes the simulation.

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "spindrift/params/info.h"

namespace spindrift {

namespace params_detail {

template <Described T>
Affects affects_of(Affects inherited);

/// Of a value or a table, with all that is in it.
template <class T>
Affects affects_of_member(Affects own) {
    if constexpr (Described<T>)
        return affects_of<T>(own);
    else if constexpr (holds_struct<T>)
        return affects_of<typename T::value_type>(own);
    else
        return own;
}

constexpr Affects said_or(Affects said, Affects inherited) {
    return said == Affects::unsaid ? inherited : said;
}

/// Joins what members affect.
struct AffectsSum {
    Affects inherited;
    Affects any = Affects::unsaid;

    template <class T>
    void operator()(std::string_view, const T&, const ParamInfo& info) {
        any = any | affects_of_member<T>(said_or(info.affects, inherited));
    }
};

template <Described T>
Affects affects_of(Affects inherited) {
    AffectsSum sum{inherited};
    const T initial{};
    T::describe(initial, sum);
    return sum.any;
}

/// Where the members of a struct are, in the order of the description.
struct Members {
    std::vector<const void*> places;

    template <class T>
    void operator()(std::string_view, const T& member, const ParamInfo&) {
        places.push_back(&member);
    }
};

template <Described T>
Members members_of(const T& object) {
    Members members;
    T::describe(object, members);
    return members;
}

/// Visits two structs of one type side by side: members that affect `what` are left alone or taken from the other one.
class Sieve {
  public:
    enum class Rule {
        reset_others,  ///< who does not affect it is as in the other one
        take,          ///< who affects it is as in the other one
    };

    template <Described T>
    static void run(T& object, const T& other, Affects what, Rule rule, Affects inherited) {
        const Members members = members_of(other);
        Sieve sieve(members, what, rule, inherited);
        T::describe(object, sieve);
    }

    template <class T>
    void operator()(std::string_view, T& member, const ParamInfo& info) {
        const T& other = *static_cast<const T*>(others_.places[next_++]);
        const Affects own = said_or(info.affects, inherited_);
        if constexpr (holds_struct<T>) {
            const Affects inside = affects_of_member<T>(own);
            if (intersects(inside, what_) && inside != what_) return go_into(member, other, own);
        }
        const bool affects = intersects(affects_of_member<T>(own), what_);
        if (affects == (rule_ == Rule::take)) member = other;
    }

  private:
    Sieve(const Members& others, Affects what, Rule rule, Affects inherited)
        : others_(others), what_(what), rule_(rule), inherited_(inherited) {}

    template <class T>
    void go_into(T& member, const T& other, Affects own) const {
        if constexpr (Described<T>) {
            run(member, other, what_, rule_, own);
        } else if constexpr (is_optional<T>) {
            if (member) run_item(*member, other ? &*other : nullptr, own);
        } else {
            for (std::size_t i = 0; i < member.size(); ++i)
                run_item(member[i], i < other.size() ? &other[i] : nullptr, own);
        }
    }

    /// What the other one does not have is compared with its defaults, and not replaced by them.
    template <Described T>
    void run_item(T& item, const T* other, Affects own) const {
        if (other && rule_ == Rule::take) run(item, *other, what_, rule_, own);
        if (rule_ == Rule::reset_others) run(item, T{}, what_, rule_, own);
    }

    const Members& others_;
    Affects what_;
    Rule rule_;
    Affects inherited_;
    std::size_t next_ = 0;
};

}  // namespace params_detail

/// A copy in which parameters that do not affect `what` have their defaults.
template <Described T>
T only_affecting(T params, Affects what) {
    using params_detail::Sieve;
    Sieve::run(params, T{}, what, Sieve::Rule::reset_others, Affects::simulation);
    return params;
}

/// Takes over the parameters that affect `what`. Of lists whose items affect other things as well, those items that
/// both have.
template <Described T>
void take_affecting(T& params, const T& from, Affects what) {
    using params_detail::Sieve;
    Sieve::run(params, from, what, Sieve::Rule::take, Affects::simulation);
}

}  // namespace spindrift
