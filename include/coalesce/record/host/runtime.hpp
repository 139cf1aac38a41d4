// SPDX-License-Identifier: BSL-1.0
#pragma once
#include <coalesce/record/host/callbacks.hpp>
#include <coalesce/record/host/run.hpp>

// What runs an unmodified kernel's threads. Exactly one file of a program includes this header. That file is compiled
// without instrumentation, and linked with boost_context.
