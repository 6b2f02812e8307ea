"use strict";
// What regret and violation are made of: three terms and what is left, over the epochs of run 0.

const PARTS = {
  posterior_cmdp: { name: "1 posterior sampling, CMDP", colour: "#0072b2", dash: "solid" },
  relaxation: { name: "2 Lagrangian relaxation", colour: "#d55e00", dash: "solid" },
  posterior_mdp: { name: "3 posterior sampling, MDP", colour: "#009e73", dash: "solid" },
  remainder: { name: "remainder", colour: "#cc79a7", dash: "dot" },
};
const withSum = (colour) => Object.entries({ sum: { name: "the sum", colour, dash: "dash" }, ...PARTS });

// One panel for regret and for each violation, one x axis.
function termSums(chapter, sums) {
  return () => {
    const layout = base({ height: 270 + 170 * (sums.length - 1), margin: { l: 58, r: 14, t: 22, b: 40 } });
    const gap = 0.08;
    const part = (1 - gap * (sums.length - 1)) / sums.length;
    const traces = [];
    sums.forEach((sum, i) => {
      const suffix = i ? String(i + 1) : "";
      const top = 1 - i * (part + gap);
      layout[`yaxis${suffix}`] = axis({
        domain: [Math.max(0, top - part), top],
        title: { text: plain(sum.title), font: { size: 12 }, standoff: 6 },
        tickformat: "~s",
        nticks: 6,
        zeroline: true,
        zerolinecolor: css("--soft"),
      });
      for (const [key, { name, colour, dash }] of withSum(css("--ink")))
        traces.push({
          x: [0, ...sum.x],
          y: [0, ...sum[key]],
          customdata: [0, ...sum.epoch],
          type: "scatter",
          mode: "lines",
          name,
          xaxis: "x",
          yaxis: `y${suffix}`,
          line: { color: colour, width: key === "sum" ? 2.2 : 1.8, dash },
          hovertemplate: key === "sum" ? "%{y:.4s}, by epoch %{customdata}" : "%{y:.4s}",
        });
    });
    layout.xaxis = axis({
      anchor: `y${sums.length > 1 ? sums.length : ""}`,
      range: [0, chapter.rounds],
      title: { text: "round", font: { size: 12 } },
      tickformat: "~s",
      hoverformat: ",.0f",
    });
    return { traces, layout };
  };
}

const termKeys = () =>
  element(
    "div",
    { class: "keys" },
    withSum("var(--ink)").map(([, { name, colour }]) =>
      element("span", {}, element("i", { style: `background:${colour}` }), name),
    ),
  );

function terms() {
  const found = chaptersNow().flatMap((chapter) => chapter.terms.map((one) => ({ chapter, ...one })));
  if (!found.length)
    return hide("terms");
  byId("terms").hidden = false;
  const cards = found.map(({ chapter, label, said, sums }) => {
    const title = `${chapter.title}${chapter.terms.length > 1 ? `, ${label}` : ""}`;
    const about = `${label}, run 0`;
    const caption = said ? element("p", {}, ...sentence(said)) : null;
    if (sums?.length) return card(chapter, title, termSums(chapter, sums), { about, caption });
    const empty = sums
      ? "There is no optimum and no budget to lose against."
      : "The terms are not stored with these runs. The command that made the runs adds them.";
    return element(
      "figure",
      { class: "card" },
      element("header", {}, element("h3", {}, title)),
      sub(about),
      element("div", { class: "empty" }, empty),
    );
  });
  bodyOf("terms").replaceChildren(
    note(
      "The regret Σ (r* − r) is a sum of four parts. Term 1, Σ (r* − r̂), is about the model drawn in each epoch: r̂ is its best gain within the budget, and the term is below 0 where drawn models promise more than the true one can hold. " +
        "Term 2, Σ (r̂ − r̂ₖ), is what prices lose against budgets: r̂ₖ is the gain of the epoch's policy in the drawn model. Term 3, Σ (r̂ₖ − rₖ), is what that model promised too much: rₖ is the policy's gain in the true model. " +
        "The remainder, Σ (rₖ − r), is chance and the way into the long run; the four sum to the regret. A violation Σ (c − τ) falls apart in the same way. ",
      data.paper?.terms ?? "",
    ),
    termKeys(),
    element("div", { class: "figures" }, cards),
  );
}
