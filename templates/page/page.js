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
  if (rule) element.append(" ", made("span", `[${rule}]`, "rule"));
  return element;
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
  byId("words").replaceChildren(...frame.words.split("\n").filter(Boolean).map((line) => made("p", line)));
  byId("position").textContent = frame.position;
  if (current === frames.length - 1 && composer) composer.draw();
}

function told(step) {
  const list = made("ul");
  for (const [seat, move, how] of step.moves) {
    list.append(made("li", `${seat}: ${move ?? says.secret}${says[how] ? ` (${says[how]})` : ""}`));
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
    const busy = event.target.closest("input, textarea, select, #map") || event.ctrlKey || event.altKey || event.metaKey;
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

// An order is a text; a conditional is written `if red: any, then a1-a2, else b1-b2`; a line of JSON is a mapping.
function entry(line) {
  if (line.startsWith("{")) {
    try {
      return JSON.stringify(JSON.parse(line));
    } catch {
      return scalar(line);
    }
  }
  const found = line.match(/^if\s+([^:]+):\s*(.+?),\s*then\s+(.+?)(?:,\s*else\s+(.+))?$/i);
  if (!found) return scalar(line);
  const [, seat, move, then, otherwise] = found.map((part) => part?.trim());
  const arms = { if: { [seat]: move }, then };
  if (otherwise) arms.else = otherwise;
  return JSON.stringify(arms);
}

function form({ orders, draft, standing, say, to }) {
  const out = [`game: ${scalar(shown.game)}`, `seat: ${scalar(shown.seat)}`, `turn: ${shown.turn}`];
  out.push(`key: ${scalar(shown.order.key)}`);
  if (orders.length) out.push(...(draft ? ["draft: true"] : []), "orders:", ...orders.map((order) => `  - ${entry(order)}`));
  if (standing.length) {
    out.push("standing:");
    for (const line of standing) {
      const [name, ...rest] = line.split(":");
      const value = rest.join(":").trim();
      out.push(`  ${scalar(name.trim())}: ${/^[[{]/.test(value) ? value : scalar(value)}`);
    }
  }
  if (say) out.push(...(to === "all" ? [`say: ${scalar(say)}`] : ["say:", `  ${scalar(to)}: ${scalar(say)}`]));
  return [...out, "end: orders", ""].join("\n");
}

// --- the place for orders -------------------------------------------------------------------------------------------

const MAIL_LINK = 1900; // some mail programs cut longer links

class Composer {
  constructor(order) {
    this.order = order;
    this.moves = order.offer?.moves ?? [];
    this.words = this.moves.map((one) => new Set(one.move.split(/[^\p{L}\p{N}]+/u)));
    this.places = [];
    this.chosen = null;
    this.prefill();
    byId("composer").addEventListener("submit", (event) => event.preventDefault());
    byId("composer").addEventListener("input", () => this.write());
    byId("filter")?.addEventListener("input", () => this.list());
    byId("filter")?.addEventListener("keydown", (event) => this.takeFirst(event));
    byId("clear")?.addEventListener("click", () => this.pick([]));
    byId("save").addEventListener("click", () => this.save());
    byId("copy").addEventListener("click", () => this.copy());
    byId("mail").addEventListener("click", (event) => this.something() || event.preventDefault());
    this.list();
  }

  // What stands already is there to be changed.
  prefill() {
    const written = this.order.stands.orders.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
    if (this.moves.some((one) => one.move === written[0])) this.chosen = written.shift();
    else if (byId("hand") && written.length) byId("hand").value = written.shift();
    byId("later").value = written.join("\n");
    byId("draft").checked = this.order.stands.draft;
    const said = Object.entries(this.order.standing);
    const spoken = ([name, value]) => `${name}: ${typeof value === "object" ? JSON.stringify(value) : value}`;
    if (byId("standing")) byId("standing").value = said.map(spoken).join("\n");
  }

  fitting() {
    const wanted = (byId("filter")?.value ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (one, i) =>
      this.places.every((place) => this.words[i].has(place)) &&
      wanted.every((word) => one.move.toLowerCase().includes(word));
    return this.moves.filter(fits);
  }

  list() {
    if (!byId("moves")) return this.write();
    const found = this.fitting();
    byId("count").textContent = found.length
      ? fill(says.found, { count: found.length, all: this.moves.length })
      : says.none;
    byId("moves").replaceChildren(...found.map((one) => this.choice(one)));
    byId("places").hidden = !this.places.length;
    byId("places").firstElementChild.textContent = this.places.join(" + ");
    this.write();
  }

  choice(one) {
    const label = made("label");
    const button = made("input");
    Object.assign(button, { type: "radio", name: "move", value: one.move, checked: one.move === this.chosen });
    button.addEventListener("change", () => this.choose(one.move));
    label.append(button, one.move);
    return label;
  }

  choose(move) {
    this.chosen = move;
    for (const button of byId("moves").querySelectorAll("input")) button.checked = button.value === move;
    const one = this.moves.find((other) => other.move === move);
    const does = one.does.map((said) => sentence("p", said));
    const warns = one.warns.map((said) => sentence("p", said, "warn"));
    byId("effect").replaceChildren(made("p", fill(says.chosen, { move })), ...does, ...warns);
    this.write();
  }

  takeFirst(event) {
    const [first] = this.fitting();
    if (event.key !== "Enter" || !first) return;
    event.preventDefault();
    this.choose(first.move);
  }

  // Clicked places narrow the list; when one move is left, it is meant.
  pick(places) {
    this.places = places;
    let found = this.fitting();
    if (!found.length && places.length > 1) {
      this.places = places.slice(-1);
      found = this.fitting();
    }
    this.list();
    if (this.places.length && found.length === 1) this.choose(found[0].move);
    this.mark();
  }

  toggle(place) {
    this.pick(this.places.includes(place) ? this.places.filter((one) => one !== place) : [...this.places, place]);
  }

  orders() {
    const now = this.chosen !== null ? [this.chosen] : byId("hand") ? lines(byId("hand").value) : [];
    return [...now, ...lines(byId("later").value)];
  }

  said() {
    const standing = byId("standing") ? lines(byId("standing").value) : [];
    const say = byId("say") ? clean(byId("say").value).trim() : "";
    return { orders: this.orders(), draft: byId("draft").checked, standing, say, to: byId("to")?.value };
  }

  something() {
    const { orders, standing, say } = this.said();
    const any = orders.length || standing.length || say;
    if (!any) byId("note").textContent = says.empty;
    return Boolean(any);
  }

  write() {
    const text = form(this.said());
    byId("yaml").textContent = text;
    const subject = encodeURIComponent(`Re: ${shown.game}, ${fill(says.turn, { turn: shown.turn })}`);
    const body = encodeURIComponent(text.replace(/\n/g, "\r\n"));
    const link = `mailto:${encodeURIComponent(this.order.to).replace(/%40/g, "@").replace(/%2B/g, "+")}?subject=${subject}&body=${body}`;
    byId("mail").href = link;
    byId("note").textContent = link.length > MAIL_LINK ? says.long : "";
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
      getSelection().selectAllChildren(byId("yaml")); // a page from a file may not write to the clipboard
    }
  }

  // --- the board ----------------------------------------------------------------------------------------------------

  draw() {
    const svg = byId("map").querySelector("svg");
    if (!svg || !this.moves.length) return;
    svg.setAttribute("role", "group");
    const spots = located(svg, new Set(this.words.flatMap((words) => [...words])));
    const radius = reach(spots);
    for (const [place, at] of spots) svg.append(this.target(place, at, radius));
    this.mark();
  }

  target(place, [x, y], radius) {
    const spot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    const count = this.words.filter((words) => words.has(place)).length;
    const facts = { cx: x, cy: y, r: radius, class: "target", role: "button", tabindex: 0, "data-place": place };
    facts["aria-label"] = fill(says.place, { place, count });
    for (const [name, value] of Object.entries(facts)) spot.setAttribute(name, value);
    spot.addEventListener("click", () => this.toggle(place));
    spot.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.toggle(place);
    });
    return spot;
  }

  mark() {
    for (const spot of byId("map").querySelectorAll(".target")) {
      spot.setAttribute("aria-pressed", String(this.places.includes(spot.dataset.place)));
    }
  }
}

