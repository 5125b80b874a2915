#pragma once
// The tag of an OpenVDB file, which stands in its header as text, made of its content.
//
// OpenVDB draws it at random. Ours is a hash of all the rest, as a UUID of version 8 (free use, RFC 9562): the same
// content has the same tag, and a damaged file is known before the library, which trusts what it reads, sees it.
//
//   settle_tag(content);                                   // of a file about to be written
//   if (is_damaged(content)) refuse("is damaged");

#include <string>

namespace spindrift::geometry {

/// Empty if the content is too short to have one.
std::string read_tag(const std::string& content);

void settle_tag(std::string& content);

/// Too short for a header, or not what it was when its tag was settled. Files of other programs have other tags, and
/// nobody knows.
bool is_damaged(const std::string& content);

}  // namespace spindrift::geometry
