"use strict";
// Policies on the way, and groups side by side.

const signals = (chapter, reward, costs) =>
  [`reward ${number(reward, 4)}`, ...chapter.costs.map((cost, i) => `${cost} ${number(costs?.[i], 4)}`)].join(", ");

// The drawings or tables of a chapter's policies.
const shownPolicies = (chapter) => (chapter.grid ?? chapter.tables)?.policies ?? {};

// A policy as a table: the states where most time is spent, and what is done there.
function policyTable(rows) {
  const percent = (share) => (share > 0 && share < 0.05 ? "< 0.1 %" : `${number(share, share < 9.95 ? 1 : 0)} %`);
  const actions = (row) =>
    row.actions.map(([action, share]) => (share > 99.95 ? action : `${action} ${percent(share)}`)).join(", ");
  const body = rows.map((row) => [row.state, percent(row.share), [actions(row) || "–", { class: "words" }]]);
  return table(null, ["state", "time", "action"], body, "policy");
}
const drawPolicy = ({ grid }, policy, { size, text }) =>
  grid ? worlds(grid, policy, { size, text }) : policyTable(policy);

// What a learner did at a step: its last policy that is stored by then.
function policyCard(chapter, learner, step, size) {
  const now = (shownPolicies(chapter)[learner.label] ?? []).filter((one) => one.step <= step).at(-1);
  const title = element("h3", {}, who(learner));
  if (!now)
    return element("figure", { class: "card" }, title, element("div", { class: "empty" }, "run 0 is not stored"));
  const prices = now.prices.length ? `, price ${now.prices.map((price) => significant(price)).join(", ")}` : "";
  return element(
    "figure",
    { class: "card" },
    title,
    sub(`epoch ${whole(now.epoch)}, from round ${whole(now.step)}${prices}`),
    drawPolicy(chapter, now.policy, { size, text: `${learner.label} in epoch ${now.epoch}` }),
    sub(`followed for ever: ${signals(chapter, now.reward, now.costs)}`),
  );
}

function optimumCard(chapter, size) {
  const { grid, tables, levels } = chapter;
  const policy = (grid ?? tables).optimal;
  if (!policy) return null;
  return element(
    "figure",
    { class: "card" },
    element("h3", {}, "optimal policy"),
    sub("of the true model"),
    drawPolicy(chapter, policy, { size, text: "the optimal policy" }),
    sub(signals(chapter, levels.optimal?.reward, levels.optimal?.costs)),
  );
}

// The environment and the place of the slider that a reader has chosen.
let lookAt = null;
let lookWhen = null;

function policies() {
  const seen = chaptersNow().filter((one) => Object.values(shownPolicies(one)).some((list) => list.length));
  if (!seen.length)
    return bodyOf("policies").replaceChildren(
      note("No policies are shown: run 0 of no learner is stored, or there are more states than a table can show."),
    );
  const chapter = seen.find(({ name }) => name === lookAt) ?? seen[0];
  const size = chapter.grid?.boxes ? [108] : [215];
  const stored = Object.values(shownPolicies(chapter)).flatMap((list) => list.map(({ step }) => step));
  const steps = unique([...stored, chapter.rounds]).sort((a, b) => a - b);
  const output = element("output", { for: "epochs" });
  const places = element("div", { class: "figures", id: "policy-worlds" });
  const draw = () => {
    const step = steps[slider.value];
    output.textContent = `round ${whole(step)} of ${whole(chapter.rounds)}`;
    const cards = chapter.learners.filter(isShown).map((learner) => policyCard(chapter, learner, step, size));
    places.replaceChildren(...[...cards, optimumCard(chapter, size)].filter(Boolean));
  };
  const moved = () => {
    lookWhen = slider.value;
    draw();
  };
  const value = Math.min(lookWhen ?? Infinity, steps.length - 1);
  const slider = element("input", {
    type: "range",
    id: "epochs",
    min: 0,
    max: steps.length - 1,
    step: 1,
    value,
    "aria-label": "Round",
    oninput: moved,
  });
  const experiments = Object.fromEntries(seen.map((one) => [one.title, one.name]));
  bodyOf("policies").replaceChildren(
    note(
      "The policies of run 0 at the epochs that are stored, each beside what it would earn in the true model if it were followed for ever. " +
        (chapter.grid
          ? "Grey arrows stand where the policy never comes in the long run."
          : "Tables have the states where most time is spent."),
    ),
    segments(
      "experiment",
      experiments,
      () => chapter.name,
      (one) => {
        lookAt = one;
        lookWhen = null;
        policies();
      },
    ),
    element("div", { class: "slider" }, element("label", { for: "epochs" }, "time"), slider, output),
    places,
    chapter.grid ? keys(chapter.grid) : "",
  );
  draw();
}

// The experiments on one environment in several groups, beside each other.
let sideBySide = null;
function groupsBeside() {
  const names = unique(data.chapters.map((chapter) => chapter.environment)).filter(
    (name) => unique(data.chapters.filter((one) => one.environment === name).map((one) => one.group)).length > 1,
  );
  if (!names.length) return hide("presets");
  const name = names.includes(sideBySide) ? sideBySide : names[0];
  const seen = data.chapters.filter((chapter) => chapter.environment === name);
  const ranges = Object.fromEntries(
    ["reward", ...seen[0].costs.map((_, i) => `cost_${i}`)].map((quantity, i) => [
      quantity,
      rangeOf(
        seen,
        quantity,
        seen.flatMap((chapter) => levelsOf(chapter, i).map(([, at]) => at)),
      ),
    ]),
  );
  const titleOf = (one) => data.chapters.find((chapter) => chapter.environment === one).title;
  bodyOf("presets").replaceChildren(
    segments(
      "environment",
      Object.fromEntries(names.map((one) => [titleOf(one), one])),
      () => name,
      (one) => {
        sideBySide = one;
        groupsBeside();
      },
    ),
    element(
      "div",
      { class: "figures" },
      seen.map((chapter) =>
        card(chapter, aboutGroup(chapter.group), averages(chapter, { ranges }), { said: ended(chapter) }),
      ),
    ),
  );
}
