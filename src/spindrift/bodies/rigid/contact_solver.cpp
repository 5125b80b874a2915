#include "spindrift/bodies/rigid/contact_solver.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <btBulletDynamicsCommon.h>

#include "spindrift/bodies/rigid/contact_points.h"

namespace spindrift::bodies {

namespace {

using geometry::Pose;

/// Enough for stacks of a dozen bodies, as impulses begin where they were in the step before.
constexpr int iterations = 100;
/// Iterations end when none of the contacts changes a velocity by more, m/s.
constexpr double smallest_change = 1e-5;
/// Slower things do not bounce: they could not come to rest.
constexpr double slowest_bounce = 0.1;
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

Vec3d place(const btManifoldPoint& point) {
    return (from_bullet(point.getPositionWorldOnA()) + from_bullet(point.getPositionWorldOnB())) * 0.5;
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
        if (const Obstacle* o = obstacle(b); o && o->plane) put_on_plane(manifold, *body(a), *o->plane, false);
        if (const Obstacle* o = obstacle(a); o && o->plane) put_on_plane(manifold, *body(b), *o->plane, true);
        const ContactBody *first = body(a), *second = body(b);
        const SurfacePair pair = pair_of(first, second);
        for (int p = 0; p < manifold.getNumContacts(); ++p) {
            btManifoldPoint& point = manifold.getContactPoint(p);
            point.m_combinedRestitution = pair.restitution;
            point.m_combinedFriction = pair.friction;
            if (point.getDistance() < 0) point.setDistance(std::min(point.getDistance() + pair.slack, 0.0));
            const double closing = closing_speed(point, *btRigidBody::upcast(a), *btRigidBody::upcast(b));
            if (pair.restitution > 0 && closing > slowest_bounce) bounce(point, closing);
            if (closing > 0)
                point.m_appliedImpulse = impulse_before(step_.pressed, first ? first->number : -1,
                                                        second ? second->number : -1, place(point), 100 * pair.slack);
        }
    }

    static double closing_speed(const btManifoldPoint& point, const btRigidBody& a, const btRigidBody& b) {
        const btVector3 va = a.getVelocityInLocalPoint(point.getPositionWorldOnA() - a.getCenterOfMassPosition());
        const btVector3 vb = b.getVelocityInLocalPoint(point.getPositionWorldOnB() - b.getCenterOfMassPosition());
        return -point.m_normalWorldOnB.dot(va - vb);
    }

    /// Bullet lets a body that is about to touch go on to the surface, and takes that speed from its bounce.
    void bounce(btManifoldPoint& point, double closing) const {
        if (point.getDistance() > 0 && closing * step_.dt > point.getDistance()) point.setDistance(0);
    }

    void put_on_plane(btPersistentManifold& manifold, const ContactBody& body, const collision::PlaneShape& plane,
                      bool plane_first) const {
        if (!has_corners(body)) return;
        manifold.clearManifold();
        for (const PlaneTouch& touch : touch_plane(body, plane)) {
            const Vec3d foot = touch.point - plane.normal * touch.distance;
            const Vec3d local[2] = {plane_first ? foot : touch.corner, plane_first ? touch.corner : foot};
            btManifoldPoint point(to_bullet(local[0]), to_bullet(local[1]),
                                  to_bullet(plane_first ? -plane.normal : plane.normal), touch.distance);
            point.m_positionWorldOnA = to_bullet(plane_first ? foot : touch.point);
            point.m_positionWorldOnB = to_bullet(plane_first ? touch.point : foot);
            manifold.addManifoldPoint(point);
        }
    }

    ContactStep step_;
};

/// Keeps bodies and planes apart that are too far from each other: to Bullet a plane is everywhere.
class NearPlanes : public btOverlapFilterCallback {
  public:
    explicit NearPlanes(const ContactStep& step) : step_(step) {}

    bool needBroadphaseCollision(btBroadphaseProxy* a, btBroadphaseProxy* b) const override {
        if (!(a->m_collisionFilterGroup & b->m_collisionFilterMask)) return false;
        if (!(b->m_collisionFilterGroup & a->m_collisionFilterMask)) return false;
        const int first = place(a), second = place(b);
        if (first < 0 && second < 0) return false;
        return near(first, second) && near(second, first);
    }

  private:
    static int place(const btBroadphaseProxy* proxy) {
        return static_cast<const btCollisionObject*>(proxy->m_clientObject)->getUserIndex();
    }
    bool near(int body, int obstacle) const {
        if (body < 0 || obstacle >= 0) return true;
        const auto& plane = step_.obstacles[static_cast<std::size_t>(-1 - obstacle)].plane;
        return !plane || is_near(step_.bodies[static_cast<std::size_t>(body)], *plane);
    }

    ContactStep step_;
};

/// All that Bullet needs for a step, in the order in which it may be taken down again.
class Stage {
  public:
    explicit Stage(const ContactStep& step)
        : configuration_(construction()),
          dispatcher_(&configuration_),
          near_planes_(step),
          anchor_(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, nullptr)),
          world_(step, &dispatcher_, &pairs_, &solver_, &configuration_) {
        configuration_.setConvexConvexMultipointIterations(3, 3);
        pairs_.getOverlappingPairCache()->setOverlapFilterCallback(&near_planes_);
        world_.setGravity({0, 0, 0});
        world_.getDispatchInfo().m_deterministicOverlappingPairs = true;
        world_.getDispatchInfo().m_allowedCcdPenetration = 0;  // or pebbles would pass floors thinner than 4 cm
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
        info.m_leastSquaresResidualThreshold = smallest_change * smallest_change;
        info.m_splitImpulse = true;
        info.m_splitImpulsePenetrationThreshold = 0;
        info.m_restitutionVelocityThreshold = slowest_bounce;
        info.m_warmstartingFactor = 1;
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
    NearPlanes near_planes_;
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
            contact.point = place(point);
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
