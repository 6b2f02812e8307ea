"use strict";
// What everything on the page shares: the data, the state of the controls, elements, numbers and colours.

const data = JSON.parse(document.getElementById("data").textContent);

const DASHES = ["solid", "dash", "dot", "dashdot", "longdash"];
const BANDS = { "± 1 sd": "sd", "95 % interval": "interval", "5–95 %": "quantiles", none: "none" };

const unique = (list) => [...new Set(list)];
// The groups of experiments, such as presets, of which one is shown at a time.
const groups = unique(data.chapters.map((chapter) => chapter.group));
const aboutGroup = (group) => (data.groups[group] ? `${group}: ${data.groups[group]}` : group);
const state = { group: groups[0], band: "sd", hidden: new Set() };
const listeners = [];
const chaptersNow = () => data.chapters.filter((chapter) => chapter.group === state.group);
const plural = (count, word) => `${whole(count)} ${word}${count === 1 ? "" : "s"}`;

function changed() {
  for (const listener of listeners) listener();
}
// Draws now and after every change of the controls, or of the group alone.
function live(draw, { onGroup = false } = {}) {
  let drawn = state.group;
  listeners.push(() => {
    if (!onGroup || drawn !== state.group) {
      drawn = state.group;
      draw();
    }
  });
  draw();
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== false && value != null) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child != null));
  return made;
}
const note = (...children) => element("p", { class: "note" }, ...children);
const sub = (...children) => element("p", { class: "sub" }, ...children);
const byId = (id) => document.getElementById(id);
const bodyOf = (id) => document.querySelector(`#${id} .body`);
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Numbers as a reader wants them: a real minus, thin spaces between thousands.
function number(x, decimals = 3) {
  if (x == null || Number.isNaN(x)) return "–";
  if (x === Infinity) return "never";
  const [before, after] = Math.abs(x).toFixed(decimals).split(".");
  const text = before.replace(/\B(?=(\d{3})+$)/g, "\u202f") + (after ? "." + after : "");
  return (x < 0 && /[1-9]/.test(text) ? "−" : "") + text;
}
const whole = (x) => number(x, 0);
function withRange(found, decimals = 3) {
  if (!found) return "–";
  // An interval stays in one piece, and may go to a line of its own.
  const range =
    found.low == null
      ? []
      : [" ", element("span", { class: "range" }, `[${number(found.low, decimals)}, ${number(found.high, decimals)}]`)];
  return element("span", {}, number(found.mean, decimals), ...range);
}
function significant(x, digits = 3) {
  if (x == null) return "–";
  return number(x, x === 0 ? 0 : Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(x)))));
}

// Six digits without zeros at the end, for limits and budgets.
const plainly = (x) => String(Number(x.toPrecision(6))).replace("-", "−");

// One for each kind of learner, the same as in the figures for print.
const colourOf = (learner) => data.colours[learner.kind] ?? "#8a8f98";
// Learners of one kind share a colour and differ in their dashes.
function dashOf(chapter, learner) {
  const same = chapter.learners.filter((other) => other.kind === learner.kind);
  return DASHES[same.indexOf(learner) % DASHES.length];
}
const isShown = (learner) => !state.hidden.has(learner.label);
const kinds = unique(data.chapters.flatMap((chapter) => chapter.learners.map((learner) => learner.label)));
const kindOf = (label) =>
  data.chapters.flatMap((chapter) => chapter.learners).find((learner) => learner.label === label);

const who = (learner) =>
  element("span", { class: "who" }, element("i", { style: `background:${colourOf(learner)}` }), learner.label);

// A sentence in which learners have their colours.
function sentence(text) {
  const names = [...kinds].sort((a, b) => b.length - a.length);
  const parts = names.length
    ? text.split(new RegExp(`(${names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`))
    : [text];
  return parts.map((part) => (names.includes(part) ? who(kindOf(part)) : part.replace(/(^|[\s([])-(?=\d)/g, "$1−")));
}

// A row of buttons of which one is pressed.
function segments(label, options, current, choose) {
  const buttons = Object.entries(options).map(([text, value]) =>
    element(
      "button",
      {
        type: "button",
        "aria-pressed": String(value === current()),
        "data-value": value,
        onclick: () => {
          choose(value);
          for (const other of buttons) other.setAttribute("aria-pressed", String(other.dataset.value === current()));
        },
      },
      text,
    ),
  );
  return element(
    "span",
    { class: "choice" },
    label,
    element("span", { class: "segments", role: "group", "aria-label": label }, buttons),
  );
}

function table(caption, head, rows, classes = "") {
  // On a narrow screen the rows of a wordy table are stacked, and every cell says what it is.
  const cell = (name, column) => (content) => {
    const [inner, attributes] = Array.isArray(content) ? content : [content, {}];
    return element(name, { "data-column": typeof column === "string" ? column : false, ...attributes }, inner ?? "–");
  };
  const headed = rows.map((row) => row.map((content, i) => cell("td", head[i])(content)));
  return element(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption ?? "table" },
    element(
      "table",
      { class: classes },
      caption ? element("caption", {}, caption) : null,
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          head.map((content) => element("th", { scope: "col", class: classes === "wordy" ? "words" : false }, content)),
        ),
      ),
      element(
        "tbody",
        {},
        headed.map((row) => element("tr", {}, row)),
      ),
    ),
  );
}

// Where runs end, in the words of every card and table.
const PLACES = {
  near: ["near the optimum", "#009e73"],
  safe: ["with the safe policy", "#56b4e9"],
  over: ["above the budget", "#d55e00"],
  short: ["short of the optimum", "#8a8f98"],
  nowhere: ["no runs yet", "#8a8f98"],
};
// How many runs end at a place: `17 of 30 runs`, and where the others end.
const runsAt = (ends, place) => `${whole(ends[place])} of ${plural(ends.runs, "run")}`;
const elsewhere = (ends) =>
  Object.keys(PLACES)
    .filter((place) => place !== ends.most && ends[place])
    .map((place) => `${whole(ends[place])} ${PLACES[place][0]}`);
// The limits of what is near, in words.
function nearWords(chapter) {
  const costs = chapter.costs
    .map((cost, i) => (chapter.limits.costs[i] == null ? null : `${cost} at most ${plainly(chapter.limits.costs[i])}`))
    .filter(Boolean);
  const reward = chapter.limits.reward;
  return reward == null ? "no policy meets the budgets" : [`reward at least ${plainly(reward)}`, ...costs].join(", ");
}
// By which round half of the runs have settled.
const halfSettled = (learner) =>
  learner.settled.half == null ? `never (${learner.settled.runs} of ${learner.runs} have)` : whole(learner.settled.half);
