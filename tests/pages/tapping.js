// Runs in a page of a game: does each task there with the events of a player, and returns what went wrong with it.
(tasks) => {
  const at = (id) => document.getElementById(id);
  const spot = (place) => document.querySelector(`[data-place="${CSS.escape(place)}"]`);
  const order = () => {
    const said = at("yaml").textContent.match(/\n {2}- (.*)\n/)?.[1] ?? "";
    return said.startsWith("'") ? said.slice(1, -1).replaceAll("''", "'") : said;
  };
  const key = (element) => element.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  const tap = (place, typed) => typed ? key(spot(place)) : spot(place).dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const answered = (step) => at(`step-${step}-tick`)?.checked || Boolean(document.querySelector(`input[name="step-${step}"]:checked`));
  const chosen = (step, edge) => (at(`step-${step}-${edge}`) ?? at(`step-${step}-tick`))?.checked;
  const inList = (step, edge) => (at(`step-${step}-${edge}`) ?? at(`step-${step}-tick`)).click();
  const press = (step, edge, name) => {
    const button = [...at("fits").querySelectorAll("button")].find((one) => one.textContent === name);
    if (button) button.click();
    else inList(step, edge);
  };
  const unasked = (step) => at(`step-${step}-tick`)?.checked || document.querySelector(`input[name="step-${step}"]:checked`)?.value;
  const answer = ({ step, edge, places, alone, name }, typed) => {
    if (unasked(step)) return "an answer was given unasked";
    if (!places.length) return void inList(step, edge);
    for (const place of places) tap(place, typed);
    if (alone) return;
    if (answered(step)) return "an answer was taken that others begin with";
    press(step, edge, name);
  };
  const moved = ({ answers, text, typed }) => {
    for (const one of answers) {
      const fault = answer(one, typed);
      if (fault) return fault;
      if (!chosen(one.step, one.edge)) return `not chosen: ${one.name}; ${at("tapped").textContent}`;
    }
    return order() === text ? "" : `ordered: ${order()}`;
  };
  const refused = ({ answers, pair, typed }) => {
    for (const one of answers) answer(one);
    for (const place of pair) tap(place, typed);
    if (order()) return `ordered: ${order()}`;
    const last = spot(pair[1]);
    const seen = at("tapped").className === "refused" || last.getAttribute("aria-pressed") === "true";
    return seen && at("tapped").textContent ? "" : "nothing is seen of the last tap";
  };
  document.body.style.display = "none"; // events do the same in a page that is not laid out, five times as fast
  const found = tasks.map((task) => {
    at("anew").click();
    return order() ? "something is chosen from the start" : (task.pair ? refused : moved)(task);
  });
  document.body.style.display = "";
  return found;
}
