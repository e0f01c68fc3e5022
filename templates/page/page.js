"use strict";
// Steps through the turns of a game and, on a seat's page, writes its order form. Every text is set as text; only the
// boards are markup, made by our own templates, and the policy of the page lets nothing in them run.

const shown = JSON.parse(document.getElementById("shown").textContent);
const says = JSON.parse(document.getElementById("says").textContent);
const byId = (id) => document.getElementById(id);
const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (_, name) => facts[name]);

// A text is kept as lines that are new, and as stretches of the lines of all texts before it: where from, how many.
const log = [];
function unpacked(packed) {
  const found = [];
  for (let i = 0; i < packed.length; i++) {
    if (typeof packed[i] === "string") found.push(packed[i]);
    else found.push(...log.slice(packed[i], packed[i] + packed[++i]));
  }
  log.push(...found);
  return found.join("\n");
}

function made(tag, text, kind) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (kind) element.className = kind;
  return element;
}

function sentence(tag, [text, rule], kind) {
  const element = made(tag, text, kind);
  if (rule) element.append(" ", cited(rule));
  return element;
}

// A paragraph of the rules: a link to where it is told, on a page of its own or at the end of this one.
function cited(rule) {
  const { page, places } = shown.rules;
  if (!places[rule]) return made("span", `[${rule}]`, "rule");
  const link = made("a", `[${rule}]`, "rule");
  link.href = `${page}#${places[rule]}`;
  if (!page) link.addEventListener("click", () => (byId("rules").open = true));
  return link;
}

// --- the turns ------------------------------------------------------------------------------------------------------

const frames = shown.frames.map(({ turn, picture, words, position, steps }) => ({
  turn,
  picture: unpacked(picture),
  words: unpacked(words),
  position: unpacked(position).replaceAll("\n", " "),
  steps,
}));
let current = frames.length - 1;

function show(number) {
  current = Math.max(0, Math.min(frames.length - 1, number));
  const frame = frames[current];
  const place = fill(says.of, { number: current + 1, count: frames.length });
  byId("when").textContent = fill(says.turn, { turn: frame.turn });
  byId("slider").value = current;
  byId("slider").setAttribute("aria-valuetext", `${fill(says.turn, { turn: frame.turn })}. ${place}`);
  byId("first").disabled = byId("back").disabled = current === 0;
  byId("last").disabled = byId("on").disabled = current === frames.length - 1;
  byId("map").innerHTML = frame.picture;
  byId("story").replaceChildren(...frame.steps.flatMap(told));
  byId("words").replaceChildren(...frame.words.split(/\n{2,}/).map(described));
  byId("position").textContent = frame.position;
  composer?.draw();
}

// A group of the position in words: a line that begins with blanks is an item of a list below the one above.
function described(group) {
  const element = made("div");
  for (const line of group.split("\n").filter(Boolean)) {
    if (!line.startsWith(" ")) element.append(made("p", line));
    else {
      if (element.lastChild?.tagName !== "UL") element.append(made("ul"));
      element.lastChild.append(made("li", line.trim()));
    }
  }
  return element;
}

function told(step) {
  const list = made("ul");
  for (const [seat, move, how] of step.moves) {
    list.append(made("li", `${shown.named[seat] ?? seat}: ${move ?? says.secret}${says[how] ? ` (${says[how]})` : ""}`));
  }
  for (const said of step.told) list.append(sentence("li", said));
  return [made("h3", fill(says.turn, { turn: step.turn })), list.children.length ? list : made("p", says.nothing)];
}

function steer() {
  byId("slider").max = frames.length - 1;
  byId("slider").addEventListener("input", (event) => show(Number(event.target.value)));
  const ways = { first: () => 0, back: () => current - 1, on: () => current + 1, last: () => frames.length - 1 };
  for (const [id, where] of Object.entries(ways)) byId(id).addEventListener("click", () => show(where()));
  const keys = { ArrowLeft: ways.back, ArrowRight: ways.on, Home: ways.first, End: ways.last };
  document.addEventListener("keydown", (event) => {
    const busy = event.target.closest("input, textarea, select, #map, pre, .wide") || event.ctrlKey || event.altKey || event.metaKey;
    if (busy || !(event.key in keys)) return;
    event.preventDefault();
    show(keys[event.key]());
  });
}

