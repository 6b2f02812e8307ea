"use strict";
// The first screen: what was run, the controls, and the paper's figure with who ended where.

function lede() {
  const shown = data.chapters.filter((chapter) => presetOf(chapter) === presets[0]);
  const names = shown.map(titleOf).join(", ");
  const runs = unique(shown.map((chapter) => whole(chapter.runs))).join("/");
  const learners = unique(shown.flatMap((chapter) => chapter.learners.map((learner) => learner.label))).length;
  byId("lede").replaceChildren(
    `The experiments of Provodin et al. (2022): ${names}; ${learners} learners, ${runs} runs, ${presets.length > 1 ? "presets" : "preset"} ${presets.join(", ")}, seed ${unique(data.chapters.map((chapter) => chapter.seed)).join(", ")}. `,
    ...data.verdict.flatMap((text) => [element("b", {}, ...sentence(text)), " "]),
  );
  const lacks = byId("missing");
  if (data.missing.length) {
    lacks.hidden = false;
    lacks.replaceChildren("This report is not complete. ", ...data.missing.flatMap((text) => [...sentence(text), " "]));
  }
}

function contents() {
  const names = {
    figure: "Figure",
    claims: "Claims",
    environments: "Environments",
    ends: "Numbers",
    regret: "Regret",
    terms: "Its terms",
    effort: "Cost of learning",
    policies: "Policies",
    presets: "Presets",
    ablation: "Ablation",
    provenance: "Provenance",
  };
  byId("contents").append(
    ...Object.entries(names)
      .filter(([id]) => !byId(id).hidden)
      .map(([id, name]) => element("a", { href: `#${id}` }, name)),
  );
}

function controls() {
  const chips = kinds.map((label) => {
    const learner = kindOf(label);
    return element(
      "button",
      {
        type: "button",
        class: "chip",
        "aria-pressed": "true",
        "data-learner": label,
        onclick: (event) => {
          state.hidden.has(label) ? state.hidden.delete(label) : state.hidden.add(label);
          event.currentTarget.setAttribute("aria-pressed", String(!state.hidden.has(label)));
          changed();
        },
      },
      element("i", { style: `background:${colourOf(learner)}` }),
      label,
    );
  });
  byId("controls").append(
    ...[
      presets.length > 1
        ? segments(
            "preset",
            Object.fromEntries(presets.map((preset) => [preset, preset])),
            () => state.preset,
            (preset) => {
              state.preset = preset;
              changed();
            },
          )
        : null,
      segments(
        "band",
        BANDS,
        () => state.band,
        (band) => {
          state.band = band;
          changed();
        },
      ),
      element("span", { class: "chips", role: "group", "aria-label": "Learners" }, chips),
    ].filter(Boolean),
  );
}

const subtitle = (chapter) =>
  `${chapter.runs} ${chapter.runs === 1 ? "run" : "runs"} × ${whole(chapter.rounds)} rounds, means over ${whole(chapter.window)} rounds`;
const hasCurves = (chapter) => chapter.learners.some((learner) => learner.curves.reward);

function card(chapter, title, make, { said = null, caption = null, about = subtitle(chapter) } = {}) {
  const enlarge = element(
    "button",
    {
      type: "button",
      class: "quiet",
      onclick: () => {
        made.classList.toggle("wide");
        enlarge.textContent = made.classList.contains("wide") ? "shrink" : "enlarge";
        drawChart(made.querySelector(".chart"));
      },
    },
    "enlarge",
  );
  const made = element(
    "figure",
    { class: "card", "data-chapter": chapter.name },
    element("header", {}, element("h3", {}, title), enlarge),
    sub(about),
    said,
    hasCurves(chapter) ? chart(make) : element("div", { class: "empty" }, "no runs are stored yet"),
    caption ? element("figcaption", {}, caption) : null,
  );
  made.setAttribute("aria-label", `${title}. ${chapter.verdict}`);
  return made;
}

// Who ended where, a line for each place.
function ended(chapter) {
  const at = (place) => chapter.learners.filter((learner) => learner.place === place);
  const cost = (learner) => number(learner.end.cost_0?.mean, 3);
  const reward = (learner) => number(learner.end.reward?.mean, 3);
  const line = (place, words, note) =>
    at(place).length
      ? element(
          "li",
          {},
          element("b", {}, words),
          " ",
          ...at(place).flatMap((learner, i) => {
            const more = note(learner);
            return [i ? ", " : "", who(learner), more ? element("span", { class: "range" }, ` ${more}`) : ""];
          }),
        )
      : null;
  const [first] = at("near")
    .filter((learner) => learner.settled)
    .sort((a, b) => a.settled - b.settled);
  return element(
    "ul",
    { class: "ended" },
    line("near", "Near the optimum:", (learner) =>
      [
        learner.settled
          ? `from ${whole(learner.settled)}${learner === first && at("near").length > 1 ? ", first" : ""}`
          : "",
        learner.end.cost_0?.low > chapter.budgets[0] + 0.02 * Math.abs(chapter.budgets[0])
          ? `cost ${cost(learner)}`
          : "",
      ]
        .filter(Boolean)
        .join(", "),
    ),
    line("safe", "Nearer the safe policy:", (learner) => `cost ${cost(learner)}`),
    line("over", "Far above the budget:", (learner) => `cost ${cost(learner)}`),
    line("short", "Short of the optimum:", (learner) => `reward ${reward(learner)}`),
    line("nowhere", "No runs yet:", () => ""),
  );
}

function mainFigures() {
  const cards = chaptersNow().map((chapter) =>
    card(chapter, titleOf(chapter), averages(chapter), { said: ended(chapter) }),
  );
  byId("main-figures").replaceChildren(...cards);
}

function figureNote() {
  const band = Object.entries(BANDS).find(([, value]) => value === state.band)[0];
  byId("figure-note").textContent =
    `Preset ${state.preset}: ${PRESETS[state.preset]}. Moving averages as in the paper; lines are means over the runs, bands ${band}. ` +
    "Dashed: the optimum, and the budget; dotted: the fast and the safe policy. Hover for values, drag to zoom, double-click to go back; the buttons above hide learners everywhere.";
}
