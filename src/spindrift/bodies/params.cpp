#include "spindrift/bodies/params.h"

namespace spindrift::bodies {

collision::ColliderParams BodyParams::shape() const {
    collision::ColliderParams shape;
    shape.name = name;
    shape.box = box;
    shape.sphere = sphere;
    shape.cylinder = cylinder;
    shape.mesh = mesh;
    shape.scale = scale;
    return shape;
}

void BodyParams::check(const Checker& checker) const {
    checker.exactly_one({{"box", box.has_value()},
                         {"sphere", sphere.has_value()},
                         {"cylinder", cylinder.has_value()},
                         {"capsule", capsule.has_value()},
                         {"sheet", sheet.has_value()},
                         {"mesh", !mesh.empty()}});
    if (box) checker.box("box", *box);
    if (density && mass) checker.problem("mass", "give the density or the mass, not both");
    if (mesh.find('#') != std::string::npos)
        checker.problem("mesh", "a body moves by itself: it needs one file, not a sequence; a collider may have one");
    if (kind == Kind::cloth && mesh.empty() && !sheet)
        checker.problem("kind", "cloth is a 'sheet' or made of the triangles of a 'mesh'");
    if (kind != Kind::cloth && sheet)
        checker.problem("sheet", "a sheet has no thickness: it goes with kind = \"cloth\" only");
    if (kind == Kind::cloth && (density || mass))
        checker.problem(density ? "density" : "mass", "cloth has a mass per area: give cloth.weight instead");
    if (kind == Kind::rigid && !pin.empty()) checker.problem("pin", "only cloth and soft solids can be pinned");
    if (kind != Kind::rigid && hinge) checker.problem("hinge", "only a rigid body can hang on a hinge");
    if (kind != Kind::rigid && motion != Motion::dynamic)
        checker.problem("motion",
                        "cloth and soft solids are moved by forces; pin those of their points that follow keys");
    for (const Box3d& each : pin)
        checker.box("pin", each);
    if (release && motion != Motion::keyed)
        checker.problem("release", "only a body whose motion is \"keyed\" can be let go");
    if (kind == Kind::rigid && motion == Motion::dynamic && (position.moves() || rotation_deg.moves()))
        checker.problem(
            "motion",
            "a dynamic body follows forces, not keys: make motion \"keyed\", and give 'release' if it shall "
            "be let go");
}

}  // namespace spindrift::bodies
