#pragma once
// What the manifest remembers of each call that simulated: command, program and times.
//
//   begin_record(cache.edit(), "spindrift run dam.toml");
//   end_record(cache.edit(), "complete");

#include <string>

#include "spindrift/io/manifest.h"

namespace spindrift::stages {

/// Adds a record that begins now, with what the program was built from and with. Old ones go when there are many.
void begin_record(io::Manifest& manifest, const std::string& command);
/// The last one ends now; `how` is a word or two.
void end_record(io::Manifest& manifest, const std::string& how);

}  // namespace spindrift::stages
