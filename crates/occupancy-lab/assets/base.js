"use strict";
// What everything on the page shares: the data, the state of the controls, elements, numbers and colours.

const data = JSON.parse(document.getElementById("data").textContent);

const DASHES = ["solid", "dash", "dot", "dashdot", "longdash"];
const TITLES = { "marsrover-4x4": "Marsrover 4x4", "marsrover-8x8": "Marsrover 8x8", box: "Box" };
const BANDS = { "± 1 sd": "sd", "95 % interval": "interval", "5–95 %": "quantiles", none: "none" };
const PRESETS = {
  published: "what made the paper's figures: its code",
  paper: "the paper's text",
  sound: "the same learners as we would use them",
  own: "settings of its own",
};

const presetOf = (chapter) => chapter.preset ?? "own";
const unique = (list) => [...new Set(list)];
const presets = unique(data.chapters.map(presetOf));
const state = { preset: presets[0], band: "sd", hidden: new Set() };
const listeners = [];
const chaptersNow = () => data.chapters.filter((chapter) => presetOf(chapter) === state.preset);
const titleOf = (chapter) => TITLES[chapter.environment] ?? chapter.environment;

function changed() {
  for (const listener of listeners) listener();
}
// Draws now and after every change of the controls, or of the preset alone.
function live(draw, { onPreset = false } = {}) {
  let drawn = state.preset;
  listeners.push(() => {
    if (!onPreset || drawn !== state.preset) {
      drawn = state.preset;
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
  const [before, after] = Math.abs(x).toFixed(decimals).split(".");
  const text = before.replace(/\B(?=(\d{3})+$)/g, "\u202f") + (after ? "." + after : "");
  return (x < 0 && /[1-9]/.test(text) ? "−" : "") + text;
}
const whole = (x) => number(x, 0);
function withRange(found, decimals = 3) {
  if (!found) return "–";
  const range =
    found.low == null
      ? []
      : [element("span", { class: "range" }, ` [${number(found.low, decimals)}, ${number(found.high, decimals)}]`)];
  return element("span", {}, number(found.mean, decimals), ...range);
}
function significant(x, digits = 3) {
  if (x == null) return "–";
  return number(x, x === 0 ? 0 : Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(x)))));
}

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
  const cell = (name) => (content) => {
    const [inner, attributes] = Array.isArray(content) ? content : [content, {}];
    return element(name, attributes, inner ?? "–");
  };
  return element(
    "div",
    { class: "scroll" },
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
        rows.map((row) => element("tr", {}, row.map(cell("td")))),
      ),
    ),
  );
}
