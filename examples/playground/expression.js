// SPDX-License-Identifier: BSL-1.0
"use strict";

// Expressions of the lane, with C's integers, operators and precedence: lane / 8 * 4096 + lane % 8 * 4. An expression calls nothing,
// has no loop, and computes in BigInt. Refused, with the lane: what C++ computes otherwise, in 64 bits without a sign.

/** What the user wrote is not a question yet. */
class misread extends Error {}

const expression_of = (() => {
  const longest = 4096;  // letters
  const token = /\s*(?:(0x[0-9a-f]+|[0-9]+)(?:u?l{0,2}|l{1,2}u)(?![\w.])|([a-z_]\w*)|(<<|>>|[<>=!]=|&&|\|\||[-+*/%&|^~<>!?:()]))/iy;
  const help = "An expression has C's integers and operators, and calls nothing: lane / 8 rounds down by itself.";

  /** An operand that means in C++ what it means here: a number of 64 bits without a sign. */
  function plain(value, sign) {
    if (value < 0n || value >> 64n !== 0n)
      throw new misread(`${sign} of ${value}, which C++ computes otherwise: its lane has no sign, and 64 bits.`);
    return value;
  }
  function divisor(value, sign) {
    if (value === 0n) throw new misread(`${sign} by 0.`);
    return plain(value, sign);
  }
  function shift(value, sign) {
    if (value < 0n || value > 63n) throw new misread(`${sign} by ${value}: a shift is by 0 to 63 bits.`);
    return value;
  }
  const truth = holds => holds ? 1n : 0n;
  const compared = (sign, holds) => (a, b) => truth(holds(plain(a, sign), plain(b, sign)));

  /** From the operators that bind least to those that bind most. && and || compute their second operand only if they need it. */
  const levels = [
    {"||": (a, b) => truth(plain(a, "||") || plain(b(), "||"))}, {"&&": (a, b) => truth(plain(a, "&&") && plain(b(), "&&"))},
    {"|": (a, b) => a | b}, {"^": (a, b) => a ^ b}, {"&": (a, b) => a & b},
    {"==": compared("==", (a, b) => a === b), "!=": compared("!=", (a, b) => a !== b)},
    {"<": compared("<", (a, b) => a < b), "<=": compared("<=", (a, b) => a <= b),
     ">": compared(">", (a, b) => a > b), ">=": compared(">=", (a, b) => a >= b)},
    {"<<": (a, b) => a << shift(b, "<<"), ">>": (a, b) => plain(a, ">>") >> shift(b, ">>")},
    {"+": (a, b) => a + b, "-": (a, b) => a - b},
    {"*": (a, b) => a * b, "/": (a, b) => plain(a, "/") / divisor(b, "/"), "%": (a, b) => plain(a, "%") % divisor(b, "%")},
  ];
  const unary = {"+": a => a, "-": a => -a, "~": a => ~a, "!": a => truth(!plain(a, "!"))};
  const gives_bool = sign => ["||", "&&", "==", "!=", "<", "<=", ">", ">=", "!"].includes(sign);

  /** Numbers are BigInts, names and operators texts. */
  function words_of(text) {
    if (text.length > longest) throw new misread(`An expression has ${text.length} letters, and may have ${longest}.`);
    const words = [];
    token.lastIndex = 0;
    for (let at = 0; text.slice(at).trim() !== ""; at = token.lastIndex) {
      const found = token.exec(text);
      if (!found) throw new misread(`"${text}" has "${text.slice(at).trim()}". ${help}`);
      const [, number, name, sign] = found;
      if (name && name !== "lane" && name !== "lanes") throw new misread(`"${text}" names ${name}; lane and lanes have a value. ${help}`);
      if (number && /^0[0-9]*[89]/.test(number)) throw new misread(`"${text}" has ${number}, and after a 0 stand octal digits, as in C.`);
      words.push(number ? BigInt(number.replace(/^0(?=[0-7]+$)/, "0o")) : name ?? sign);
    }
    return words;
  }

  /** The expression of a text: value(lane, lanes), and what C++ makes of it. */
  function parsed(text) {
    const words = words_of(text), made = {uses_lane: words.includes("lane"), uses_lanes: words.includes("lanes"), leaves_int: false, largest: 0n};
    let next = 0;
    const expected = what => new misread(next < words.length ? `"${text}" has ${words[next]} where ${what} should stand.`
                                                             : `"${text}" ends where ${what} should stand.`);
    /** A part: its value, whether it is an int in C++ or has 64 bits, and whether it is a bool. */
    const part = (is_int, is_bool, value) => ({
      is_int, is_bool,
      value: at => {
        const number = value(at), size = number < 0n ? -number : number;
        if (size > made.largest) made.largest = size;
        if (is_int && size >> 31n) made.leaves_int = true;
        return number;
      },
    });
    const has = sign => words[next] === sign && ++next > 0;
    function operand() {
      const word = words[next];
      if (typeof word === "bigint") return ++next, part(word >> 31n === 0n, false, () => word);
      if (word === "lane" || word === "lanes") return ++next, part(false, false, at => at[word]);
      if (has("(")) {
        const inside = conditional();
        if (!has(")")) throw expected("a )");
        return inside;
      }
      if (!Object.hasOwn(unary, word ?? "")) throw expected("an operand");
      ++next;
      const of = operand();
      return part(of.is_int || word === "!", word === "!", at => unary[word](of.value(at)));
    }
    function operation(level) {
      if (level === levels.length) return operand();
      let left = operation(level + 1);
      while (Object.hasOwn(levels[level], words[next] ?? "")) {
        const sign = words[next++], first = left, second = operation(level + 1);
        const compute = levels[level][sign], is_lazy = sign === "&&" || sign === "||";
        const is_int = gives_bool(sign) || first.is_int && (second.is_int || sign === "<<" || sign === ">>");
        left = part(is_int, gives_bool(sign),
                    at => compute(first.value(at), is_lazy ? () => second.value(at) : second.value(at)));
      }
      return left;
    }
    function conditional() {
      const condition = operation(0);
      if (!has("?")) return condition;
      const yes = conditional();
      if (!has(":")) throw expected("a :");
      const no = conditional();
      return part(yes.is_int && no.is_int, yes.is_bool && no.is_bool,
                  at => plain(condition.value(at), "?") ? yes.value(at) : no.value(at));
    }
    const whole = conditional();
    if (next !== words.length) throw expected("an operator");
    made.is_int = whole.is_int, made.is_bool = whole.is_bool;
    made.value = (lane, lanes) => {
      try {
        return whole.value({lane: BigInt(lane), lanes: BigInt(lanes)});
      } catch (error) {
        throw error instanceof misread ? new misread(`lane ${lane}: ${error.message}`) : error;
      }
    };
    return made;
  }
  return text => {
    try {
      return parsed(text);
    } catch (error) {
      if (error instanceof RangeError) throw new misread(`"${text.slice(0, 40)}..." has too many parentheses in each other.`);
      throw error;
    }
  };
})();
