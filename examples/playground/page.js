// SPDX-License-Identifier: BSL-1.0
"use strict";

// The page: it asks at each change, and shows the answer. The address of the page holds the question.

const $ = id => document.getElementById(id);

/** What the address holds: a short name for each field. */
const fields = {
  gpu: "machine", op: "instruction", at: "at", active: "active", vs: "other_machine", vs_op: "other_instruction", rows: "rows", columns: "columns",
  bytes: "element_bytes", row: "row", column: "column", use: "other_use", use_row: "other_row", use_column: "other_column", assert: "",
};
const beginning = {
  gpu: "cuda::cc90", op: "shared_load<32>", at: "lane * 128", active: "", vs: "", vs_op: "", rows: "32", columns: "32", bytes: "4",
  row: "lane", column: "0", use: "shared_store<32>", use_row: "0", use_column: "lane", assert: "",
};
const examples = [
  ["A column of a tile", {}],
  ["The tile padded", {at: "lane * 33 * 4"}],
  ["A column on MI300X", {gpu: "cdna::gfx942", op: "ds_read<32>", use: "ds_write<32>"}],
  ["Floats one element late", {op: "load<32>", at: "lane * 4 + 4"}],
  ["float4", {op: "load<128>", at: "lane * 16"}],
  ["One swizzle, on MI300X and MI355X", {gpu: "cdna::gfx942", op: "ds_read<128>", at: "lane % 32 * 128 + (lane / 32 ^ lane % 8) * 16",
                                         vs: "cdna::gfx950", vs_op: "ds_read<128>", use: "ds_write<128>"}],
  ["Half of the lanes", {at: "lane * 128", active: "lane < 16"}],
];
/** If the user chose no number, the first of these that the cost has is asserted. */
const telling = ["conflicts", "transactions", "clocks", "requests"];

let asserted = "";  // the number that the user chose
let unread = "";  // what is wrong with the address of the page
let last_question = 0;
let instruction_before;  // the last one that was chosen: for another machine the page chooses the most alike

function option(value, words) {
  const made = document.createElement("option");
  made.value = value, made.textContent = words;
  return made;
}
function list_machines(select, first) {
  if (first) select.append(option("", first));
  for (const {label, machines} of machines_of_modules) {
    const group = document.createElement("optgroup");
    group.label = label;
    for (const {name, known_as} of machines) {
      const short = name.replace(/^cuda::cc(\d+)(\d)$/, "CC $1.$2").replace(/^\w+::/, "").replace(/^gcn$/, "GCN");
      group.append(option(name, known_as ? `${short}: ${known_as}` : short));
    }
    select.append(group);
  }
}
/** Lists instructions, and chooses one: that of the wanted name, else one of that name with another width, else the one that is most
 *  like `alike`. A name from a link is chosen as it is, or refused. */
function list_instructions(select, instructions, wanted, alike, first, is_of_link) {
  const verb = name => name.replace(/<.*/, "");
  const likeness = each => alike ? 4 * (each.shared === alike.shared) + 2 * (each.loads === alike.loads) + (each.bytes === alike.bytes) : 0;
  const rank = each => each.name === wanted ? 9 : verb(each.name) === verb(wanted) ? 8 : likeness(each);
  const options = instructions.map(each => option(each.name, each.name));
  if (first) options.unshift(option("", first));
  select.replaceChildren(...options);
  if (is_of_link && !options.some(each => each.value === wanted)) {
    select.value = null;
    throw new misread(`The link names the instruction "${wanted}", which this GPU does not have. Choose one of the list.`);
  }
  const best = Math.max(...instructions.map(rank));
  select.value = first && wanted === "" ? "" : instructions.find(each => rank(each) === best)?.name ?? "";
}

// ---- The address ----

