#include "spindrift/bodies/contact_solver.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <btBulletDynamicsCommon.h>

namespace spindrift::bodies {

namespace {

using geometry::Pose;

/// Enough for stacks of half a dozen bodies without starting from the impulses of the step before.
constexpr int iterations = 60;
/// Slower things do not bounce: they could not come to rest.
constexpr double slowest_bounce = 0.1;
/// Contacts are known from this share of a body's size before it touches.
constexpr double contact_reach = 0.02;

btVector3 to_bullet(Vec3d v) {
    return {v.x, v.y, v.z};
}

Vec3d from_bullet(const btVector3& v) {
    return {v.x(), v.y(), v.z()};
}

btTransform to_bullet(const Pose& pose) {
    return btTransform(
        btMatrix3x3(pose.x.x, pose.y.x, pose.z.x, pose.x.y, pose.y.y, pose.z.y, pose.x.z, pose.y.z, pose.z.z),
        to_bullet(pose.position));
}

Pose from_bullet(const btTransform& transform) {
    const btMatrix3x3& m = transform.getBasis();
    return {from_bullet(transform.getOrigin()), from_bullet(m.getColumn(0)), from_bullet(m.getColumn(1)),
            from_bullet(m.getColumn(2))};
}

/// Corners that may touch a plane; of a cylinder four on each rim, the lowest one first.
std::vector<Vec3d> corners_towards(const RigidShape& shape, Vec3d normal) {
    if (!shape.ends) return shape.corners;
    Vec3d down{-normal.x, 0, -normal.z};
    down = length(down) > 1e-9 ? normalize(down) : Vec3d{1, 0, 0};
    const Vec3d side{down.z, 0, -down.x};
    std::vector<Vec3d> corners;
    for (const double y : {-shape.ends->half_length, shape.ends->half_length}) {
        for (const Vec3d& direction : {down, side, -down, -side})
            corners.push_back(Vec3d{0, y, 0} + direction * shape.ends->radius);
    }
    return corners;
}

/// Discrete steps as Bullet makes them, but with contacts that are complete at once and bounce as they should.
class OneStepWorld : public btDiscreteDynamicsWorld {
  public:
    OneStepWorld(const ContactStep& step, btDispatcher* dispatcher, btBroadphaseInterface* pairs,
                 btConstraintSolver* solver, btCollisionConfiguration* configuration)
        : btDiscreteDynamicsWorld(dispatcher, pairs, solver, configuration), step_(step) {}

    void advance() { internalSingleStepSimulation(step_.dt); }

    void performDiscreteCollisionDetection() override {
        btDiscreteDynamicsWorld::performDiscreteCollisionDetection();
        for (int m = 0; m < getDispatcher()->getNumManifolds(); ++m)
            refine(*getDispatcher()->getManifoldByIndexInternal(m));
    }

    const ContactBody* body(const btCollisionObject* object) const {
        const int place = object->getUserIndex();
        return place < 0 ? nullptr : &step_.bodies[static_cast<std::size_t>(place)];
    }

  private:
    // They would take the speed that a body needs to bounce with; sweeps stop it at the surface instead.
    void createPredictiveContacts(btScalar) override {}

    const Obstacle* obstacle(const btCollisionObject* object) const {
        const int place = object->getUserIndex();
        return place >= 0 ? nullptr : &step_.obstacles[static_cast<std::size_t>(-1 - place)];
    }

    void refine(btPersistentManifold& manifold) {
        const btCollisionObject *a = manifold.getBody0(), *b = manifold.getBody1();
        if (const Obstacle* o = obstacle(b); o && o->plane) touch_plane(manifold, *body(a), *o->plane, false);
        if (const Obstacle* o = obstacle(a); o && o->plane) touch_plane(manifold, *body(b), *o->plane, true);
        const ContactBody *first = body(a), *second = body(b);
        const double restitution = first && second ? std::sqrt(first->restitution * second->restitution)
                                                   : (first ? first : second)->restitution;
        const double friction = std::sqrt((first ? first->grip : obstacle_grip) * (second ? second->grip : obstacle_grip));
        for (int p = 0; p < manifold.getNumContacts(); ++p) {
            btManifoldPoint& point = manifold.getContactPoint(p);
            point.m_combinedRestitution = restitution;
            point.m_combinedFriction = friction;
            if (restitution > 0) bounce(point, *btRigidBody::upcast(a), *btRigidBody::upcast(b));
        }
    }

