#include "cli/machine.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include "spindrift/core/isa.h"

namespace spindrift::cli {

namespace {

/// What follows `name` and a colon in a file of lines `name : value`.
std::string find_field(const char* path, const std::string& name) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(':');
        if (!line.starts_with(name) || colon == std::string::npos) continue;
        const std::size_t value = line.find_first_not_of(" \t", colon + 1);
        return value == std::string::npos ? "" : line.substr(value);
    }
    return "";
}

}  // namespace

std::string cpu_name() {
    const std::string name = find_field("/proc/cpuinfo", "model name");
    return name.empty() ? "unknown processor" : name;
}

double memory_bytes(const std::string& name) {
    return 1024 * std::strtod(find_field("/proc/meminfo", name).c_str(), nullptr);
}

std::string huge_page_mode() {
    std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
    for (std::string word; file >> word;) {
        if (word.front() == '[') return word.substr(1, word.size() - 2);
    }
    return "";
}

bool has_program(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::filesystem::path candidate = std::filesystem::path(folder.empty() ? "." : folder) / name;
        if (access(candidate.c_str(), X_OK) == 0 && !std::filesystem::is_directory(candidate)) return true;
    }
    return false;
}

Value machine_json() {
    return json_table({{"cpu", Value(cpu_name())}, {"isa", Value(isa_name(active_isa()))}});
}

}  // namespace spindrift::cli