// Where the places of these names are on the board: at their own label, or where the label of a column meets that of a
// row (a1). A label stands beside its place, so the nearest shape to it is the place itself.
function located(svg, names) {
  const within = svg.getScreenCTM().inverse();
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    const { x, y } = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(within);
    return [x, y];
  };
  const texts = [...svg.querySelectorAll("text")].map((text) => [text.textContent.trim(), middle(text)]);
  const labels = new Map([...texts].reverse());
  const shapes = [...svg.querySelectorAll("circle, g[transform^='translate']")].map(middle);
  const crossings = [...names].map((name) => name.match(/^(\p{L})(\d+)$/u)).filter(Boolean);
  const columns = axis(texts, new Set(crossings.map(([, column]) => column)), 1);
  const rows = axis(texts, new Set(crossings.map(([, , row]) => row)), 0);
  const spots = new Map();
  for (const name of names) if (name.length > 1 && labels.has(name)) spots.set(name, snapped(labels.get(name), shapes));
  for (const [name, column, row] of crossings) {
    if (!spots.has(name) && columns.has(column) && rows.has(row)) spots.set(name, [columns.get(column)[0], rows.get(row)[1]]);
  }
  return trusted(spots, labels);
}

// The labels along one side: of all lines across (1) or down (0) the board, the one with most of these words.
function axis(texts, words, along) {
  const used = texts.filter(([said]) => words.has(said));
  const beside = ([, at]) => new Map(used.filter(([, other]) => Math.abs(other[along] - at[along]) < ALIGNED));
  return used.map(beside).sort((one, other) => other.size - one.size)[0] ?? new Map();
}

const ALIGNED = 10; // numbers of one and of two digits have their middles a little apart

// A shape that two labels are near to is neither's place: then the labels themselves are. Places that still meet are
// left to the list.
function trusted(spots, labels) {
  const meet = () => [...spots].filter(([name, at]) => [...spots].some(([other, spot]) => other !== name && far(spot, at) < 12));
  for (const [name] of meet()) if (labels.has(name)) spots.set(name, labels.get(name));
  for (const [name] of meet()) spots.delete(name);
  return spots;
}

const LABEL_REACH = 48; // units of the board between a label and the middle of its place, at most

const far = ([x, y], [u, v]) => Math.hypot(x - u, y - v);

function snapped(label, shapes) {
  const near = shapes.filter((shape) => far(shape, label) < LABEL_REACH);
  return near.sort((one, other) => far(one, label) - far(other, label))[0] ?? label;
}

// So large that targets of neighbours touch and do not overlap.
function reach(spots) {
  const at = [...spots.values()];
  let least = 80;
  for (let i = 0; i < at.length; i++) for (let j = 0; j < i; j++) least = Math.min(least, far(at[i], at[j]));
  return Math.max(6, least / 2);
}

const composer = shown.order ? new Composer(shown.order) : null;
steer();
show(current);
if (composer?.chosen && byId("moves")) composer.choose(composer.chosen);
