"use strict";
// The sections of the page, each made from the data; those under the controls are made again when these change.

function lede() {
  const shown = data.chapters.filter((chapter) => presetOf(chapter) === presets[0]);
  const names = shown.map(titleOf).join(", "), runs = unique(shown.map((chapter) => whole(chapter.runs))).join("/");
  const learners = unique(shown.flatMap((chapter) => chapter.learners.map((learner) => learner.label))).length;
  byId("lede").replaceChildren(
    `The experiments of Provodin et al. (2022): ${names}; ${learners} learners, ${runs} runs, ${presets.length > 1 ? "presets" : "preset"} ${presets.join(", ")}, seed ${unique(data.chapters.map((chapter) => chapter.seed)).join(", ")}. `,
    ...data.verdict.flatMap((text) => [element("b", {}, ...sentence(text)), " "]));
  const lacks = byId("missing");
  if (data.missing.length) {
    lacks.hidden = false;
    lacks.replaceChildren("This report is not complete. ", ...data.missing.flatMap((text) => [...sentence(text), " "]));
  }
}

function contents() {
  const names = { figure: "Figure", claims: "Claims", environments: "Environments", ends: "Numbers", regret: "Regret", effort: "Cost of learning", policies: "Policies", presets: "Presets", ablation: "Ablation", provenance: "Provenance" };
  byId("contents").append(...Object.entries(names).filter(([id]) => !byId(id).hidden).map(([id, name]) => element("a", { href: `#${id}` }, name)));
}

function controls() {
  const chips = kinds.map((label) => {
    const learner = kindOf(label);
    return element("button", {
      type: "button", class: "chip", "aria-pressed": "true", "data-learner": label,
      onclick: (event) => {
        state.hidden.has(label) ? state.hidden.delete(label) : state.hidden.add(label);
        event.currentTarget.setAttribute("aria-pressed", String(!state.hidden.has(label)));
        changed();
      },
    }, element("i", { style: `background:${colourOf(learner)}` }), label);
  });
  byId("controls").append(...[
    presets.length > 1 ? segments("preset", Object.fromEntries(presets.map((preset) => [preset, preset])), () => state.preset, (preset) => { state.preset = preset; changed(); }) : null,
    segments("band", BANDS, () => state.band, (band) => { state.band = band; changed(); }),
    element("span", { class: "chips", role: "group", "aria-label": "Learners" }, chips),
  ].filter(Boolean));
}

const subtitle = (chapter) => `${chapter.runs} ${chapter.runs === 1 ? "run" : "runs"} × ${whole(chapter.rounds)} rounds, means over ${whole(chapter.window)} rounds`;
const hasCurves = (chapter) => chapter.learners.some((learner) => learner.curves.reward);

function card(chapter, title, make, { said = null, caption = null, sub = subtitle(chapter) } = {}) {
  const enlarge = element("button", { type: "button", class: "quiet", onclick: () => { made.classList.toggle("wide"); enlarge.textContent = made.classList.contains("wide") ? "shrink" : "enlarge"; drawChart(made.querySelector(".chart")); } }, "enlarge");
  const made = element("figure", { class: "card", "data-chapter": chapter.name },
    element("header", {}, element("h3", {}, title), enlarge),
    element("p", { class: "sub" }, sub), said,
    hasCurves(chapter) ? chart(make) : element("div", { class: "empty" }, "no runs are stored yet"),
    caption ? element("figcaption", {}, caption) : null);
  made.setAttribute("aria-label", `${title}. ${chapter.verdict}`);
  return made;
}

// Who ended where, a line for each place.
function ended(chapter) {
  const at = (place) => chapter.learners.filter((learner) => learner.place === place);
  const cost = (learner) => number(learner.end.cost_0?.mean, 3), reward = (learner) => number(learner.end.reward?.mean, 3);
  const line = (place, words, note) => at(place).length ? element("li", {}, element("b", {}, words), " ", ...at(place).flatMap((learner, i) => {
    const more = note(learner);
    return [i ? ", " : "", who(learner), more ? element("span", { class: "range" }, ` ${more}`) : ""];
  })) : null;
  const [first] = at("near").filter((learner) => learner.settled).sort((a, b) => a.settled - b.settled);
  return element("ul", { class: "ended" },
    line("near", "Near the optimum:", (learner) => [
      learner.settled ? `from ${whole(learner.settled)}${learner === first && at("near").length > 1 ? ", first" : ""}` : "",
      learner.end.cost_0?.low > chapter.budgets[0] + 0.02 * Math.abs(chapter.budgets[0]) ? `cost ${cost(learner)}` : "",
    ].filter(Boolean).join(", ")),
    line("safe", "Nearer the safe policy:", (learner) => `cost ${cost(learner)}`),
    line("over", "Far above the budget:", (learner) => `cost ${cost(learner)}`),
    line("short", "Short of the optimum:", (learner) => `reward ${reward(learner)}`),
    line("nowhere", "No runs yet:", () => ""));
}

