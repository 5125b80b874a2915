#include "cli/command_line.h"
#include "cli/failures.h"
#include "cli/signals.h"
#include "cli/terminal.h"

int main(int argc, char** argv) {
    using namespace spindrift::cli;
    open_standard_streams();
    install_signal_handlers();
    Terminal terminal;
    spindrift::set_log_sink([&](spindrift::LogLevel level, const std::string& text) { terminal.log(level, text); });
    try {
        const CommandLine command = parse_command_line(argc, argv);
        terminal.configure(command.style);
        for (const std::string& note : command.notes)
            terminal.log(spindrift::LogLevel::info, note);
        command.action(terminal);
        return 0;
    } catch (...) {
        return report_failure(terminal);
    }
}
