"use strict";
// The sweep that explains Box, and where everything comes from.

const ENDS = {
  near: ["near the optimum", "#009e73"],
  safe: ["safe", "#56b4e9"],
  over: ["over budget", "#d55e00"],
  short: ["short", "#8a8f98"],
  nowhere: ["no runs", "#8a8f98"],
};

// A combination of options: where it led, in words and colour.
function combination(row) {
  if (!row) return "–";
  const [words, tint] = ENDS[row.place];
  const numbers = `${number(row.reward?.mean, 4)}, ${row.sweep.cost} ${number(row.cost?.mean, 3)}`;
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
  const fileOf = (sweep) => sweep.name.split("+")[0];
  const files = unique(data.ablation.map(fileOf));
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
    const of = rows.filter((row) => row.all[option] === value && row.place !== "nowhere");
    return `${value} – ${of.filter((row) => row.place === "near").length} of ${of.length}`;
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
  const runs = `${sweep.runs} ${sweep.runs === 1 ? "run" : "runs"} of ${whole(sweep.rounds)} rounds`;
  return [
    element(
      "p",
      {},
      `Every combination of ${options.join(", ")} on ${titleOf(sweep)}: ${runs} each, preset ${sweep.preset}. ` +
        "How many of them end near the optimum, for each value of each option:",
    ),
    note(
      `Near: reward at least ${number(limits.reward, 4)} and cost at most ${number(limits.cost, 3)}, means over the last ${whole(sweep.window)} rounds. ` +
        `The optimum is ${number(levels.optimal, 4)}, the safe level ${number(levels.safe, 4)}, the budget ${number(sweep.budget, 2)}.`,
    ),
  ];
}

// The command that repeats what is shown.
function commands() {
  const isPaper = (chapter) =>
    [chapter.environment, presetOf(chapter)].join("-") === chapter.name.replace("-extended", "");
  if (!data.chapters.every(isPaper)) return "occupancy run FILE.toml        # the files below\noccupancy report DIR";
  const quick = data.chapters.some((chapter) => chapter.runs < chapter.fileRuns) ? " --quick" : "";
  const extended = data.chapters.some((chapter) => chapter.name.endsWith("-extended")) ? " --extended" : "";
  const asked = presets.length === 3 ? ["all"] : presets;
  return [
    ...asked.map((preset) => `occupancy reproduce --preset ${preset}${quick}${extended}`),
    "occupancy report DIR        # this page from stored runs",
  ].join("\n");
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
    [
      "paper",
      "D. Provodin, P. Gajane, M. Pechenizkiy, M. Kaptein: An Empirical Evaluation of Posterior Sampling for Constrained Reinforcement Learning, 2022",
    ],
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
    element("pre", {}, commands()),
    files.length ? folded(`${files.length} figures as files`, element("ul", {}, files)) : null,
    ...data.chapters.map(experimentFile),
  ];
  bodyOf("provenance").append(...parts.filter(Boolean));
}