function mainFigures() {
  const cards = chaptersNow().map((chapter) => card(chapter, titleOf(chapter), averages(chapter), { said: ended(chapter) }));
  byId("main-figures").replaceChildren(...cards);
}

function figureNote() {
  const band = Object.entries(BANDS).find(([, value]) => value === state.band)[0];
  byId("figure-note").textContent = `Preset ${state.preset}: ${PRESETS[state.preset]}. Moving averages as in the paper; lines are means over the runs, bands ${band}. `
    + "Dashed: the optimum, and the budget; dotted: the fast and the safe policy. Hover for values, drag to zoom, double-click to go back; the buttons above hide learners everywhere.";
}

function claims() {
  if (!data.claims.length) return hide("claims");
  const shown = presets.filter((preset) => data.claims.some((claim) => claim.findings.some((found) => found.preset === preset)));
  const words = { holds: "holds", fails: "does not hold", depends: "depends", missing: "not run" };
  const cell = (claim, preset) => {
    const found = claim.findings.find((finding) => finding.preset === preset);
    return found ? [element("span", {}, element("span", { class: `standing ${found.standing}` }, words[found.standing]), element("br"), element("span", { class: "range" }, ...sentence(found.evidence))), { class: "words" }] : "–";
  };
  const rows = data.claims.map((claim) => [[element("span", {}, claim.text, element("br"), element("span", { class: "range" }, claim.test)), { class: "words" }], ...shown.map((preset) => cell(claim, preset))]);
  bodyOf("claims").append(table(null, ["claim, and the test", ...shown], rows, "wordy"));
}

function environments() {
  const seen = data.chapters.filter((chapter) => presetOf(chapter) === state.preset && chapter.grid);
  if (!seen.length) return bodyOf("environments").replaceChildren(element("p", { class: "note" }, "No gridworld is among the experiments of this preset."));
  bodyOf("environments").replaceChildren(
    element("p", { class: "note" }, "The optimal policy within the budget: arrows are as dark as their probability, discs as large as the share of time. The fast way is the best without a budget, the safe way the best at the least cost."),
    element("div", { class: "figures" }, seen.map((chapter) => {
      const { grid, levels } = chapter, colours = { fast: "#d55e00", safe: "#009e73" };
      const ways = Object.entries(grid.ways).filter(([, way]) => way).map(([name, way]) => ({ way, colour: colours[name], shift: name === "fast" ? 4 : -4 }));
      const row = (name, level) => level && [name, number(level.reward, 4), ...level.costs.map((cost) => number(cost, 4))];
      return element("figure", { class: "card" }, element("header", {}, element("h3", {}, titleOf(chapter))),
        element("p", { class: "sub" }, `${chapter.states} states, budget ${chapter.costs.map((cost, i) => `${cost} ≤ ${chapter.budgets[i] ?? "∞"}`).join(", ")}`),
        worlds(grid, grid.optimal, { size: grid.boxes ? 165 : 300, ways, text: `${titleOf(chapter)}, the optimal policy` }),
        keys(grid, true),
        table(null, ["", "reward", ...chapter.costs], [row("optimum", levels.optimal), row("fast", levels.fast), row("safe", levels.safe)].filter(Boolean)));
    })));
}

function ends() {
  const words = { near: "near the optimum", safe: "nearer the safe policy", over: "far above the budget", short: "short of the optimum", nowhere: "no runs yet" };
  bodyOf("ends").replaceChildren(
    element("p", { class: "note" }, "Means over the last window with 95 % bootstrap intervals over the runs; regret is Σ (r* − r), violation Σ (c − τ) over all rounds; “settled” is the round from which on the means stay near the optimum: the cost at most a quarter above the budget, the reward at least what three quarters of the budget allow."),
    element("div", {}, chaptersNow().map((chapter) => {
      const head = ["learner", "reward", ...chapter.costs, "regret", ...chapter.costs.map((cost) => `violation of ${cost}`), "settled", "ends"];
      const rows = chapter.learners.filter(isShown).map((learner) => [who(learner), withRange(learner.end.reward, 4), ...chapter.costs.map((_, i) => withRange(learner.end[`cost_${i}`], 4)),
        withRange(learner.end.regret, 0), ...chapter.costs.map((_, i) => withRange(learner.end[`violation_${i}`], 0)), learner.settled ? whole(learner.settled) : "–", words[learner.place]]);
      const { optimal } = chapter.levels;
      if (optimal) rows.push(["optimum", number(optimal.reward, 4), ...optimal.costs.map((cost) => number(cost, 4)), "0", ...chapter.costs.map(() => ""), "", ""]);
      return table(`${titleOf(chapter)} (${chapter.runs} runs)`, head, rows);
    })));
}

