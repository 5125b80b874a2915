#pragma once
// What the verbs of the command line are built with.
//
//   struct Builder : VerbBuilder {
//       void build(CLI::App& app) {
//           const auto [verb, command] = add_verb<DoctorCommand>(app, "doctor", "Look at this machine", doctor);
//           add_threads(verb, command->threads);
//       }
//   };

#include <memory>
#include <string>

#include "cli/command_line.h"
#include <CLI/CLI.hpp>

namespace spindrift::cli {

/// Help says what is allowed in words.
inline CLI::Validator from_to(int least, int most) {
    return CLI::Validator(CLI::Range(least, most)).description("");
}

/// Each verb leaves its action in the line when it was called.
class VerbBuilder {
  protected:
    explicit VerbBuilder(CommandLine& line) : line_(line) {}

    template <class Command>
    struct Verb {
        CLI::App* app;
        std::shared_ptr<Command> command;
    };

    template <class Command>
    Verb<Command> add_verb(CLI::App& parent, const std::string& name, const std::string& text,
                           void (*body)(const Command&, Terminal&)) {
        auto command = std::make_shared<Command>();
        CLI::App* app = parent.add_subcommand(name, text);
        app->callback([&line = line_, command, body] {
            line.action = [command, body](Terminal& terminal) { body(*command, terminal); };
        });
        return {app, command};
    }

    template <class Number>
    void add_number(CLI::App* app, const char* name, Number& number, const char* text, int least = 1) {
        app->add_option(name, number, text)
            ->type_name("N")
            ->check(from_to(least, 1'000'000'000))
            ->capture_default_str();
    }

    void add_json(CLI::App* app, bool& json) { app->add_flag("--json", json, "Answer as JSON"); }

    void add_threads(CLI::App* app, int& threads) {
        app->add_option("-t,--threads", threads, "Threads; 0 takes all cores. Results do not depend on it")
            ->type_name("N")
            ->check(from_to(0, 1024))
            ->group("Machine");
    }

    CommandLine& line_;
};

}  // namespace spindrift::cli
