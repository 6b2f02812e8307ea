"use strict";
// Sweeps over options, and where everything comes from.

// A combination of options: where it led, in words and colour.
function combination(row) {
  if (!row) return "–";
  const [words, tint] = PLACES[row.ends.most];
  const cost = row.sweep.cost ? `, ${row.sweep.cost} ${number(row.cost?.mean, 3)}` : "";
  const numbers = `${runsAt(row.ends, row.ends.most)}; mean ${number(row.reward?.mean, 4)}${cost}`;
  const inner = element(
    "span",
    {},
    element("b", {}, words),
    element("br"),
    element("span", { class: "range" }, numbers),
  );
  return [inner, { style: `background:${alpha(tint, 0.2)}` }];
}

// The sweeps of each experiment file together.
function ablation() {
  if (!data.ablation.length) return hide("ablation");
  if (data.paper?.sweeps) byId("sweeps-title").textContent = data.paper.sweeps;
  const fileOf = (sweep) => sweep.name.split("+")[0];
  // Those with the most combinations first.
  const size = (file) => data.ablation.filter((sweep) => fileOf(sweep) === file).flatMap(({ rows }) => rows).length;
  const files = unique(data.ablation.map(fileOf)).sort((a, b) => size(b) - size(a));
  for (const file of files)
    bodyOf("ablation").append(...sweepTable(data.ablation.filter((sweep) => fileOf(sweep) === file)));
}

function sweepTable(sweeps) {
  const rows = sweeps.flatMap((sweep) =>
    sweep.rows.map((row) => ({ ...row, all: { ...sweep.options, ...row.options }, sweep })),
  );
  const options = unique(rows.flatMap((row) => Object.keys(row.all)));
  const values = (option) => unique(rows.map((row) => row.all[option]));
  const counted = (option, value) => {
    const of = rows.filter((row) => row.all[option] === value);
    const sum = (count) => of.reduce((all, row) => all + count(row.ends), 0);
    return `${value} – ${sum((ends) => ends.near)} of ${sum((ends) => ends.runs)}`;
  };
  const said = (option) =>
    `${option}: ${values(option)
      .map((value) => counted(option, value))
      .join("; ")}.`;
  const across = options.includes("coef") ? "coef" : options.at(-1);
  const down = options.filter((option) => option !== across);
  const groups = unique(rows.map((row) => JSON.stringify([row.learner, ...down.map((option) => row.all[option])])));
  const body = groups.map((group) => {
    const [learner, ...chosen] = JSON.parse(group);
    const same = (row) => row.learner === learner && down.every((option, i) => row.all[option] === chosen[i]);
    const cells = values(across).map((value) =>
      combination(rows.find((row) => same(row) && row.all[across] === value)),
    );
    return [who(kindOf(learner) ?? { label: learner, kind: learner }), ...chosen, ...cells];
  });
  return [
    ...aboutSweep(sweeps[0], options),
    element(
      "ul",
      {},
      options.map((option) => element("li", {}, said(option))),
    ),
    table(null, ["learner", ...down, ...values(across).map((value) => `${across} ${value}`)], body, "heat"),
  ];
}

function aboutSweep(sweep, options) {
  const { limits, levels } = sweep;
  const runs = `${plural(sweep.runs, "run")} of ${plural(sweep.rounds, "round")}`;
  return [
    element(
      "p",
      {},
      `Every combination of ${options.join(", ")} on ${sweep.title}: ${runs} each${sweep.preset ? `, preset ${sweep.preset}` : ""}. ` +
        "How many runs end near the optimum, for each value of each option:",
    ),
    note(
      `Near: reward at least ${number(limits.reward, 4)}${limits.cost == null ? "" : ` and ${sweep.cost} at most ${number(limits.cost, 3)}`}, means over the last ${whole(sweep.window)} rounds of a run. ` +
        `The optimum is ${number(levels.optimal, 4)}, the safe level ${number(levels.safe, 4)}, the budget ${significant(sweep.budget, 2)}.`,
    ),
  ];
}

function facts() {
  const sessions = data.chapters.flatMap((chapter) => chapter.sessions);
  const times = sessions.flatMap(({ started, ended }) => [started, ended ?? started]).sort();
  return [
    ["report", `occupancy ${data.version}, revision ${data.revision}`],
    ["runs", unique(sessions.map(({ version, revision }) => `occupancy ${version}, revision ${revision}`)).join("; ")],
    ["seed", unique(data.chapters.map((chapter) => chapter.seed)).join(", ")],
    [
      "machines",
      unique(sessions.map(({ host, jobs }) => `${host}, ${jobs} ${jobs === 1 ? "thread" : "threads"}`)).join("; "),
    ],
    ["worked on", times.length ? `${times[0]} to ${times.at(-1)}` : "–"],
    ...(data.paper ? [["paper", data.paper.citation]] : []),
  ];
}

const folded = (summary, ...children) => element("details", {}, element("summary", {}, summary), ...children);

function experimentFile(chapter) {
  const settings = chapter.settings.map(([name, value]) => `${name} = ${value}`).join("\n");
  return folded(
    chapter.name,
    note(`hash of the settings ${chapter.hash}`),
    element("pre", {}, chapter.file),
    folded("every setting with its value", element("pre", {}, settings)),
  );
}

function provenance() {
  const files = data.figures.map((path) =>
    element("li", {}, element("a", { href: path }, path.replace(/^figures\//, ""))),
  );
  const parts = [
    element(
      "dl",
      {},
      facts().flatMap(([term, text]) => [element("dt", {}, term), element("dd", {}, text)]),
    ),
    element(
      "p",
      {},
      "To repeat it: the same program, settings and seed give the same bytes in every run's file, whatever the number of threads.",
    ),
    element("pre", {}, data.commands.join("\n")),
    files.length ? folded(`${files.length} figures as files`, element("ul", {}, files)) : null,
    ...data.chapters.map(experimentFile),
  ];
  bodyOf("provenance").append(...parts.filter(Boolean));
}