// --- YAML -----------------------------------------------------------------------------------------------------------

// What the eye cannot see is not sent: controls, direction marks, halves of letters.
const clean = (text) =>
  text.replace(/\r\n?/g, "\n").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]/g, "")
    .replace(/\t/g, " ").replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "");
const lines = (text) => clean(text).split("\n").map((line) => line.trim()).filter(Boolean);

function scalar(text) {
  if (/^[A-Za-z0-9](?:[A-Za-z0-9 _+.\/()=,<>*~^;-]*[A-Za-z0-9_+.)*])?$/.test(text)) return text;
  return text.includes("\n") ? JSON.stringify(text) : `'${text.replace(/'/g, "''")}'`;
}

// An order is a text, or a mapping; a conditional may be written `if red: any, then a1-a2, else b1-b2`.
function read(line) {
  if (line.startsWith("{")) {
    try {
      return JSON.parse(line);
    } catch {
      return line;
    }
  }
  const found = line.match(/^if\s+([^:]+):\s*(.+?),\s*then\s+(.+?)(?:,\s*else\s+(.+))?$/i);
  if (!found) return line;
  const [, who, what, then, otherwise] = found.map((part) => part?.trim());
  return branch(who, what, then, otherwise);
}

// What `if` asks about: a name of the game's own, what any seat does, or what one seat does.
function branch(who, what, then, otherwise) {
  const asked = order.conditions.includes(who) ? { [who]: what } : who === "any" ? what : { seat: who, does: what };
  return { if: asked, then, ...(otherwise ? { else: otherwise } : {}) };
}

// A mapping that was written by hand, as the rules show it, is YAML as it stands.
const text = (said) => (/^\{.*\}$/.test(said) ? said : scalar(said));
// With blanks, at which a mail program may break it: a long word would leave its dash behind.
const spaced = (entry) => JSON.stringify(entry, null, 1).replace(/([{[])\n\s*|\n\s*(?=[}\]])/g, "$1").replace(/\n\s*/g, " ");
const written = (entry) => (typeof entry === "string" ? text(entry) : spaced(entry));

// An entry as a line that `read` understands again; a list of one thing is that thing.
function line(entry) {
  if (typeof entry === "string") return entry;
  const one = Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, Array.isArray(value) && value.length === 1 ? value[0] : value]));
  const asked = typeof one.if === "string" ? { seat: "any", does: one.if } : one.if ?? {};
  const [who, what] = "seat" in asked ? [asked.seat, asked.does] : Object.entries(asked)[0] ?? [];
  const said = `if ${who}: ${what}, then ${one.then}${one.else ? `, else ${one.else}` : ""}`;
  return JSON.stringify(read(said)) === JSON.stringify(one) ? said : JSON.stringify(entry);
}

function form({ orders, keys, draft, standing, none, say, to }) {
  const out = [`game: ${scalar(shown.game)}`, `seat: ${scalar(shown.seat)}`, `turn: ${shown.turn}`];
  out.push(`key: ${scalar(order.key)}`);
  if (orders.length) {
    for (const [name, word] of keys) out.push(`${scalar(name)}: ${scalar(word)}`);
    out.push(...(draft ? ["draft: true"] : []), "orders:", ...orders.map((entry) => `  - ${written(entry)}`));
  }
  if (standing.length) out.push("standing:", ...standing.map(([name, value]) => `  ${scalar(name)}: ${value}`));
  else if (none) out.push("standing: {}"); // unsaid they would stay
  if (say) out.push(...(to === "all" ? [`say: ${scalar(say)}`] : ["say:", `  ${scalar(to)}: ${scalar(say)}`]));
  return [...out, "end: orders", ""].join("\n");
}

// --- the choices ----------------------------------------------------------------------------------------------------

const END = -1; // where a move is complete

// The net of choices: whoever walks from its start to an end has spelt a legal move.
class Net {
  constructor({ start, nodes, says: told }) {
    this.start = start;
    this.told = told;
    this.nodes = nodes.map(([asks, ...edges]) => ({
      asks: asks < 0 ? "" : told[asks][0],
      edges: edges.map((edge) => this.edge(edge)),
    }));
    this.onMap = this.nodes.some(isOnMap);
  }

