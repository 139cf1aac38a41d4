// SPDX-License-Identifier: BSL-1.0
"use strict";

// What the user writes: expressions of the lane, addresses, masks. And the C++ that asks the question again.

const all_lanes = 2n ** 64n - 1n;

/** Words that are no question yet. */
class misread extends Error {}

const question = (() => {
  const arithmetic = new RegExp(
      "\\s|Math\\.(?:abs|ceil|clz32|floor|imul|log2|max|min|pow|round|sign|sqrt|trunc)\\b|\\b(?:lanes?|true|false|BigInt)\\b|" +
          "\\b0x[0-9a-f]+n?\\b|\\b[0-9]+n?\\b|[=!]==?|[<>]=|[-+*/%&|^~<>!?:(),;]", "gi");
  const integers_of_cpp = /\s|\blane\b|\b0x[0-9a-f]+\b|\b(?:0|[1-9][0-9]*)\b|<<|>>(?!>)|[-+*%&|^()]/gi;

  /** Whether an expression only computes, by numbers, operators, lane and Math. Another one in a link is not run unasked. */
  const only_computes = text => text.replace(arithmetic, "") === "";

  const is_number = word => /^(0x[0-9a-f]+|[0-9]+)$/i.test(word);

  /** A function of the lane. */
  function compiled(text) {
    try {
      return new Function("lane", "lanes", `"use strict"; return (${text}\n);`);
    } catch (error) {
      throw new misread(`"${text}" is no JavaScript expression: ${error.message}`);
    }
  }
  function value_of(from, lane, lanes) {
    try {
      return from(lane, lanes);
    } catch (error) {
      throw new misread(`lane ${lane}: ${error.message}`);
    }
  }

  /** A whole number of 64 bits; one below 0 wraps, as it does in C++. */
  function integer(value, what) {
    if (typeof value === "boolean") value = Number(value);
    if (typeof value !== "number" && typeof value !== "bigint") throw new misread(`${what}: ${String(value)} is no number.`);
    if (typeof value === "number" && !Number.isInteger(value))
      throw new misread(`${what}: ${value} is no whole number. JavaScript divides with fractions: write lane >> 3 or ` +
                        "Math.floor(lane / 8).");
    if (typeof value === "number" && !Number.isSafeInteger(value))
      throw new misread(`${what}: ${value} is past 2^53, where JavaScript's numbers have gaps. Write 2n ** 60n + BigInt(lane).`);
    const whole = BigInt(value);
    if (whole < -(2n ** 63n) || whole > all_lanes) throw new misread(`${what}: ${whole} has more than 64 bits.`);
    return BigInt.asUintN(64, whole);
  }
  function of_lanes(text, lanes) {
    if (text.trim() === "") throw new misread("Write the byte address of each lane: lane * 4, for example.");
    if (is_number(text.trim())) return Array(lanes).fill(integer(BigInt(text.trim()), "the address"));
    const from = compiled(text), values = [];
    for (let lane = 0; lane !== lanes; ++lane) values.push(integer(value_of(from, lane, lanes), `lane ${lane}`));
    return values;
  }

  /** Addresses that were pasted, - for a lane that is not active: null where the text is an expression. */
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
    const from = compiled(word);
    let made = 0n;
    for (let lane = 0; lane !== lanes; ++lane) if (value_of(from, lane, lanes)) made |= 1n << BigInt(lane);
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

  /** The expression in C++ where it means what it means in JavaScript for every lane, else null. */
  function cpp_expression(text, lanes, values) {
    if (text.replace(integers_of_cpp, "") !== "" || /\*\s*\*|&\s*&|\|\s*\||\+\s*\+|-\s*-/.test(text)) return null;
    if (/-/.test(text) && /%|>>/.test(text)) return null;  // what is below 0 differs there
    try {
      const in_64_bits = compiled(text.replace(/\b(0x[0-9a-f]+|[0-9]+)\b/g, "$1n"));
      const are_equal = values.every((value, lane) => BigInt.asUintN(64, in_64_bits(BigInt(lane), BigInt(lanes))) === value);
      return are_equal && /\blane\b/.test(text) ? text.trim() : null;
    } catch {
      return null;
    }
  }
  const hexadecimal = number => `0x${number.toString(16)}ull`;

  function cpp(machine, instruction, at, asked, number, value) {
    const name = cpp_name(machine.name, instruction.name);
    const values = asked.addresses.slice(0, instruction.lanes);
    const text = asked.is_pasted ? null : cpp_expression(at, instruction.lanes, values);
    const active = asked.active === all_lanes ? "" : `, ${hexadecimal(asked.active)}`;
    const given = text === null ? "" : `[](std::uint64_t lane) { return ${text}; }`;
    return `#include <coalesce/${machine.name.split("::")[0]}.hpp>\nnamespace co = coalescing;\n\n` +
        (text === null ? `constexpr std::uint64_t at[] = {${values.map(address => `${address}u`).join(", ")}};\n` : "") +
        `static_assert(co::cost<${name}>(${text === null ? "at" : `\n    ${given}`}${active}).${number} == ${value});\n`;
  }

  function cpp_suggestion(machine, tile, uses, after) {
    const written = uses.map(({instruction, row, column, lanes, cells}) => {
      const rows = cpp_expression_or_number(row, lanes, cells.map(cell => cell >> 32n));
      const columns = cpp_expression_or_number(column, lanes, cells.map(cell => cell & 0xffffffffn));
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
  const cpp_expression_or_number = (text, lanes, values) => is_number(text.trim()) ? text.trim() : cpp_expression(text, lanes, values);

  /** The cells of a tile that the lanes touch: row * 2^32 + column. */
  function cells(row, column, lanes) {
    const rows = of_lanes(row, lanes), columns = of_lanes(column, lanes);
    return rows.map((number, lane) => {
      if (number >> 32n || columns[lane] >> 32n) throw new misread(`lane ${lane}: a row or column is past every tile.`);
      return number << 32n | columns[lane];
    });
  }
  return {access, cells, cpp, cpp_suggestion, only_computes};
})();
