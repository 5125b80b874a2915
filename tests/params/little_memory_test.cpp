// Values find no memory in the middle of their copies, at every place where they ask for some.

#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "spindrift/params/value.h"

namespace {

/// Allocations until one fails; none does if it is negative.
long allocations_left = -1;

}  // namespace

// Not inlined: the compiler warns of memory from new that goes to free when it sees one of them and not the other.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
    void* const memory = allocations_left >= 0 && allocations_left-- == 0 ? nullptr : std::malloc(bytes);
    if (!memory) throw std::bad_alloc();
    return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace spindrift {
namespace {

/// With texts that do not fit into strings themselves.
Value nested_tables() {
    Value scene = Value::table();
    for (const char* name : {"a liquid whose name is long", "a collider whose name is long"}) {
        Value entry = Value::table();
        entry.where = {"a/folder/with/a/long/name/scene.toml", 3, 1};
        entry.set("a text that is longer than most", Value("and a value that is longer than most"));
        entry.set("a list that is longer than most",
                  Value(Value::Array{Value(1.0), Value("a text in a list, longer than most"),
                                     Value(Value::Array{Value("a text in a list in a list, longer than most")})}));
        scene.set(name, std::move(entry));
    }
    return scene;
}

/// Lets the first, second, ... allocation of a call fail until it needs no more; the number that failed.
template <class Call>
int fail_each_allocation(const Call& call) {
    for (int failed = 0;; ++failed) {
        allocations_left = failed;
        try {
            call();
            allocations_left = -1;
            return failed;
        } catch (const std::bad_alloc&) {
            allocations_left = -1;
        }
    }
}

TEST(LittleMemory, copies_of_values_end_with_an_exception_and_leave_nothing) {
    const Value scene = nested_tables();
    EXPECT_GT(fail_each_allocation([&] { const Value copy = scene; }), 10);
    EXPECT_GT(fail_each_allocation([&] {
                  Value copy;
                  copy = scene;
              }),
              10);
    EXPECT_GT(fail_each_allocation([&] {
                  Value::Array list{Value(1.0)};
                  list.push_back(scene);
              }),
              10);
    EXPECT_GT(fail_each_allocation([&] {
                  Value table = Value::table();
                  table.set("a key that is longer than most keys", scene);
              }),
              10);
}

}  // namespace
}  // namespace spindrift
