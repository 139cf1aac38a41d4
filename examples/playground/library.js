// SPDX-License-Identifier: BSL-1.0
"use strict";

// Loads the modules of the library, and asks them. A module is WebAssembly, packed with gzip and written as base64 in a
// script: a script loads from a file as well as from any server.

const packed_modules = {};  // modules/NAME.js adds packed_modules.NAME

/** A question that the library refuses, in its own words. */
class refusal extends Error {}

const library = (() => {
  const modules = new Map();  // by name: a promise of {compiled, instance, machines}

  const add_script = source => new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = source;
    script.onload = done;
    script.onerror = () => failed(new Error(`${source} is not there. The preset "playground" builds it.`));
    document.head.append(script);
  });

  async function unpacked(base64) {
    const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  }

  /** Makes an instance of a module. The library is compiled without exceptions: it prints why it refuses, and traps. WASI's other calls fail. */
  async function instantiate(compiled) {
    const instance = {said: "", has_trapped: false};
    const fd_write = (descriptor, pieces, count, written) => {
      const memory = new DataView(instance.exports.memory.buffer);
      let size = 0;
      for (let k = 0; k !== count; ++k) {
        const at = memory.getUint32(pieces + 8 * k, true), length = memory.getUint32(pieces + 8 * k + 4, true);
        instance.said += new TextDecoder().decode(new Uint8Array(memory.buffer, at, length));
        size += length;
      }
      memory.setUint32(written, size, true);
      return 0;
    };
    const not_supported = () => 52;
    const wasi = {};
    for (const {name} of WebAssembly.Module.imports(compiled)) wasi[name] = name === "fd_write" ? fd_write : not_supported;
    instance.exports = (await WebAssembly.instantiate(compiled, {wasi_snapshot_preview1: wasi})).exports;
    instance.exports._initialize();
    return instance;
  }

  async function call(module, question) {
    let instance;
    do instance = await module.instance; while (instance.has_trapped);
    const {exports} = instance;
    try {
      question(exports);
    } catch (trap) {
      if (!(trap instanceof WebAssembly.RuntimeError)) throw trap;
      instance.has_trapped = true, module.instance = instantiate(module.compiled);
      if (instance.said === "") throw trap;
      throw new refusal(instance.said.trim().replace(/^coalesce: /, ""));
    }
    return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, exports.answer(), exports.answer_size()));
  }

  async function load(name) {
    await add_script(`modules/${name}.js`);
    const module = {compiled: await WebAssembly.compile(await unpacked(packed_modules[name]))};
    delete packed_modules[name];
    module.instance = instantiate(module.compiled);
    module.machines = JSON.parse(await call(module, exports => exports.list()));
    return module;
  }
  function module_named(name) {
    if (!modules.has(name)) modules.set(name, load(name));
    return modules.get(name);
  }

  function write(exports, numbers) {
    const at = exports.addresses(), room = 64;
    new BigUint64Array(exports.memory.buffer, at, room).set(numbers.slice(0, room));
    return Math.min(numbers.length, room);
  }

  /** A machine by its name: its instructions, and the questions that they answer. */
  async function machine(name) {
    const of = machines_of_modules.find(each => each.machines.some(one => one.name === name));
    if (!of) throw new refusal("Choose a GPU: there is none of that name.");
    const module = await module_named(of.module);
    const place = module.machines.findIndex(each => each.name === name);
    const {instructions} = module.machines[place];
    const at = instruction => instructions.findIndex(each => each.name === instruction);
    const ask = (verb, instruction, addresses, active) => call(
        module, exports => exports[verb](place, at(instruction), write(exports, addresses), active));
    return {
      name, instructions,
      cost: async (...question) => JSON.parse(await ask("cost", ...question)),
      explain: (...question) => ask("explain", ...question),
      svg: (...question) => ask("svg", ...question),
      /** `uses` are {instruction, cells, active}; a cell is row * 2^32 + column. */
      suggest: async (tile, uses) => JSON.parse(await call(module, exports => {
        for (const {instruction, cells, active} of uses) exports.use(place, at(instruction), write(exports, cells), active);
        exports.suggest(tile.rows, tile.columns, tile.element_bytes);
      })),
    };
  }
  return {machine};
})();
