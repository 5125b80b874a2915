#pragma once
// What the checks of a scene ask about the shapes that liquid fills, besides emitters/fill.h.
//
//   if (fill_thickness(fill) < spacing) ...

#include "spindrift/emitters/params.h"

namespace spindrift {

/// The smallest of the shape's widths.
double fill_thickness(const emitters::FillParams& fill);
/// Whether the shapes share a volume worth mentioning; found by samples.
bool fills_overlap(const emitters::FillParams& a, const emitters::FillParams& b);

}  // namespace spindrift
