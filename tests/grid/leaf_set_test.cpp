#include "spindrift/grid/leaf_set.h"

#include <vector>

#include <gtest/gtest.h>

#include "spindrift/grid/field.h"

using namespace spindrift;
using grid::LeafSet;

TEST(LeafSet, OrdersLeavesAndCountsRepetitionsOnce) {
    LeafSet leaves;
    leaves.assign(std::vector<Vec3i>{{3, 0, 0}, {-1, -1, -1}, {0, 0, 0}, {3, 0, 0}, {1, 0, 0}});
    ASSERT_EQ(leaves.size(), 5u);
    EXPECT_EQ(leaves.coord(1), (Vec3i{-1, -1, -1}));
    EXPECT_EQ(leaves.coord(2), (Vec3i{0, 0, 0}));
    EXPECT_EQ(leaves.coord(4), (Vec3i{3, 0, 0}));
}

TEST(LeafSet, LinksNeighboursAndPointsToLeafZeroWhereThereIsNone) {
    LeafSet leaves;
    leaves.assign(std::vector<Vec3i>{{0, 0, 0}, {1, 0, 0}, {-1, 0, -1}});
    const auto own = static_cast<std::size_t>(leaves.find({0, 0, 0}));
    const std::int32_t* near = leaves.neighbors(own);
    EXPECT_EQ(near[13], leaves.find({0, 0, 0}));
    EXPECT_EQ(near[14], leaves.find({1, 0, 0}));
    EXPECT_EQ(near[grid::neighbor_index(-1, 0, -1)], leaves.find({-1, 0, -1}));
    EXPECT_EQ(near[12], 0);
    EXPECT_EQ(leaves.find({7, 7, 7}), 0);
}

TEST(LeafSet, IsEmptyWithoutLeaves) {
    LeafSet leaves;
    EXPECT_TRUE(leaves.empty());
    EXPECT_EQ(leaves.size(), 1u);
    leaves.assign(std::vector<Vec3i>{{0, 0, 0}});
    EXPECT_FALSE(leaves.empty());
    leaves.clear();
    EXPECT_TRUE(leaves.empty());
}

TEST(Field, ReachesCellsOfTheLeavesAround) {
    LeafSet leaves;
    leaves.assign(std::vector<Vec3i>{{0, 0, 0}, {1, 0, 0}});
    grid::Field<float> field;
    field.resize(leaves.size(), -5.f);
    const auto a = static_cast<std::size_t>(leaves.find({0, 0, 0}));
    field.leaf(leaves.find({1, 0, 0}))[grid::cell_index(2, 3, 4)] = 7;
    EXPECT_EQ(field.near(leaves, a, {10, 3, 4}), 7);
    EXPECT_EQ(field.near(leaves, a, {-1, 3, 4}), -5);
}