const chosen = {};  // the values of selects whose lists are not there yet
const of_link = new Set();  // the keys whose values the address of the page brought, until the user chooses others
const value_of = key => key === "assert" ? asserted : chosen[key] ?? $(fields[key]).value;
const is_machine = key => key === "gpu" || key === "vs";
function set(question) {
  of_link.clear(), unread = "";
  for (const key in fields) {
    const value = question[key] ?? beginning[key];
    if (key === "assert") asserted = value;
    else if ($(fields[key]).tagName === "SELECT" && !is_machine(key)) chosen[key] = value;
    else $(fields[key]).value = is_machine(key) && value ? machine_called(value) : value;
  }
}
function address() {
  const changed = Object.keys(fields).filter(key => value_of(key) !== beginning[key]);
  return `#${changed.map(key => `${key}=${encodeURIComponent(value_of(key))}`).join("&")}`;
}
/** Reads the address. A + stays a +: links are also written by hand. */
function read_address() {
  const question = {}, wrong = [];
  for (const part of location.hash.slice(1).split("&").filter(part => part !== "")) {
    const [, key, value] = /^([^=]*)=?(.*)$/.exec(part);
    if (!Object.hasOwn(fields, key)) wrong.push(`"${key}" is nothing that a question has`);
    else if (Object.hasOwn(question, key)) wrong.push(`${key} stands there twice`);
    try {
      question[key] = decodeURIComponent(value);
    } catch {
      wrong.push(`${part} has a % that is not followed by two hexadecimal digits`);
    }
  }
  set(question);
  for (const key in question) of_link.add(key);
  for (const key of ["gpu", "vs"])
    if (question[key] && $(fields[key]).value === "") wrong.push(`there is no GPU "${question[key]}"`);
  if (wrong.length > 0) unread = `The link cannot be read: ${wrong.join("; ")}.`;
}
/** Forgets what the link said of a field in which the user has chosen. */
function forget_link(id) {
  unread = "";
  const also = {machine: ["gpu", "op", "use"], other_machine: ["vs", "vs_op"]};
  for (const key of also[id] ?? Object.keys(fields).filter(key => fields[key] === id)) {
    of_link.delete(key);
    if (!is_machine(key)) delete chosen[key];
  }
}

// ---- The answer ----

async function asked_of(machine_name, instruction_name) {
  const machine = await library.machine(machine_name);
  const instruction = machine.instructions.find(each => each.name === instruction_name);
  if (!instruction) throw new misread(`No source tells what an instruction of ${machine_name} costs.`);
  const asked = question.access($("at").value, $("active").value, instruction.lanes);
  return {machine, instruction, asked, of: [instruction_name, asked.addresses, asked.active]};
}
/** The result, or the words of what was refused. */
async function or_words(promise) {
  try {
    return {value: await promise};
  } catch (error) {
    return {words: error.message};
  }
}

/** What each number means, by the manual. A row of several names has their meanings in their order. */
const meanings = new Map(meanings_of_numbers.flatMap(([names, words]) => {
  const each = [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name), parts = words.replaceAll("`", "").split("; ");
  return each.map((name, k) => [name, each.length > 1 && parts.length === each.length ? parts[k] : parts.join("; ")]);
}));

/** Where an instruction's numbers are counted, and in what: numbers of two instructions compare only where these agree. */
const counted_in = ({level, unit, lanes}) => `${level}, ${unit} bytes, ${lanes} ${lanes === 1 ? "lane" : "lanes"}`;

function show_numbers(columns) {
  const names = [...new Set(columns.flatMap(({cost}) => Object.keys(cost.value ?? {})))];
  const own = columns[0].cost.value ?? {};
  const number = asserted in own ? asserted : telling.find(name => name in own) ?? Object.keys(own)[0];
  const rows = names.map(name => {
    const row = document.createElement("tr"), head = document.createElement("th");
    head.scope = "row";
    const label = document.createElement("label");
    if (name in own) {
      const radio = document.createElement("input");
      Object.assign(radio, {type: "radio", name: "number", value: name, checked: name === number});
      radio.setAttribute("aria-label", `assert ${name}`);
      label.append(radio);
    }
    label.append(name), head.append(label), row.append(head);
    for (const {cost} of columns) {
      const cell = document.createElement("td");
      cell.textContent = cost.value?.[name] ?? "";
      row.append(cell);
    }
    const means = document.createElement("td");
    means.className = "means", means.textContent = meanings.get(name) ?? "";
    row.append(means);
    return row;
  });
  const heads = ["name", "counted"].map(what => {
    const row = document.createElement("tr");
    for (const words of [what === "name" ? "" : "level, unit, lanes", ...columns.map(column => column[what])]) {
      const head = document.createElement("th");
      head.scope = "col";
      for (const name of words.split(/(?<=::)/)) head.append(name, document.createElement("wbr"));  // where a long name may break
      row.append(head);
    }
    return row;
  });
  const has_focus = $("numbers").contains(document.activeElement);
  $("numbers").replaceChildren(...(columns.length > 1 ? heads : []), ...rows);
  if (has_focus) $("numbers").querySelector(":checked").focus();
  return number;
}
const picture = $("picture").attachShadow({mode: "open"});