function regret() {
  bodyOf("regret").replaceChildren(
    element("p", { class: "note" }, "Both axes are logarithmic: √t has slope ½, a learner that never arrives slope 1. Slopes are least squares over the last nine tenths of the rounds; a sum at or below 0 has no logarithm, so its line ends."),
    element("div", { class: "figures" }, chaptersNow().map((chapter) => {
      const slope = (learner, name) => { const curve = learner.curves[name]; return curve?.slope != null ? number(curve.slope, 2) : curve ? "≤ 0" : "–"; };
      const rows = chapter.learners.map((learner) => [who(learner), slope(learner, "regret"), ...chapter.costs.map((_, i) => slope(learner, `violation_${i}`))]);
      return card(chapter, titleOf(chapter), sums(chapter), { sub: `${chapter.runs} runs, means`, caption: table(null, ["slope of", "regret", ...chapter.costs.map((cost) => `violation of ${cost}`)], rows) });
    })));
}

function effort() {
  bodyOf("effort").replaceChildren(
    element("p", { class: "note" }, "Means over the runs. Planning is the time spent in the learner; a plan is infeasible where no policy of the learner's model meets the budget, multichain where its long run depends on chance at the start."),
    element("div", { class: "tables" }, chaptersNow().map((chapter) => {
      const most = Math.max(...chapter.learners.map((learner) => learner.effort.seconds ?? 0));
      const rows = chapter.learners.filter(isShown).map((learner) => {
        const cost = learner.effort, bar = element("span", { class: "bar", style: `width:${cost.seconds ? (100 * cost.seconds) / most : 0}%;background:${colourOf(learner)}` });
        return [who(learner), significant(cost.epochs), element("span", {}, cost.seconds == null ? "–" : cost.seconds < 1 ? `${significant(1000 * cost.seconds)} ms` : `${significant(cost.seconds)} s`, bar),
          cost.seconds ? `${number((100 * cost.planning) / cost.seconds, 0)} %` : "–", cost.rate ? `${significant(cost.rate / 1e6)} M` : "–", significant(cost.infeasible), significant(cost.multichain)];
      });
      return table(titleOf(chapter), ["learner", "epochs", "one run", "planning", "rounds/s", "infeasible", "multichain"], rows);
    })));
}

let lookAt = null;
function policies() {
  const seen = chaptersNow().filter((chapter) => chapter.grid && Object.values(chapter.grid.policies).some((list) => list.length));
  if (!seen.length) return bodyOf("policies").replaceChildren(element("p", { class: "note" }, "No policies are stored for this preset."));
  const chapter = seen.find(({ environment }) => environment === lookAt) ?? seen[0];
  const { grid } = chapter, size = grid.boxes ? 118 : 215;
  const steps = unique(Object.values(grid.policies).flatMap((list) => list.map(({ step }) => step)).concat(chapter.rounds)).sort((a, b) => a - b);
  const output = element("output", { for: "epochs" }), places = element("div", { class: "figures", id: "policy-worlds" });
  const draw = () => {
    const step = steps[slider.value];
    output.textContent = `round ${whole(step)} of ${whole(chapter.rounds)}`;
    places.replaceChildren(...chapter.learners.filter(isShown).map((learner) => {
      const list = (grid.policies[learner.label] ?? []).filter((one) => one.step <= step), now = list.at(-1);
      if (!now) return element("figure", { class: "card" }, element("h3", {}, who(learner)), element("div", { class: "empty" }, "run 0 is not stored"));
      const prices = now.prices.length ? `, price ${now.prices.map((price) => significant(price)).join(", ")}` : "";
      return element("figure", { class: "card" }, element("h3", {}, who(learner)),
        element("p", { class: "sub" }, `epoch ${whole(now.epoch)}, from round ${whole(now.step)}${prices}`),
        worlds(grid, now.panels, { size, text: `${learner.label} in epoch ${now.epoch}` }),
        element("p", { class: "sub" }, `followed for ever: reward ${number(now.reward, 4)}, ${chapter.costs.map((cost, i) => `${cost} ${number(now.costs[i], 4)}`).join(", ")}`));
    }), element("figure", { class: "card" }, element("h3", {}, "optimal policy"), element("p", { class: "sub" }, "of the true model"), worlds(grid, grid.optimal, { size, text: "the optimal policy" }),
      element("p", { class: "sub" }, `reward ${number(chapter.levels.optimal?.reward, 4)}, ${chapter.costs.map((cost, i) => `${cost} ${number(chapter.levels.optimal?.costs[i], 4)}`).join(", ")}`)));
  };
  const slider = element("input", { type: "range", id: "epochs", min: 0, max: steps.length - 1, step: 1, value: steps.length - 1, "aria-label": "Round", oninput: draw });
  bodyOf("policies").replaceChildren(
    element("p", { class: "note" }, "The policies of run 0 at the epochs that are stored, each beside what it would earn in the true model if it were followed for ever. Grey arrows stand where the policy never comes in the long run."),
    segments("environment", Object.fromEntries(seen.map((one) => [titleOf(one), one.environment])), () => chapter.environment, (environment) => { lookAt = environment; policies(); }),
    element("div", { class: "slider" }, element("label", { for: "epochs" }, "time"), slider, output), places, keys(grid));
  draw();
}