  edge([text, to, places = "", label = -1, cost = 0, notes = [], needs = "", changes = "", anyOrder = 0]) {
    const key = text.replace(/^[\s-]+(?=\p{L})/u, "").trim();
    const name = label < 0 ? key || says.nothing_of_it : this.told[label][0];
    const [where, needed, changed] = [places, needs, changes].map((said) => said.split(" ").filter(Boolean));
    const told = notes.map((note) => this.told[note]);
    return { text, to, cost, key, name, places: where, anyOrder: Boolean(anyOrder), notes: told, needs: needed, changes: changed };
  }

  // The choices that spell a text, or null.
  find(text, at = this.start) {
    if (at === END) return text ? null : [];
    for (const edge of this.nodes[at].edges) {
      const rest = text.startsWith(edge.text) ? this.find(text.slice(edge.text.length), edge.to) : null;
      if (rest) return [edge, ...rest];
    }
    return null;
  }
}

// The places of a choice come from the game. Nothing here reads them out of a text.
const isOnMap = ({ edges }) => edges.some((edge) => edge.places.length);

// Whether tapped places are the first ones of a choice, in its order; or some of them, where any order will do.
function beginsWith({ places, anyOrder }, tapped) {
  if (anyOrder) return new Set(tapped).size === tapped.length && tapped.every((place) => places.includes(place));
  return tapped.every((place, i) => places[i] === place);
}

// Whether they are all its places.
const isWhole = (edge, tapped) => edge.places.length === tapped.length && beginsWith(edge, tapped);

// The places that may be tapped next for a choice which the tapped ones begin.
function following({ places, anyOrder }, tapped) {
  return anyOrder ? places.filter((place) => !tapped.includes(place)) : places.slice(tapped.length, tapped.length + 1);
}

// One decision: what has been chosen of it so far.
class Choice {
  constructor(net) {
    this.net = net;
    this.path = [];
    this.follow([]);
  }

  get at() {
    return this.path.length ? this.path.at(-1).to : this.net.start;
  }

  get complete() {
    return this.at === END;
  }

  get text() {
    return this.path.map((edge) => edge.text).join("");
  }

  get cost() {
    return this.path.reduce((sum, edge) => sum + edge.cost, 0);
  }

  // The questions, those that are answered first.
  get steps() {
    const nodes = [this.net.start, ...this.path.map((edge) => edge.to)].filter((at) => at !== END);
    return nodes.map((at) => this.net.nodes[at]);
  }

  // Answers a question. Later answers stay where they mean the same; after another place all of them are asked anew.
  take(step, edge) {
    const moved = edge.places.length || this.path[step]?.places.length;
    const kept = moved ? [] : this.path.slice(step + 1).map((one, i) => [this.steps[step + 1 + i].asks, one]);
    this.path = [...this.path.slice(0, step), edge];
    this.follow(kept);
  }

  // Takes back the answer to a question and to those after it.
  withdraw(step) {
    this.path = this.path.slice(0, step);
  }

  // Answers with nothing where that is possible, or as before. An answer that adds to the move is never given unasked.
  follow(kept) {
    while (!this.complete) {
      const { asks, edges } = this.net.nodes[this.at];
      const before = kept.find(([asked]) => asked === asks)?.[1];
      const none = edges.find((edge) => !edge.text);
      const same = before && edges.find((edge) => edge.text === before.text && edge.name === before.name);
      const next = none && (same ?? none);
      if (!next) return;
      this.path.push(next);
    }
  }
}

// --- the place for orders -------------------------------------------------------------------------------------------

const MAIL_LINK = 1900; // some mail programs cut longer links