function show_refusal(words) {
  $("headline").textContent = words, $("headline").className = "refused";
  $("answer").hidden = true;
  for (const id of ["numbers", "cpp", "explanation", "rules"]) $(id).replaceChildren();
}

async function answer() {
  const mine = ++last_question;
  const is_late = () => mine !== last_question;
  $("result").setAttribute("aria-busy", "true");
  try {
    if (unread) throw new misread(unread);
    const machine = await library.machine($("machine").value);
    if (is_late()) return;
    const wanted = chosen.op ?? $("instruction").value;
    list_instructions($("instruction"), machine.instructions, wanted, instruction_before, null, of_link.has("op")), delete chosen.op;
    instruction_before = machine.instructions.find(each => each.name === $("instruction").value) ?? instruction_before;
    const other = await choose_other();
    if (is_late()) return;
    const one = await asked_of(machine.name, $("instruction").value);
    const {instruction, asked, of} = one;
    $("about").textContent = `${instruction.lanes} ${instruction.lanes === 1 ? "lane" : "lanes"}, ${instruction.bytes} ${
        instruction.bytes === 1 ? "byte" : "bytes"} each; an address is a multiple of ${instruction.alignment}.`;
    const columns = [
      {name: `${machine.name}::${instruction.name}`, counted: counted_in(instruction), cost: {value: await machine.cost(...of)}}];
    const note = [];
    if (asked.is_pasted && asked.given > instruction.lanes)
      note.push(`${asked.given} addresses are given; the instruction takes the first ${instruction.lanes}.`);
    if (other) await add_other(other, columns, note);
    const text = await machine.explain(...of), drawn = await or_words(machine.svg(...of));
    if (is_late()) return;
    const number = show_numbers(columns);
    $("answer").hidden = false;
    const rules = text.search(/^Rules:$/m);
    $("explanation").textContent = text.slice(0, rules), $("rules").textContent = text.slice(rules);
    picture.innerHTML = drawn.value ?? "";
    $("headline").textContent = picture.querySelector("title")?.textContent ?? text.split("\n")[0], $("headline").className = "";
    $("no_picture").textContent = drawn.words ?? "", $("no_picture").hidden = !drawn.words;
    $("note").textContent = note.join(" "), $("note").hidden = note.length === 0;
    $("cpp").textContent = question.cpp(machine, instruction, $("at").value, asked, number, columns[0].cost.value[number]);
  } catch (error) {
    if (is_late()) return;
    $("note").hidden = true;
    show_refusal(error.message);
  }
  await suggest(is_late);
  finish(mine);
}
/** Lists the instructions of the second machine, and returns it; null if there is none. */
async function choose_other() {
  $("other_instruction").hidden = $("other_machine").value === "";
  if ($("other_machine").value === "") return null;
  const machine = await library.machine($("other_machine").value);
  const wanted = chosen.vs_op || $("other_instruction").value || $("instruction").value;
  list_instructions($("other_instruction"), machine.instructions, wanted, instruction_before, null, of_link.has("vs_op")), delete chosen.vs_op;
  return machine;
}
async function add_other(machine, columns, note) {
  const name = `${machine.name}::${$("other_instruction").value}`;
  const cost = await or_words((async () => {
    const other = await asked_of(machine.name, $("other_instruction").value);
    return machine.cost(...other.of);
  })());
  if (cost.words) note.push(`${name}: ${cost.words}`);
  const counted = counted_in(machine.instructions.find(each => each.name === $("other_instruction").value));
  if (counted !== columns[0].counted) note.push("The two count at another level, in another unit or for other lanes: their numbers do not compare.");
  columns.push({name, counted, cost});
}
function finish(mine) {
  if (mine !== last_question) return;
  if (!unread) history.replaceState(null, "", address());
  $("result").setAttribute("aria-busy", "false");
}