    /// Bullet lets a body that is about to touch go on to the surface, and takes that speed from its bounce.
    void bounce(btManifoldPoint& point, const btRigidBody& a, const btRigidBody& b) const {
        const btVector3 va = a.getVelocityInLocalPoint(point.getPositionWorldOnA() - a.getCenterOfMassPosition());
        const btVector3 vb = b.getVelocityInLocalPoint(point.getPositionWorldOnB() - b.getCenterOfMassPosition());
        const double closing = -point.m_normalWorldOnB.dot(va - vb);
        if (closing > slowest_bounce && point.getDistance() > 0 && closing * step_.dt > point.getDistance())
            point.setDistance(0);
    }

    /// Bullet finds one point of a body on a plane; here are all corners.
    void touch_plane(btPersistentManifold& manifold, const ContactBody& body, const collision::PlaneShape& plane,
                     bool plane_first) const {
        if (body.shape->corners.empty() && !body.shape->ends) return;
        manifold.clearManifold();
        for (const Vec3d& corner : corners_towards(*body.shape, body.frame.turn_back(plane.normal))) {
            const Vec3d p = body.frame.to_world(corner);
            const double distance = dot(p - plane.point, plane.normal);
            if (distance > contact_reach * body.shape->reach) continue;
            const Vec3d on_plane = p - plane.normal * distance;
            const Vec3d at[2] = {plane_first ? on_plane : p, plane_first ? p : on_plane};
            const Vec3d local[2] = {plane_first ? on_plane : corner, plane_first ? corner : on_plane};
            btManifoldPoint point(to_bullet(local[0]), to_bullet(local[1]),
                                  to_bullet(plane_first ? -plane.normal : plane.normal), distance);
            point.m_positionWorldOnA = to_bullet(at[0]);
            point.m_positionWorldOnB = to_bullet(at[1]);
            manifold.addManifoldPoint(point);
        }
    }

    ContactStep step_;
};

/// All that Bullet needs for a step, in the order in which it may be taken down again.
class Stage {
  public:
    explicit Stage(const ContactStep& step)
        : configuration_(construction()),
          dispatcher_(&configuration_),
          anchor_(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, nullptr)),
          world_(step, &dispatcher_, &pairs_, &solver_, &configuration_) {
        configuration_.setConvexConvexMultipointIterations(3, 3);
        world_.setGravity({0, 0, 0});
        world_.getDispatchInfo().m_deterministicOverlappingPairs = true;
        for (std::size_t i = 0; i < step.bodies.size(); ++i)
            add(step.bodies[i], static_cast<int>(i), step.dt);
        for (std::size_t k = 0; k < step.obstacles.size(); ++k)
            add(step.obstacles[k], -1 - static_cast<int>(k));
        set_solver(world_.getSolverInfo());
    }
    ~Stage() {
        for (const auto& hinge : hinges_)
            world_.removeConstraint(hinge.get());
        for (const auto& body : bodies_)
            world_.removeRigidBody(body.get());
    }
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    OneStepWorld& world() { return world_; }
    const btRigidBody& body(std::size_t place) const { return *bodies_[place]; }

  private:
    static btDefaultCollisionConstructionInfo construction() {
        btDefaultCollisionConstructionInfo info;
        info.m_defaultMaxPersistentManifoldPoolSize = 64;
        info.m_defaultMaxCollisionAlgorithmPoolSize = 64;
        return info;
    }

    static void set_solver(btContactSolverInfo& info) {
        info.m_numIterations = iterations;
        info.m_splitImpulse = true;
        info.m_splitImpulsePenetrationThreshold = 0;
        info.m_restitutionVelocityThreshold = slowest_bounce;
        // The flag of warm starting makes Bullet tell the impulses; contacts are new in every step and start from none.
        info.m_solverMode = SOLVER_USE_WARMSTARTING | SOLVER_USE_2_FRICTION_DIRECTIONS;
    }

    btRigidBody& add(btCollisionShape* shape, double mass, Vec3d moment, const Pose& pose, int place) {
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, to_bullet(moment));
        info.m_startWorldTransform = to_bullet(pose);
        bodies_.push_back(std::make_unique<btRigidBody>(info));
        btRigidBody& body = *bodies_.back();
        body.setUserIndex(place);
        body.setFlags(0);  // the turning of a spinning body's axis is done outside
        body.setActivationState(DISABLE_DEACTIVATION);
        if (mass == 0) body.setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
        return body;
    }

