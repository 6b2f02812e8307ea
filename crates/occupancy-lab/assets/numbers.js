"use strict";
// Claims, environments, and what the runs say in numbers.

// The parts of the evidence, a line each; what is in parentheses stays together.
function evidence(text) {
  const parts = text.split(/; (?![^(]*\))/);
  return element(
    "ul",
    { class: "evidence" },
    parts.map((part) => element("li", {}, ...sentence(part))),
  );
}

function claims() {
  if (!data.claims.length) return hide("claims");
  const findings = data.claims.flatMap((claim) => claim.findings);
  const shown = unique(findings.map((found) => found.preset));
  byId("claims-title").textContent = data.paper.claims;
  const cell = (claim, preset) => {
    const found = claim.findings.find((finding) => finding.preset === preset);
    if (!found) return "–";
    const standing = element("span", { class: `standing ${found.standing}` }, found.word);
    const whom = found.whom ? element("div", { class: "whom" }, ...sentence(found.whom)) : null;
    return [element("div", {}, standing, whom, evidence(found.evidence)), { class: "words" }];
  };
  const rows = data.claims.map((claim) => [
    [element("div", {}, ...sentence(claim.text), element("div", { class: "range" }, claim.test)), { class: "words" }],
    ...shown.map((preset) => cell(claim, preset)),
  ]);
  bodyOf("claims").append(
    note(
      data.verdict.join(" "),
      " A claim is mixed if it is true of some and false of others, undecided if an interval is on both sides, censored if what it is about did not happen before the runs ended.",
    ),
  );
  bodyOf("claims").append(table(null, ["claim, and the test", ...shown], rows, "wordy"));
}

function environments() {
  const seen = chaptersNow();
  bodyOf("environments").replaceChildren(
    note(
      "The optimal policy within the budgets. ",
      seen.some(({ grid }) => grid)
        ? "Arrows are as dark as their probability, discs as large as the share of time. "
        : "",
      "Fast is the best policy without a budget, safe the best at the least cost.",
    ),
    element(
      "div",
      { class: "figures" },
      seen.map((chapter) => {
        const { levels } = chapter;
        const row = (name, level) =>
          level && [name, number(level.reward, 4), ...level.costs.map((cost) => number(cost, 4))];
        return element(
          "figure",
          { class: "card" },
          element("header", {}, element("h3", {}, chapter.title)),
          sub(environmentOf(chapter)),
          chapter.description && !data.description ? sub(chapter.description) : null,
          ...optimalPolicy(chapter),
          table(
            null,
            ["", "reward", ...chapter.costs],
            [row("optimum", levels.optimal), row("fast", levels.fast), row("safe", levels.safe)].filter(Boolean),
          ),
        );
      }),
    ),
  );
}

// The optimal policy as a drawing, or as a table if there is no grid.
function optimalPolicy({ title, grid, tables }) {
  if (!grid) return tables?.optimal ? [policyTable(tables.optimal)] : [];
  const colours = { fast: "#d55e00", safe: "#009e73" };
  const ways = Object.entries(grid.ways)
    .filter(([, way]) => way)
    .map(([name, way]) => ({ way, colour: colours[name], shift: name === "fast" ? 4 : -4 }));
  const size = grid.boxes ? [165, 92] : [300];
  return [worlds(grid, grid.optimal, { size, ways, text: `${title}, the optimal policy` }), keys(grid, true)];
}