class Composer {
  constructor() {
    this.net = order.offer?.choices ? new Net(order.offer.choices) : null;
    this.queue = []; // orders before the one that is being chosen; the chosen ones with the choices they consist of
    this.spots = new Map();
    this.begin();
    this.prefill();
    byId("composer").addEventListener("submit", (event) => event.preventDefault());
    byId("composer").addEventListener("input", () => this.write());
    byId("filter")?.addEventListener("input", () => this.list());
    byId("filter")?.addEventListener("keydown", (event) => this.takeTyped(event));
    for (const kind of ["click", "keydown"]) byId("map").addEventListener(kind, (event) => this.touched(event));
    const buttons = { clear: () => this.pick(this.active, []), more: () => this.another(), anew: () => this.anew(), save: () => this.save(), copy: () => this.copy(), "if-add": () => this.branch() };
    for (const [id, does] of Object.entries(buttons)) byId(id)?.addEventListener("click", does);
    for (const id of ["then", "else"]) byId(`${id}-chosen`)?.addEventListener("click", () => this.insert(id));
    byId("mail").addEventListener("click", (event) => this.something() || event.preventDefault());
    this.list();
  }

  begin() {
    this.choice = this.net ? new Choice(this.net) : null;
    this.active = 0; // the question that the search field and the board answer
    this.places = []; // those that were tapped for it
    if (byId("filter")) byId("filter").value = "";
  }

  // What stands already is there to be changed.
  prefill() {
    const entries = [...order.stands.orders];
    const path = typeof entries[0] === "string" && this.net?.find(entries[0]);
    if (path) {
      this.choice.path = path;
      entries.shift();
    } else if (byId("hand") && entries.length) byId("hand").value = line(entries.shift());
    byId("later").value = entries.map(line).join("\n");
    byId("draft").checked = order.stands.draft;
    for (const select of document.querySelectorAll("select[data-key]")) select.value = order.stands.keys[select.dataset.key] ?? "";
    const rest = [];
    for (const [name, value] of Object.entries(order.standing)) {
      const select = document.querySelector(`select[data-standing="${CSS.escape(name)}"]`);
      if (select && [...select.options].some((option) => option.value === value)) select.value = value;
      else rest.push(`${name}: ${typeof value === "object" ? JSON.stringify(value) : value}`);
    }
    if (byId("standing")) byId("standing").value = rest.join("\n");
  }

  // --- the questions ------------------------------------------------------------------------------------------------

