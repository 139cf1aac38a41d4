// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

/// The words that may follow on a command line, for the shells' completion: a line each on standard output. The last of
/// `words` is the one that is being typed; it may be empty.
void complete(CLI::App const& app, std::vector<std::string> words);
