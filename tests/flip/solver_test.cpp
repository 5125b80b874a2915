// Steps of the whole solver.

#include "liquid_fixture.h"
#include <gtest/gtest.h>
