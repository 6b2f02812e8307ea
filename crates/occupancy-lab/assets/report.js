"use strict";
// Makes the page: every section from the data; those under the controls again when these change.

function hide(id) {
  byId(id).hidden = true;
}

function themes() {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const set = (theme) => {
    root.dataset.theme = theme;
    redrawCharts();
  };
  set(dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => set(dark.matches ? "dark" : "light"));
  byId("theme").addEventListener("click", () => set(root.dataset.theme === "dark" ? "light" : "dark"));
  let before = null;
  addEventListener("beforeprint", () => {
    before = root.dataset.theme;
    root.dataset.theme = "light";
    // A third of the sheet's width, as in print.css.
    redrawCharts({ all: true, width: 395 });
  });
  addEventListener("afterprint", () => set(before));
}

// A heading that was jumped to stands below the bar that stays, however many lines that has.
function keepBelowBar() {
  const room = byId("controls").offsetHeight + 12;
  document.documentElement.style.setProperty("scroll-padding-top", `${room}px`);
}

themes();
lede();
controls();
claims();
for (const draw of [mainFigures, environments, regret, terms]) live(draw, { onGroup: true });
groupsBeside();
for (const draw of [figureNote, ends, effort, policies]) live(draw);
ablation();
provenance();
contents();
listeners.push(() => redrawCharts());
keepBelowBar();
addEventListener("resize", keepBelowBar);
