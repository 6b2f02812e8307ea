"use strict";
// The first screen: what was found, the controls, and the figure with where the runs ended.

function lede() {
  const shown = data.chapters.filter((chapter) => chapter.group === groups[0]);
  const names = shown.map(({ title }) => title).join(", ");
  const runs = unique(shown.map((chapter) => whole(chapter.runs))).join("/");
  const learners = unique(shown.flatMap((chapter) => chapter.learners.map((learner) => learner.label))).length;
  const seeds = unique(data.chapters.map((chapter) => chapter.seed)).join(", ");
  byId("title").textContent = data.title;
  const isPaper = data.paper && data.paper.title === data.title;
  const facts = [
    isPaper ? `The experiments of ${data.paper.name}: ${names}` : shown.length > 1 ? names : environmentOf(shown[0]),
    plural(learners, "learner"),
    `${runs} runs`,
    groups.length > 1 ? groups.join(", ") : "",
    seeds ? `seed ${seeds}` : "",
  ];
  byId("lede").replaceChildren(
    data.description ? element("span", { class: "description" }, `${data.description} `) : "",
    shown.length ? `${facts.filter(Boolean).join("; ")}.` : "",
  );
  // An experiment of one's own says where its runs end.
  const findings = isPaper || data.findings.length ? data.findings : shown.slice(0, 3).map(({ verdict }) => verdict);
  byId("findings").hidden = !findings.length;
  byId("findings").replaceChildren(...findings.map((text) => element("li", {}, ...sentence(text))));
  const lacks = byId("missing");
  if (data.missing.length) {
    lacks.hidden = false;
    lacks.replaceChildren("This report is not complete. ", ...data.missing.flatMap((text) => [...sentence(text), " "]));
  }
}

// An environment and its budgets.
function environmentOf(chapter) {
  if (!chapter) return "";
  const budgets = chapter.costs.map((cost, i) => `${cost} ≤ ${chapter.budgets[i] == null ? "∞" : plainly(chapter.budgets[i])}`);
  return [chapter.environment, plural(chapter.states, "state"), ...budgets].join(", ");
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
    ablation: "Sweeps",
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
      groups.length > 1
        ? segments(
            data.paper ? "preset" : "group",
            Object.fromEntries(groups.map((group) => [group, group])),
            () => state.group,
            (group) => {
              state.group = group;
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
  `${plural(chapter.runs, "run")} × ${plural(chapter.rounds, "round")}, means over ${whole(chapter.window)} rounds`;
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
    hasCurves(chapter) ? chart(make) : element("div", { class: "empty" }, "no runs are stored yet"),
    said,
    caption ? element("figcaption", {}, caption) : null,
  );
  made.setAttribute("aria-label", `${title}. ${chapter.verdict}`);
  return made;
}

// Where the runs ended, a line for each place: a learner stands where most of its runs are.
function ended(chapter) {
  const at = (place) => chapter.learners.filter((learner) => learner.ends.most === place);
  const [first] = chapter.learners
    .filter((learner) => learner.settled.half != null)
    .sort((a, b) => a.settled.half - b.settled.half);
  const detail = (learner) =>
    [
      runsAt(learner.ends, learner.ends.most),
      ...elsewhere(learner.ends),
      learner.settled.half == null
        ? ""
        : `half settled by ${whole(learner.settled.half)}${learner === first && chapter.learners.length > 1 ? ", first" : ""}`,
    ]
      .filter(Boolean)
      .join("; ");
  const line = ([place, [words]]) =>
    at(place).length
      ? element(
          "li",
          {},
          element("b", {}, `${words[0].toUpperCase()}${words.slice(1)}:`),
          ...at(place).flatMap((learner) => [
            " ",
            element(
              "span",
              { class: "one" },
              who(learner),
              learner.runs ? element("span", { class: "range" }, ` ${detail(learner)}`) : "",
            ),
          ]),
        )
      : null;
  return element("ul", { class: "ended" }, Object.entries(PLACES).map(line));
}

function mainFigures() {
  const cards = chaptersNow().map((chapter) =>
    card(chapter, chapter.title, averages(chapter), { said: ended(chapter) }),
  );
  byId("main-figures").replaceChildren(...cards);
}

function figureNote() {
  if (!groups.length) return hide("figure");
  const band = Object.entries(BANDS).find(([, value]) => value === state.band)[0];
  const near = chaptersNow().map((chapter) => `${chapter.title}: ${nearWords(chapter)}`);
  byId("figure-note").textContent =
    `${data.paper ? `Preset ${aboutGroup(state.group)}. ` : ""}Moving averages; lines are means over the runs, bands ${band}. ` +
    "Dashed: the optimum, and the budget; dotted: the fast and the safe policy. Hover for values, drag to zoom, double-click to go back; the buttons above hide learners everywhere. " +
    `Near the optimum, run by run over the last window, within ${significant(100 * data.tolerance)} % of the range from the safe policy to the optimum (${near.join("; ")}). ` +
    "A run has settled if it stays near to the end.";
}
