#pragma once
// What a call complains about; nothing if it does not.
//
//   EXPECT_NE(complaint([&] { render_cache(scene, options, quiet); }).find("no mesh"), std::string::npos);

#include <string>

#include "spindrift/core/errors.h"

namespace spindrift {

std::string complaint(const auto& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace spindrift
