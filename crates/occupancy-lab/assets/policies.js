"use strict";
// Policies on the way, and presets side by side.

const signals = (chapter, reward, costs) =>
  [`reward ${number(reward, 4)}`, ...chapter.costs.map((cost, i) => `${cost} ${number(costs?.[i], 4)}`)].join(", ");

// What a learner did at a step: its last policy that is stored by then.
function policyCard(chapter, learner, step, size) {
  const now = (chapter.grid.policies[learner.label] ?? []).filter((one) => one.step <= step).at(-1);
  const title = element("h3", {}, who(learner));
  if (!now)
    return element("figure", { class: "card" }, title, element("div", { class: "empty" }, "run 0 is not stored"));
  const prices = now.prices.length ? `, price ${now.prices.map((price) => significant(price)).join(", ")}` : "";
  return element(
    "figure",
    { class: "card" },
    title,
    sub(`epoch ${whole(now.epoch)}, from round ${whole(now.step)}${prices}`),
    worlds(chapter.grid, now.panels, { size, text: `${learner.label} in epoch ${now.epoch}` }),
    sub(`followed for ever: ${signals(chapter, now.reward, now.costs)}`),
  );
}

function optimumCard(chapter, size) {
  const { grid, levels } = chapter;
  return element(
    "figure",
    { class: "card" },
    element("h3", {}, "optimal policy"),
    sub("of the true model"),
    worlds(grid, grid.optimal, { size, text: "the optimal policy" }),
    sub(signals(chapter, levels.optimal?.reward, levels.optimal?.costs)),
  );
}

// The environment and the place of the slider that a reader has chosen.
let lookAt = null;
let lookWhen = null;

function policies() {
  const seen = chaptersNow().filter(({ grid }) => grid && Object.values(grid.policies).some((list) => list.length));
  if (!seen.length) return bodyOf("policies").replaceChildren(note("No policies are stored for this preset."));
  const chapter = seen.find(({ environment }) => environment === lookAt) ?? seen[0];
  const size = chapter.grid.boxes ? [108] : [215];
  const stored = Object.values(chapter.grid.policies).flatMap((list) => list.map(({ step }) => step));
  const steps = unique([...stored, chapter.rounds]).sort((a, b) => a - b);
  const output = element("output", { for: "epochs" });
  const places = element("div", { class: "figures", id: "policy-worlds" });
  const draw = () => {
    const step = steps[slider.value];
    output.textContent = `round ${whole(step)} of ${whole(chapter.rounds)}`;
    const cards = chapter.learners.filter(isShown).map((learner) => policyCard(chapter, learner, step, size));
    places.replaceChildren(...cards, optimumCard(chapter, size));
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
  const environments = Object.fromEntries(seen.map((one) => [titleOf(one), one.environment]));
  bodyOf("policies").replaceChildren(
    note(
      "The policies of run 0 at the epochs that are stored, each beside what it would earn in the true model if it were followed for ever. " +
        "Grey arrows stand where the policy never comes in the long run.",
    ),
    segments(
      "environment",
      environments,
      () => chapter.environment,
      (one) => {
        lookAt = one;
        lookWhen = null;
        policies();
      },
    ),
    element("div", { class: "slider" }, element("label", { for: "epochs" }, "time"), slider, output),
    places,
    keys(chapter.grid),
  );
  draw();
}

let sideBySide = null;
function presetsBeside() {
  if (presets.length < 2)
    return bodyOf("presets").replaceChildren(
      element(
        "p",
        {},
        "Only preset ",
        element("b", {}, presets[0]),
        " is in this report. ",
        element("code", {}, "occupancy reproduce --preset all"),
        " adds the others.",
      ),
    );
  const names = unique(data.chapters.map((chapter) => chapter.environment)).filter(
    (name) => data.chapters.filter((chapter) => chapter.environment === name).length > 1,
  );
  const name = names.includes(sideBySide) ? sideBySide : names[0];
  const seen = data.chapters.filter((chapter) => chapter.environment === name);
  if (!seen.length)
    return bodyOf("presets").replaceChildren(element("p", {}, "No environment has runs under two presets."));
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
  bodyOf("presets").replaceChildren(
    segments(
      "environment",
      Object.fromEntries(names.map((one) => [TITLES[one] ?? one, one])),
      () => name,
      (one) => {
        sideBySide = one;
        presetsBeside();
      },
    ),
    element(
      "div",
      { class: "figures" },
      seen.map((chapter) =>
        card(chapter, `${presetOf(chapter)}: ${PRESETS[presetOf(chapter)]}`, averages(chapter, { ranges }), {
          said: ended(chapter),
        }),
      ),
    ),
  );
}
