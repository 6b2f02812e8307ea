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
  const shown = presets.filter((preset) => findings.some((found) => found.preset === preset));
  const words = { holds: "holds", fails: "does not hold", depends: "depends", missing: "not run" };
  const cell = (claim, preset) => {
    const found = claim.findings.find((finding) => finding.preset === preset);
    if (!found) return "–";
    const standing = element("span", { class: `standing ${found.standing}` }, words[found.standing]);
    return [element("div", {}, standing, evidence(found.evidence)), { class: "words" }];
  };
  const rows = data.claims.map((claim) => [
    [element("div", {}, claim.text, element("div", { class: "range" }, claim.test)), { class: "words" }],
    ...shown.map((preset) => cell(claim, preset)),
  ]);
  bodyOf("claims").append(table(null, ["claim, and the test", ...shown], rows, "wordy"));
}

function environments() {
  const seen = data.chapters.filter((chapter) => presetOf(chapter) === state.preset && chapter.grid);
  if (!seen.length)
    return bodyOf("environments").replaceChildren(note("No gridworld is among the experiments of this preset."));
  bodyOf("environments").replaceChildren(
    note(
      "The optimal policy within the budget: arrows are as dark as their probability, discs as large as the share of time. The fast way is the best without a budget, the safe way the best at the least cost.",
    ),
    element(
      "div",
      { class: "figures" },
      seen.map((chapter) => {
        const { grid, levels } = chapter;
        const colours = { fast: "#d55e00", safe: "#009e73" };
        const ways = Object.entries(grid.ways)
          .filter(([, way]) => way)
          .map(([name, way]) => ({ way, colour: colours[name], shift: name === "fast" ? 4 : -4 }));
        const row = (name, level) =>
          level && [name, number(level.reward, 4), ...level.costs.map((cost) => number(cost, 4))];
        return element(
          "figure",
          { class: "card" },
          element("header", {}, element("h3", {}, titleOf(chapter))),
          sub(
            `${chapter.states} states, budget ${chapter.costs.map((cost, i) => `${cost} ≤ ${chapter.budgets[i] ?? "∞"}`).join(", ")}`,
          ),
          worlds(grid, grid.optimal, {
            size: grid.boxes ? [165, 92] : [300],
            ways,
            text: `${titleOf(chapter)}, the optimal policy`,
          }),
          keys(grid, true),
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

function ends() {
  const words = {
    near: "near the optimum",
    safe: "nearer the safe policy",
    over: "far above the budget",
    short: "short of the optimum",
    nowhere: "no runs yet",
  };
  bodyOf("ends").replaceChildren(
    note(
      "Means over the last window with 95 % bootstrap intervals over the runs; regret is Σ (r* − r), violation Σ (c − τ) over all rounds; “settled” is the round from which on the means stay near the optimum: the cost at most a quarter above the budget, the reward at least what three quarters of the budget allow.",
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
          "settled",
          "ends",
        ];
        const rows = chapter.learners
          .filter(isShown)
          .map((learner) => [
            who(learner),
            withRange(learner.end.reward, 4),
            ...chapter.costs.map((_, i) => withRange(learner.end[`cost_${i}`], 4)),
            withRange(learner.end.regret, 0),
            ...chapter.costs.map((_, i) => withRange(learner.end[`violation_${i}`], 0)),
            learner.settled ? whole(learner.settled) : "–",
            words[learner.place],
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
          ]);
        return table(`${titleOf(chapter)} (${chapter.runs} runs)`, head, rows);
      }),
    ),
  );
}

function regret() {
  bodyOf("regret").replaceChildren(
    note(
      "Both axes are logarithmic: √t has slope ½, a learner that never arrives slope 1. Slopes are least squares over the last nine tenths of the rounds; a sum at or below 0 has no logarithm, so its line ends.",
    ),
    element(
      "div",
      { class: "figures" },
      chaptersNow().map((chapter) => {
        const slope = (learner, name) => {
          const curve = learner.curves[name];
          return curve?.slope != null ? number(curve.slope, 2) : curve ? "≤ 0" : "–";
        };
        const rows = chapter.learners.map((learner) => [
          who(learner),
          slope(learner, "regret"),
          ...chapter.costs.map((_, i) => slope(learner, `violation_${i}`)),
        ]);
        return card(chapter, titleOf(chapter), sums(chapter), {
          about: `${chapter.runs} runs, means`,
          caption: table(null, ["slope of", "regret", ...chapter.costs.map((cost) => `violation of ${cost}`)], rows),
        });
      }),
    ),
  );
}

function effort() {
  bodyOf("effort").replaceChildren(
    note(
      "Means over the runs. Planning is the time spent in the learner; a plan is infeasible where no policy of the learner's model meets the budget, multichain where its long run depends on chance at the start.",
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
          titleOf(chapter),
          ["learner", "epochs", "one run", "planning", "rounds/s", "infeasible", "multichain"],
          rows,
        );
      }),
    ),
  );
}