function ends() {
  bodyOf("ends").replaceChildren(
    note(
      "Means over the last window with 95 % bootstrap intervals over the runs; regret is Σ (r* − r), violation Σ (c − τ) over all rounds. “Near” counts the runs that end near the optimum; “half settled by” is the round from which on half of the runs stay near it to the end.",
    ),
    element(
      "div",
      {},
      chaptersNow().map((chapter) => {
        const head = [
          "learner",
          "reward",
          ...chapter.costs,
          "regret",
          ...chapter.costs.map((cost) => `violation of ${cost}`),
          "near",
          "half settled by",
          "most runs end",
        ];
        const rows = chapter.learners
          .filter(isShown)
          .map((learner) => [
            who(learner),
            withRange(learner.end.reward, 4),
            ...chapter.costs.map((_, i) => withRange(learner.end[`cost_${i}`], 4)),
            withRange(learner.end.regret, 0),
            ...chapter.costs.map((_, i) => withRange(learner.end[`violation_${i}`], 0)),
            `${learner.ends.near}\u00a0of\u00a0${learner.ends.runs}`,
            learner.settled.half == null
              ? halfSettled(learner)
              : withRange({ mean: learner.settled.half, low: learner.settled.low, high: learner.settled.high ?? Infinity }, 0),
            PLACES[learner.ends.most][0],
          ]);
        const { optimal } = chapter.levels;
        if (optimal)
          rows.push([
            "optimum",
            number(optimal.reward, 4),
            ...optimal.costs.map((cost) => number(cost, 4)),
            "0",
            ...chapter.costs.map(() => ""),
            "",
            "",
            "",
          ]);
        return table(`${chapter.title} (${plural(chapter.runs, "run")}; near: ${nearWords(chapter)})`, head, rows, "numbers");
      }),
    ),
  );
}

function regret() {
  bodyOf("regret").replaceChildren(
    note(
      "Both axes are logarithmic: √t has slope ½, a learner that never arrives slope 1. Slopes are least squares over the last nine tenths of the rounds; a sum at or below 0 has no logarithm, so its line ends and a slope is not fitted.",
    ),
    element(
      "div",
      { class: "figures" },
      chaptersNow().map((chapter) => {
        const slope = (learner, name) => {
          const curve = learner.curves[name];
          return curve?.slope != null ? number(curve.slope, 2) : curve ? "not fitted" : "–";
        };
        const rows = chapter.learners.map((learner) => [
          who(learner),
          slope(learner, "regret"),
          ...chapter.costs.map((_, i) => slope(learner, `violation_${i}`)),
        ]);
        return card(chapter, chapter.title, sums(chapter), {
          about: `${plural(chapter.runs, "run")}, means`,
          caption: table(null, ["slope of", "regret", ...chapter.costs.map((cost) => `violation of ${cost}`)], rows),
        });
      }),
    ),
  );
}

function effort() {
  bodyOf("effort").replaceChildren(
    note(
      "Means over the runs, in CPU time of the thread that does the run. Planning is the time spent in the learner; a plan is infeasible where no policy of the learner's model meets the budget, multichain where its long run depends on chance at the start.",
    ),
    element(
      "div",
      { class: "tables" },
      chaptersNow().map((chapter) => {
        const most = Math.max(...chapter.learners.map((learner) => learner.effort.seconds ?? 0));
        const rows = chapter.learners.filter(isShown).map((learner) => {
          const cost = learner.effort;
          const bar = element("span", {
            class: "bar",
            style: `width:${cost.seconds ? (100 * cost.seconds) / most : 0}%;background:${colourOf(learner)}`,
          });
          return [
            who(learner),
            significant(cost.epochs),
            element(
              "span",
              {},
              cost.seconds == null
                ? "–"
                : cost.seconds < 1
                  ? `${significant(1000 * cost.seconds)} ms`
                  : `${significant(cost.seconds)} s`,
              bar,
            ),
            cost.seconds ? `${number((100 * cost.planning) / cost.seconds, 0)} %` : "–",
            cost.rate ? `${significant(cost.rate / 1e6)} M` : "–",
            significant(cost.infeasible),
            significant(cost.multichain),
          ];
        });
        return table(
          chapter.title,
          ["learner", "epochs", "one run", "planning", "rounds/s", "infeasible", "multichain"],
          rows,
        );
      }),
    ),
  );
}