// ---- A layout for a tile ----

async function suggest(is_late) {
  const show = (words, code, is_refused) => {
    $("suggestion").textContent = words, $("suggestion").className = is_refused ? "refused" : "";
    $("tile_cpp").textContent = code ?? "", $("tile_code").hidden = !code;
  };
  const whole = id => {
    if (!/^[0-9]{1,6}$/.test($(id).value.trim())) throw new misread("Rows, columns and bytes are whole numbers.");
    return Number($(id).value);
  };
  try {
    const machine = await library.machine($("machine").value);
    const instruction = machine.instructions.find(each => each.name === $("instruction").value);
    $("tile_section").hidden = false;
    $("tile").hidden = !instruction?.suggests, $("tile_no").hidden = !$("tile").hidden;
    if ($("tile").hidden) return;
    $("use_name").textContent = instruction.name;
    const usable = machine.instructions.filter(each => each.suggests);
    const wanted = chosen.use ?? $("other_use").value;
    list_instructions($("other_use"), usable, wanted, {shared: 1, loads: 0, bytes: 4}, "no second use", of_link.has("use")), delete chosen.use;
    const tile = {rows: whole("rows"), columns: whole("columns"), element_bytes: whole("element_bytes")};
    const {active} = question.access("lane", $("active").value, instruction.lanes);
    const use_of = (name, row, column) => {
      const {lanes} = machine.instructions.find(each => each.name === name);
      return {instruction: name, row, column, lanes, active: name === instruction.name ? active : all_lanes,
              cells: question.cells(row, column, lanes)};
    };
    const uses = [use_of(instruction.name, $("row").value, $("column").value)];
    if ($("other_use").value) uses.push(use_of($("other_use").value, $("other_row").value, $("other_column").value));
    const found = await machine.suggest(tile, uses);
    if (is_late()) return;
    const swizzled = found.bits ? `, swizzled by co::swizzle{.bits = ${found.bits}, .base = ${found.base}, .shift = ${found.shift}}` : "";
    show(`Rows ${found.pitch} bytes apart${swizzled}: ${found.after.rounds} rounds and ${found.after.conflicts} conflicts, instead of ${
             found.before.rounds} and ${found.before.conflicts}. The tile takes ${found.bytes} bytes. ` +
             (found.is_optimal ? "No layout has fewer rounds." : "Every layout of the space was tried, and has conflicts."),
         active === all_lanes ? question.cpp_suggestion(machine, tile, uses, found.after.conflicts) : null);
  } catch (error) {
    if (!is_late()) show(error.message, null, true);
  }
}

// ---- What the user does ----

$("sources").open = innerWidth > 832;  // a phone folds them
list_machines($("machine")), list_machines($("other_machine"), "no other GPU");
for (const [words, values] of examples) {
  const button = document.createElement("button");
  button.type = "button", button.textContent = words;
  button.onclick = () => (set(values), answer());
  $("examples").append(button);
}
let pause = 0;
for (const form of [$("question"), $("tile")]) {
  form.addEventListener("input", event => {
    forget_link(event.target.id);
    clearTimeout(pause), $("result").setAttribute("aria-busy", "true");
    pause = setTimeout(answer, 120);
  });
  form.addEventListener("submit", event => (event.preventDefault(), clearTimeout(pause), answer()));
}
$("numbers").addEventListener("change", event => (asserted = event.target.value, answer()));
async function copy(text, button) {
  const words = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Select it, and press Ctrl+C";
  }
  setTimeout(() => button.textContent = words, 2000);
}
for (const button of document.querySelectorAll("[data-copies]"))
  button.onclick = () => copy($(button.dataset.copies).textContent, button);
$("copy_link").onclick = event => copy(location.href, event.currentTarget);
addEventListener("hashchange", () => (read_address(), answer()));
read_address();
answer();