let sideBySide = null;
function presetsBeside() {
  if (presets.length < 2) return bodyOf("presets").replaceChildren(element("p", {}, "Only preset ", element("b", {}, presets[0]), " is in this report. ", element("code", {}, "occupancy reproduce --preset all"), " adds the others."));
  const names = unique(data.chapters.map((chapter) => chapter.environment)).filter((name) => data.chapters.filter((chapter) => chapter.environment === name).length > 1);
  const name = names.includes(sideBySide) ? sideBySide : names[0];
  const seen = data.chapters.filter((chapter) => chapter.environment === name);
  if (!seen.length) return bodyOf("presets").replaceChildren(element("p", {}, "No environment has runs under two presets."));
  const ranges = Object.fromEntries(["reward", ...seen[0].costs.map((_, i) => `cost_${i}`)].map((quantity, i) => [quantity, rangeOf(seen, quantity, seen.flatMap((chapter) => levelsOf(chapter, i).map(([, at]) => at)))]));
  bodyOf("presets").replaceChildren(
    segments("environment", Object.fromEntries(names.map((one) => [TITLES[one] ?? one, one])), () => name, (one) => { sideBySide = one; presetsBeside(); }),
    element("div", { class: "figures" }, seen.map((chapter) => card(chapter, `${presetOf(chapter)}: ${PRESETS[presetOf(chapter)]}`, averages(chapter, { ranges }), { said: ended(chapter) }))));
}

function ablation() {
  if (!data.ablation.length) return hide("ablation");
  const rows = data.ablation.flatMap((sweep) => sweep.rows.map((row) => ({ ...row, ...{ all: { ...sweep.options, ...row.options }, sweep } })));
  const options = unique(rows.flatMap((row) => Object.keys(row.all)));
  const values = (option) => unique(rows.map((row) => row.all[option]));
  const say = (option) => `${option}: ` + values(option).map((value) => {
    const of = rows.filter((row) => row.all[option] === value && row.place !== "nowhere");
    return `${value} – ${of.filter((row) => row.place === "near").length} of ${of.length}`;
  }).join("; ") + ".";
  const across = options.includes("coef") ? "coef" : options.at(-1), down = options.filter((option) => option !== across);
  const places = { near: "near the optimum", safe: "safe", over: "over budget", short: "short", nowhere: "no runs" };
  const tints = { near: "#009e73", safe: "#56b4e9", over: "#d55e00", short: "#8a8f98", nowhere: "#8a8f98" };
  const groups = unique(rows.map((row) => JSON.stringify([row.learner, ...down.map((option) => row.all[option])])));
  const body = groups.map((group) => {
    const [learner, ...chosen] = JSON.parse(group);
    const cells = values(across).map((value) => {
      const row = rows.find((one) => one.learner === learner && one.all[across] === value && down.every((option, i) => one.all[option] === chosen[i]));
      return row ? [element("span", { title: row.reward?.low == null ? "" : `reward ${number(row.reward.low, 4)} to ${number(row.reward.high, 4)}` }, element("b", {}, places[row.place]), element("br"), element("span", { class: "range" }, `${number(row.reward?.mean, 4)}, ${row.sweep.cost} ${number(row.cost?.mean, 3)}`)), { style: `background:${alpha(tints[row.place], 0.2)}` }] : "–";
    });
    return [who(kindOf(learner) ?? { label: learner, kind: learner }), ...chosen, ...cells];
  });
  const first = data.ablation[0];
  bodyOf("ablation").append(
    element("p", {}, `Every combination of ${options.join(", ")} on ${TITLES[first.environment] ?? first.environment}, ${first.runs} ${first.runs === 1 ? "run" : "runs"} of ${whole(first.rounds)} rounds each, preset ${first.preset}. How many end near the optimum (reward at least ${number(first.limits.reward, 4)}, cost at most ${number(first.limits.cost, 3)}), for each value:`),
    element("ul", {}, options.map((option) => element("li", {}, say(option)))),
    table(null, ["learner", ...down, ...values(across).map((value) => `${across} ${value}`)], body, "heat"),
    element("p", { class: "note" }, `Mean reward and cost over the last ${whole(first.window)} rounds. The optimum is ${number(first.levels.optimal, 4)}, the safe level ${number(first.levels.safe, 4)}, the budget ${number(first.budget, 2)}.`));
}