  wanted() {
    return (byId("filter")?.value ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  }

  // The answers to a question that fit the places and the words; only those to the active one are narrowed. Those that
  // need no further place come first.
  fitting(step) {
    const { edges } = this.choice.steps[step];
    if (step !== this.active) return edges;
    const wanted = this.wanted();
    const said = (edge) => `${edge.text} ${edge.name}`.toLowerCase();
    const found = edges.filter((edge) => beginsWith(edge, this.places) && wanted.every((word) => said(edge).includes(word)));
    if (!this.places.length) return found;
    return [...found.filter((edge) => isWhole(edge, this.places)), ...found.filter((edge) => !isWhole(edge, this.places))];
  }

  list() {
    this.tell("");
    if (this.choice) this.ask();
    this.enlist();
    this.write();
  }

  ask() {
    const held = document.activeElement?.closest("#steps") ? document.activeElement.id : "";
    const scrolled = new Map([...byId("steps").querySelectorAll(".moves")].map((box) => [box.id, box.scrollTop]));
    byId("steps").replaceChildren(...this.choice.steps.map((node, step) => this.question(node, step)));
    for (const box of byId("steps").querySelectorAll(".moves")) {
      box.scrollTop = scrolled.get(box.id) ?? 0;
      const chosen = box.querySelector(":checked")?.parentElement;
      const top = chosen ? chosen.offsetTop - box.offsetTop : box.scrollTop;
      if (top < box.scrollTop || top + chosen?.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top;
    }
    if (held) byId(held)?.focus();
    const count = this.fitting(this.active).length;
    const { asks, edges } = this.choice.steps[this.active];
    byId("count").textContent = !count ? says.none : fill(asks ? says.found_of : says.found, { asks, count, all: edges.length });
    byId("places").hidden = !this.places.length;
    byId("places").firstElementChild.textContent = this.places.join(" + ");
    this.effect();
    this.aim();
  }

  question({ asks, edges }, step) {
    const chosen = this.choice.path[step];
    if (edges.length === 1 && !edges[0].text) return "";
    if (edges.length === 2 && edges.some((edge) => !edge.text)) return this.tick(asks, edges, step, chosen);
    const box = made("fieldset");
    if (step === this.active && this.choice.steps.length > 1) box.className = "active";
    const list = made("div", undefined, "moves");
    list.id = `moves-${step}`;
    list.append(...this.fitting(step).map((edge) => this.answer(edge, step, chosen)));
    if (edges.some((edge) => edge.name.length > 14)) list.classList.add("wide");
    box.append(made("legend", asks || says.moves), list);
    return box;
  }

  answer(edge, step, chosen) {
    const label = made("label");
    const button = made("input");
    const at = this.choice.steps[step].edges.indexOf(edge);
    Object.assign(button, { type: "radio", name: `step-${step}`, id: `step-${step}-${at}`, value: edge.key, checked: edge === chosen, disabled: this.beyond(edge) });
    button.addEventListener("change", () => this.choose(step, edge));
    label.append(button, this.named(edge));
    return label;
  }

  tick(asks, edges, step, chosen) {
    const [none, some] = edges[0].text ? [edges[1], edges[0]] : edges;
    const label = made("label", undefined, "tick");
    const box = made("input");
    Object.assign(box, { type: "checkbox", id: `step-${step}-tick`, checked: chosen === some });
    box.addEventListener("change", () => this.choose(step, box.checked ? some : none));
    label.append(box, ` ${some.name === some.key ? asks : `${asks}: ${this.named(some)}`}`);
    return label;
  }

  named(edge) {
    return edge.cost && order.offer.purse ? `${edge.name} (${edge.cost})` : edge.name;
  }

  choose(step, edge, tapped = false) {
    this.choice.take(step, edge);
    const open = this.choice.complete ? step : this.choice.path.length;
    if (open !== this.active) {
      this.places = [];
      byId("filter").value = "";
    }
    this.active = open;
    this.list();
    if (tapped) this.tell(this.soFar(), [], "taken");
  }

  // Enter takes the move that was typed out, or the only one that fits; never one of several.
  takeTyped(event) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const typed = this.wanted().join(" ");
    if (!typed) return;
    const found = this.fitting(this.active);
    const plain = (text) => text.toLowerCase().split(/\s+/).filter(Boolean).join(" ");
    const exact = found.filter((edge) => [edge.text, edge.key, edge.name].some((text) => plain(text) === typed));
    const [edge, ...more] = exact.length ? exact : found;
    if (edge && !more.length && !this.beyond(edge)) this.choose(this.active, edge);
    else if (edge) byId("count").textContent = more.length ? fill(says.type_on, { count: found.length }) : fill(says.hindered, { move: edge.name });
  }

  soFar() {
    const { text, complete, steps } = this.choice;
    return fill(complete ? says.chosen : says.so_far, { move: text.trim(), asks: steps.at(-1).asks });
  }

  // What has been chosen, what it costs and does.
  effect() {
    const { path, complete } = this.choice;
    const found = [];
    if (path.some((edge) => edge.text)) {
      found.push(made("p", this.soFar()));
      found.push(...this.paid());
      for (const edge of path) found.push(...edge.notes.map((said) => sentence("p", said)));
    }
    byId("effect").replaceChildren(...found);
    if (byId("more")) byId("more").disabled = !complete;
    byId("anew").disabled = !this.places.length && !path.some((edge) => edge.text);
  }

  // What the orders before have taken out of the purse, which all share.
  get spent() {
    return this.queue.reduce((sum, { path }) => sum + path.reduce((cost, edge) => cost + edge.cost, 0), 0);
  }

  // Whether an order before it leaves too little in the purse for a choice, or one of the two is in the other's way.
  beyond(edge) {
    if (!this.queue.length) return false;
    const meets = (one, other) => one.needs.some((word) => other.changes.includes(word));
    const hinders = ({ path }) => path.some((other) => meets(edge, other) || meets(other, edge));
    const left = order.offer.purse ? order.offer.purse.amount - this.spent : Infinity;
    return edge.cost > left || this.queue.some(hinders);
  }

  paid() {
    const purse = order.offer.purse;
    if (!purse) return [];
    const left = purse.amount - this.spent - this.choice.cost;
    return [made("p", fill(says.costs, { cost: this.choice.cost, name: purse.name, left, amount: purse.amount }), "cost")];
  }

  // --- several orders -----------------------------------------------------------------------------------------------

  another() {
    if (!this.choice.complete) return;
    this.queue.push({ entry: this.choice.text, path: this.choice.path });
    this.anew();
  }

  anew() {
    this.begin();
    this.list();
    byId("filter").focus();
  }

  insert(id) {
    if (this.choice?.complete) byId(`if-${id}`).value = this.choice.text;
    this.write();
  }

  // The condition is written down; a chosen move that went into it is not sent by itself besides.
  branch() {
    const [who, what, then, otherwise] = ["if-who", "if-what", "if-then", "if-else"].map((id) => clean(byId(id).value).replace(/\n/g, " ").trim());
    if (!then) {
      byId("note").textContent = says.no_then;
      return;
    }
    this.queue.push({ entry: branch(who, what || "any", then, otherwise), path: [] });
    for (const id of ["if-what", "if-then", "if-else"]) byId(id).value = "";
    if (this.choice && [then, otherwise].includes(this.choice.text)) this.begin();
    this.list();
  }

  enlist() {
    const box = byId("queue");
    box.replaceChildren(...this.queue.map((one, i) => this.queued(one, i)));
    box.parentElement.hidden = !this.queue.length;
  }

  queued({ entry }, i) {
    const item = made("li");
    const ways = [["up", "↑", i > 0 && (() => this.queue.splice(i - 1, 2, this.queue[i], this.queue[i - 1]))], ["down", "↓", i + 1 < this.queue.length && (() => this.queue.splice(i, 2, this.queue[i + 1], this.queue[i]))], ["drop", "×", () => this.queue.splice(i, 1)]];
    item.append(made("span", line(entry), "code"));
    for (const [name, sign, does] of ways) {
      const button = made("button", sign);
      Object.assign(button, { type: "button", disabled: !does, id: `${name}-${i}` });
      button.setAttribute("aria-label", fill(says[name], { order: line(entry) }));
      if (does) button.addEventListener("click", () => (does(), this.list(), (byId(`${name}-${i}`) ?? byId("later")).focus()));
      item.append(button);
    }
    return item;
  }

  orders() {
    const now = this.choice?.complete && this.choice.text ? [this.choice.text] : byId("hand") ? lines(byId("hand").value).map(read) : [];
    return [...this.queue.map(({ entry }) => entry), ...now, ...lines(byId("later").value).map(read)];
  }

  standing() {
    const chosen = [...document.querySelectorAll("select[data-standing]")].filter((select) => select.value);
    const words = byId("standing") ? lines(byId("standing").value) : [];
    const pairs = words.map((said) => said.split(/:(.*)/s)).map(([name, value = ""]) => [name.trim(), value.trim()]);
    const values = pairs.map(([name, value]) => [name, /^[[{]/.test(value) ? value : scalar(value)]);
    return [...chosen.map((select) => [select.dataset.standing, scalar(select.value)]), ...values];
  }

  said() {
    const say = byId("say") ? clean(byId("say").value).trim() : "";
    const keys = [...document.querySelectorAll("select[data-key]")].filter((select) => select.value);
    const words = keys.map((select) => [select.dataset.key, select.value]);
    const standing = this.standing();
    const none = byId("standing") && !standing.length && Object.keys(order.standing).length;
    return { orders: this.orders(), keys: words, draft: byId("draft").checked, standing, none, say, to: byId("to")?.value };
  }

  something() {
    const { orders, standing, none, say } = this.said();
    const any = orders.length || standing.length || none || say;
    if (!any) byId("note").textContent = this.stays() || says.empty;
    return Boolean(any);
  }

  // A form without orders leaves what was ordered as it is; one without an order for now uses the first for later.
  stays() {
    if (this.choice && !this.choice.complete && !this.queue.length && this.orders().length) return says.promoted;
    return order.stands.orders.length && !this.orders().length ? says.stays : "";
  }

  write() {
    const text = form(this.said());
    byId("yaml").textContent = text;
    const subject = encodeURIComponent(`Re: ${shown.game}, ${fill(says.turn, { turn: shown.turn })}`);
    const body = encodeURIComponent(text.replace(/\n/g, "\r\n"));
    const link = `mailto:${encodeURIComponent(order.to).replace(/%40/g, "@").replace(/%2B/g, "+")}?subject=${subject}&body=${body}`;
    byId("mail").href = link;
    byId("note").textContent = link.length > MAIL_LINK ? says.long : this.stays();
  }

  save() {
    if (!this.something()) return;
    const file = `${shown.game}-${shown.seat}-${shown.turn}-orders.yml`;
    const link = made("a");
    link.href = URL.createObjectURL(new Blob([byId("yaml").textContent], { type: "text/yaml" }));
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    byId("note").textContent = fill(says.saved, { file });
  }

  async copy() {
    if (!this.something()) return;
    try {
      await navigator.clipboard.writeText(byId("yaml").textContent);
      byId("note").textContent = says.copied;
    } catch {
      getSelection().selectAllChildren(byId("yaml")); // a page from a file may not write to the clipboard by itself
      byId("note").textContent = document.execCommand("copy") ? says.copied : says.marked;
    }
  }

  // --- the board ----------------------------------------------------------------------------------------------------

  // Puts a spot on each place that the last board declares; another board has none.
  draw() {
    const svg = current === frames.length - 1 && this.net?.onMap ? byId("map").querySelector("svg") : null;
    const places = svg ? declared(svg) : new Map();
    const radius = reach([...places.values()]);
    this.spots = new Map([...places].map(([place, at]) => [place, spotted(place, at, radius)]));
    if (this.spots.size) svg.setAttribute("role", "group");
    svg?.append(...this.spots.values());
    if (byId("taps")) byId("taps").hidden = !this.spots.size;
    if (this.choice) this.aim();
  }

  // Marks the spots that may be tapped now, each with the number of choices it leads to.
  aim() {
    const open = this.choices(this.active, this.places);
    const counts = new Map([...this.choice.steps.keys()].flatMap((step) => [...this.choices(step, [])]));
    for (const [place, count] of [...this.choices(this.active, []), ...this.places.map((place) => [place, 1]), ...open]) counts.set(place, count);
    const chosen = new Set([...this.places, ...this.choice.path.flatMap((edge) => edge.places)]);
    const shows = this.choice.steps.length > 1 || this.places.length;
    for (const [place, spot] of this.spots) {
      mark(spot, place, counts.get(place) ?? 0, chosen.has(place), shows && open.has(place));
    }
  }

  // To how many choices of a question each place leads, after those that were tapped for it.
  choices(step, tapped) {
    const counts = new Map();
    for (const edge of this.choice.steps[step].edges) {
      if (!edge.places.length || !beginsWith(edge, tapped) || this.beyond(edge)) continue;
      for (const place of following(edge, tapped)) counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    return counts;
  }

  touched(event) {
    const place = event.target.closest("[data-place]")?.dataset.place;
    if (place === undefined || (event.type === "keydown" && event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    this.tap(place);
  }

  // A tap goes on with the places before it, or goes back to one of them, or begins anew at a place that can begin
  // something. Anything else is refused and changes nothing.
  tap(place) {
    byId("filter").value = "";
    const [step, places] = this.meant(place) ?? [];
    if (places) this.pick(step, places);
    else this.refuse(place);
  }

  // The question that a tap answers, and the places that are then tapped for it; null: nothing legal.
  meant(place) {
    const { active, places, choice } = this;
    const longer = [...places, place];
    const goes = (step, tapped) => choice.steps[step].edges.some((edge) => edge.places.length >= tapped.length && beginsWith(edge, tapped) && !this.beyond(edge));
    if (goes(active, longer)) return [active, longer];
    const at = places.lastIndexOf(place);
    if (at >= 0) return [active, this.without(at)];
    const step = [active, ...[...choice.steps.keys()].reverse()].find((one) => goes(one, [place]));
    return step === undefined ? null : [step, [place]];
  }

  // The tapped places after one of them is tapped again: the last one is taken back; an earlier one is gone back to.
  without(at) {
    const { places } = this;
    const anyOrder = this.choice.steps[this.active].edges.some((edge) => edge.anyOrder && beginsWith(edge, places));
    if (anyOrder) return places.filter((_, i) => i !== at);
    return places.slice(0, at === places.length - 1 ? at : at + 1);
  }

  // Answers a question by places. A choice is taken when its places are all tapped and no other begins with them; until
  // then the question has no answer.
  pick(step, places) {
    this.active = step;
    this.places = places;
    const found = this.fitting(step);
    const whole = places.length ? found.filter((edge) => isWhole(edge, places)) : [];
    if (found.length === 1 && whole.length === 1 && !this.beyond(whole[0])) return this.choose(step, whole[0], true);
    this.choice.withdraw(step);
    if (!places.length) this.choice.follow([]);
    this.list();
    if (places.length) this.tell(fill(says.tapped, { places: places.join(" + "), count: found.length }), whole);
  }

  refuse(place) {
    const { asks, edges } = this.choice.steps[this.active];
    const places = this.places.join(" + ");
    const fits = (edge) => edge.places.length > this.places.length && beginsWith(edge, [...this.places, place]);
    const why = edges.some(fits) ? says.hindered : !this.choice.steps.some(isOnMap) ? says.tapped_first : places ? says.tapped_wrong : this.active ? says.tapped_no_answer : says.tapped_no_start;
    this.tell(fill(why, { place, places, asks: asks || says.moves, move: place }), [], "refused");
  }

  // Says under the map what became of a tap, with a button for each choice whose places are all tapped. What was taken
  // is said aloud where it stands among the orders.
  tell(text, whole = [], kind = "") {
    if (!byId("taps")) return;
    const said = made("span", text);
    if (kind === "taken") said.setAttribute("aria-hidden", "true");
    byId("tapped").replaceChildren(...(text ? [said] : []));
    byId("tapped").className = kind;
    const step = this.active;
    const buttons = (whole.length > FEW ? [] : whole).map((edge) => {
      const button = made("button", this.named(edge));
      Object.assign(button, { type: "button", disabled: this.beyond(edge) });
      button.addEventListener("click", () => {
        this.choose(step, edge, true);
        this.spots.get(edge.places.at(-1))?.focus({ preventScroll: true });
      });
      return button;
    });
    byId("fits").replaceChildren(...buttons);
    byId("fits").hidden = !buttons.length;
  }
}

const FEW = 8; // of more choices with the same places the list is easier to read

// Where the places of a board are: its picture declares them, each on a line with its id and the middle of its place.
function declared(svg) {
  const said = lines(svg.querySelector("metadata")?.textContent ?? "").map((one) => one.split(" "));
  const places = said.filter((one) => one.length === 3).map(([id, x, y]) => [id, [Number(x), Number(y)]]);
  return new Map(places.filter(([, at]) => at.every(Number.isFinite)));
}

// So large that the spots of neighbours touch and do not overlap.
function reach(at) {
  let least = 80;
  for (let i = 0; i < at.length; i++) for (let j = 0; j < i; j++) least = Math.min(least, Math.hypot(at[i][0] - at[j][0], at[i][1] - at[j][1]));
  return Math.max(6, least / 2);
}

function spotted(place, [x, y], radius) {
  const spot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  for (const [name, value] of Object.entries({ cx: x, cy: y, r: radius, "data-place": place })) spot.setAttribute(name, value);
  return spot;
}

// A spot that leads to something is a button. The others only take taps, to say that they are refused.
function mark(spot, place, count, pressed, open) {
  const live = count || pressed || spot === document.activeElement;
  const button = { class: open ? "target open" : "target", role: "button", tabindex: 0, "aria-pressed": pressed, "aria-label": fill(says.place, { place, count }) };
  const facts = live ? button : { class: "spot", "aria-hidden": true };
  for (const name of [...Object.keys(button), "aria-hidden"]) {
    const value = name in facts ? String(facts[name]) : null;
    if (value === null) spot.removeAttribute(name);
    else if (spot.getAttribute(name) !== value) spot.setAttribute(name, value);
  }
}

const order = shown.order;
const composer = order ? new Composer() : null;
steer();
show(current);
