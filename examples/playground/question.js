// SPDX-License-Identifier: BSL-1.0
"use strict";

// What the user writes: addresses and masks, as expressions or numbers. And the C++ that asks the question again.

const all_lanes = 2n ** 64n - 1n;

const question = (() => {
  const is_number = word => /^(0x[0-9a-f]+|[0-9]+)$/i.test(word);

  /** A whole number of 64 bits; one below 0 wraps, as it does in C++. */
  function integer(whole, what) {
    if (whole < -(2n ** 63n) || whole > all_lanes) throw new misread(`${what}: ${whole} has more than 64 bits.`);
    return BigInt.asUintN(64, whole);
  }
  function of_lanes(text, lanes) {
    if (text.trim() === "") throw new misread("Write the byte address of each lane: lane * 4, for example.");
    const from = expression_of(text);
    return Array.from({length: lanes}, (_, lane) => integer(from.value(lane, lanes), `lane ${lane}`));
  }

  /** Addresses that were pasted, with - for a lane that is not active. Null if the text is an expression. */
  function pasted(text) {
    const words = text.split(/[\s,;]+/).filter(word => word !== "");
    if (words.length < 2 || !words.every(word => word === "-" || is_number(word)) || !words.some(is_number)) return null;
    return words.map(word => word === "-" ? null : integer(BigInt(word), word));
  }

  /** The mask of lanes: nothing, a number, or an expression that is true for a lane. */
  function mask(text, lanes) {
    const word = text.trim();
    if (word === "") return all_lanes;
    if (is_number(word)) return integer(BigInt(word), "the mask");
    if (!/\blane\b/.test(word)) throw new misread(`The mask "${word}" is neither a number, as 0xffff, nor an expression of lane.`);
    const from = expression_of(word);
    let made = 0n;
    for (let lane = 0; lane !== lanes; ++lane) if (integer(from.value(lane, lanes), `lane ${lane}`)) made |= 1n << BigInt(lane);
    return made;
  }

  /** What an instruction of so many lanes is asked: addresses and mask. */
  function access(at, active, lanes) {
    const list = pasted(at);
    let asked = mask(active, lanes);
    if (list === null) return {addresses: of_lanes(at, lanes), active: asked, is_pasted: false};
    list.forEach((address, lane) => {
      if (address !== null || lane >= lanes) return;
      if (asked === all_lanes) asked >>= BigInt(64 - lanes);
      asked &= ~(1n << BigInt(lane));
    });
    return {addresses: list.map(address => address ?? 0n), active: asked, is_pasted: true, given: list.length};
  }

  // ---- C++ ----

  /** The families' enumerations, where an instruction's second argument is not a number. */
  const enumeration = verb => /^shared_/.test(verb) ? "shared_mode" : /matrix/.test(verb) ? "matrix" : "caching";
  function cpp_name(machine, instruction) {
    const family = machine.split("::")[0];
    const spelt = instruction.replace(/^((?:\w+::)*)(\w+)<([^>]*)>/, (whole, room, verb, words) => `${room}${verb}<${
        words.split(", ").map(word => is_number(word) ? word : `co::${family}::${enumeration(verb)}::${word}`).join(", ")}>`);
    return `co::${machine}::${spelt}`;
  }

  /** The expression in C++. Null if it does not use the lane, if it uses `lanes`, if it overflows int in C++, or if `is_used` refuses it. */
  function cpp_expression(text, lanes, is_used) {
    const from = expression_of(text);
    for (let lane = 0; lane !== lanes; ++lane) from.value(lane, lanes);
    return from.uses_lane && !from.uses_lanes && !from.leaves_int && is_used(from) ? text.trim() : null;
  }
  const hexadecimal = number => `0x${number.toString(16)}ull`;

  function cpp(machine, instruction, at, asked, number, value) {
    const name = cpp_name(machine.name, instruction.name);
    const values = asked.addresses.slice(0, instruction.lanes);
    const text = asked.is_pasted ? null : cpp_expression(at, instruction.lanes, from => !from.is_bool);
    const active = asked.active === all_lanes ? "" : `, ${hexadecimal(asked.active)}`;
    const given = text === null ? "" : `[](std::uint64_t lane) { return ${text}; }`;
    return `#include <coalesce/${machine.name.split("::")[0]}.hpp>\nnamespace co = coalescing;\n\n` +
        (text === null ? `constexpr std::uint64_t at[] = {${values.map(address => `${address}u`).join(", ")}};\n` : "") +
        `static_assert(co::cost<${name}>(${text === null ? "at" : `\n    ${given}`}${active}).${number} == ${value});\n`;
  }

  function cpp_suggestion(machine, tile, uses, after) {
    const written = uses.map(({instruction, row, column, lanes}) => {
      const rows = cpp_expression_or_number(row, lanes), columns = cpp_expression_or_number(column, lanes);
      if (rows === null || columns === null) return null;
      return `co::use<${cpp_name(machine.name, instruction)}>([](unsigned lane) { return co::cell{.row = ${rows}, .column = ${
          columns}}; })`;
    });
    if (written.includes(null)) return null;
    const conflicts = uses.map((_, use) => `found.after[${use}].conflicts`).join(" + ");
    return `#include <coalesce/${machine.name.split("::")[0]}.hpp>\n#include <coalesce/suggest.hpp>\nnamespace co = coalescing;\n\n` +
        `constexpr auto found = co::suggest(co::tile{.rows = ${tile.rows}, .columns = ${tile.columns}, .element_bytes = ${
            tile.element_bytes}},\n    ${written.join(",\n    ")});\nstatic_assert(${conflicts} == ${after});\n`;
  }
  // The lane of a use has 32 bits without a sign, and so have the row and the column of a cell.
  const cpp_expression_or_number = (text, lanes) =>
      is_number(text.trim()) ? text.trim() : cpp_expression(text, lanes, from => !from.is_int && from.largest >> 31n === 0n);

  /** The cells of a tile that the lanes touch: row * 2^32 + column. */
  function cells(row, column, lanes) {
    const rows = of_lanes(row, lanes), columns = of_lanes(column, lanes);
    return rows.map((number, lane) => {
      if (number >> 32n || columns[lane] >> 32n) throw new misread(`lane ${lane}: a row or column is past every tile.`);
      return number << 32n | columns[lane];
    });
  }
  return {access, cells, cpp, cpp_suggestion};
})();
