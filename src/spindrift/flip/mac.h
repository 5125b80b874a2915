#pragma once
// The grid, its walls, its surface and its pressure are shared with other solvers (mac/); here they go by their plain
// names.

namespace spindrift::mac {}

namespace spindrift::flip {

using namespace mac;

}  // namespace spindrift::flip