    void add(const ContactBody& part, int place, double dt) {
        btRigidBody& body = add(part.shape->whole(), part.mass, part.shape->moment, part.frame, place);
        body.setLinearVelocity(to_bullet(part.velocity.linear));
        body.setAngularVelocity(to_bullet(part.velocity.angular));
        body.setCcdMotionThreshold(0.3 * part.shape->thinnest);
        body.setCcdSweptSphereRadius(0.3 * part.shape->thinnest);
        world_.addRigidBody(&body);
        if (part.hinge && part.mass > 0) add(*part.hinge, body, dt);
    }

    void add(const Obstacle& obstacle, int place) {
        if (!obstacle.shape) return;
        btRigidBody& body = add(obstacle.shape, 0, {}, obstacle.pose, place);
        body.setLinearVelocity(to_bullet(obstacle.velocity.linear));
        body.setAngularVelocity(to_bullet(obstacle.velocity.angular));
        world_.addRigidBody(&body);
    }

    void add(const HingePlace& place, btRigidBody& body, double dt) {
        hinges_.push_back(std::make_unique<btHingeConstraint>(body, anchor_, to_bullet(place.point_in_body),
                                                              to_bullet(place.point), to_bullet(place.axis_in_body),
                                                              to_bullet(place.axis)));
        if (place.friction > 0) hinges_.back()->enableAngularMotor(true, 0, place.friction * dt);
        world_.addConstraint(hinges_.back().get());
    }

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase pairs_;
    btSequentialImpulseConstraintSolver solver_;
    btRigidBody anchor_;  ///< the world, as hinges see it
    OneStepWorld world_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    std::vector<std::unique_ptr<btHingeConstraint>> hinges_;
};

std::vector<BodyContact> contacts_of(OneStepWorld& world) {
    std::vector<BodyContact> contacts;
    for (int m = 0; m < world.getDispatcher()->getNumManifolds(); ++m) {
        const btPersistentManifold& manifold = *world.getDispatcher()->getManifoldByIndexInternal(m);
        const ContactBody *a = world.body(manifold.getBody0()), *b = world.body(manifold.getBody1());
        for (int p = 0; p < manifold.getNumContacts(); ++p) {
            const btManifoldPoint& point = manifold.getContactPoint(p);
            if (point.getAppliedImpulse() <= 0) continue;
            BodyContact contact;
            contact.a = a ? a->number : -1;
            contact.b = b ? b->number : -1;
            contact.point = (from_bullet(point.getPositionWorldOnA()) + from_bullet(point.getPositionWorldOnB())) * 0.5;
            contact.normal = from_bullet(point.m_normalWorldOnB);
            contact.impulse = point.getAppliedImpulse();
            contacts.push_back(contact);
        }
    }
    return contacts;
}

}  // namespace

ContactOutcome solve_contacts(const ContactStep& step) {
    Stage stage(step);
    stage.world().advance();
    ContactOutcome outcome;
    for (std::size_t i = 0; i < step.bodies.size(); ++i) {
        const btRigidBody& body = stage.body(i);
        outcome.frames.push_back(from_bullet(body.getWorldTransform()));
        outcome.velocities.push_back({from_bullet(body.getLinearVelocity()), from_bullet(body.getAngularVelocity())});
    }
    outcome.contacts = contacts_of(stage.world());
    return outcome;
}

std::vector<Overlap> find_overlaps(const ContactStep& step) {
    Stage stage(step);
    stage.world().performDiscreteCollisionDetection();
    std::vector<Overlap> overlaps;
    for (int m = 0; m < stage.world().getDispatcher()->getNumManifolds(); ++m) {
        const btPersistentManifold& manifold = *stage.world().getDispatcher()->getManifoldByIndexInternal(m);
        Overlap overlap{manifold.getBody0()->getUserIndex(), manifold.getBody1()->getUserIndex(), 0};
        for (int p = 0; p < manifold.getNumContacts(); ++p)
            overlap.depth = std::max(overlap.depth, -manifold.getContactPoint(p).getDistance());
        if (overlap.depth > 0) overlaps.push_back(overlap);
    }
    return overlaps;
}

}  // namespace spindrift::bodies
