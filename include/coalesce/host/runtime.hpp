// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/host/kernel/callbacks.hpp>
#include <coalesce/host/kernel/run.hpp>

// Runs the threads of an unmodified kernel. Exactly one file of a program includes this header. That file is compiled
// without instrumentation, and linked with boost_context.