function provenance() {
  const sessions = data.chapters.flatMap((chapter) => chapter.sessions.map((session) => ({ ...session, of: chapter.name })));
  const built = unique(sessions.map(({ version, revision }) => `${version} (${revision})`)).join(", ");
  const files = data.figures.map((path) => element("a", { href: path }, path.replace(/^figures\//, "")));
  bodyOf("provenance").append(...[
    element("dl", {}, ...[
      ["report", `occupancy ${data.version}, revision ${data.revision}`], ["runs", `occupancy ${built}`], ["seed", unique(data.chapters.map((chapter) => chapter.seed)).join(", ")],
      ["machines", unique(sessions.map(({ host, jobs }) => `${host}, ${jobs} ${jobs === 1 ? "thread" : "threads"}`)).join("; ")],
      ["worked on", sessions.length ? `${sessions.map(({ started }) => started).sort()[0]} to ${sessions.map(({ started, ended }) => ended ?? started).sort().at(-1)}` : "–"],
      ["paper", "D. Provodin, P. Gajane, M. Pechenizkiy, M. Kaptein: An Empirical Evaluation of Posterior Sampling for Constrained Reinforcement Learning, 2022"],
    ].flatMap(([term, text]) => [element("dt", {}, term), element("dd", {}, text)])),
    element("p", {}, "To repeat it: the same program, settings and seed give the same bytes in every run's file, whatever the machine's load or number of threads."),
    element("pre", {}, `occupancy reproduce --preset ${presets.length === 3 ? "all" : presets[0]}\noccupancy report DIR        # this page from stored runs`),
    files.length ? element("details", {}, element("summary", {}, `${files.length} figures as files`), element("ul", {}, files.map((file) => element("li", {}, file)))) : null,
    element("p", { class: "note" }, "Not here: the three terms of the paper's Appendix A. They need the model that was drawn in each epoch; stored are policies and prices."),
    ...data.chapters.map((chapter) => element("details", {}, element("summary", {}, chapter.name), element("p", { class: "note" }, `settings ${chapter.hash}`), element("pre", {}, chapter.file),
      element("details", {}, element("summary", {}, "every setting with its value"), element("pre", {}, chapter.settings.map(([name, value]) => `${name} = ${value}`).join("\n")))))].filter(Boolean));
}

function hide(id) { byId(id).hidden = true; }

function themes() {
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)");
  const set = (theme) => { root.dataset.theme = theme; redrawCharts(); };
  set(dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => set(dark.matches ? "dark" : "light"));
  byId("theme").addEventListener("click", () => set(root.dataset.theme === "dark" ? "light" : "dark"));
  let before = null;
  addEventListener("beforeprint", () => { before = root.dataset.theme; root.dataset.theme = "light"; redrawCharts({ all: true, width: 330 }); });
  addEventListener("afterprint", () => set(before));
}

themes();
lede();
controls();
claims();
for (const draw of [mainFigures, environments, regret]) live(draw, { onPreset: true });
presetsBeside();
for (const draw of [figureNote, ends, effort, policies]) live(draw);
ablation();
provenance();
contents();
listeners.push(() => redrawCharts());
