"use strict";
// The charts: moving averages, and sums over time on logarithmic scales.

const PLOT = { displaylogo: false, modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"] };
const charts = new Map(); // element → what draws it; drawn when it comes into view

const watcher = new IntersectionObserver(
  (entries) => {
    for (const entry of entries)
      if (entry.isIntersecting) {
        watcher.unobserve(entry.target);
        drawChart(entry.target);
      }
  },
  { rootMargin: "600px" },
);

function chart(make) {
  const place = element("div", { class: "chart" });
  charts.set(place, { make, drawn: false });
  watcher.observe(place);
  return place;
}
function drawChart(place, width = place.clientWidth) {
  const known = charts.get(place);
  if (!known || !place.isConnected) return;
  const { traces, layout } = known.make(width || 600);
  place.style.height = `${layout.height}px`;
  Plotly.react(place, traces, { ...layout, width }, PLOT);
  known.drawn = true;
}
function redrawCharts({ all = false, width } = {}) {
  for (const [place, known] of charts) {
    if (!place.isConnected) {
      if (known.drawn) Plotly.purge(place);
      charts.delete(place);
    } else if (known.drawn || all) drawChart(place, width);
  }
}
let resized = 0;
addEventListener("resize", () => {
  clearTimeout(resized);
  resized = setTimeout(redrawCharts, 150);
});

// A name as a chart's text: Plotly would take `<a href=…>` for a link, and a long one for its own room.
function plain(text, most = 60) {
  const short = [...text].length > most ? [...text].slice(0, most - 1).join("") + "…" : text;
  return short.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const alpha = (colour, share) =>
  colour +
  Math.round(255 * share)
    .toString(16)
    .padStart(2, "0");

// The bands first, so that no band lies on a line.
const bandsFirst = (traces) => [
  ...traces.filter((trace) => trace.line.width === 0),
  ...traces.filter((trace) => trace.line.width > 0),
];

// A curve and its band; `log` leaves out what has no logarithm.
function curveTraces(chapter, learner, curve, axes, { band = state.band, log = false, unit = "" } = {}) {
  const colour = colourOf(learner);
  const minus = (a, b) => a.map((x, i) => (b[i] == null ? x : x - b[i]));
  const plus = (a, b) => a.map((x, i) => (b[i] == null ? x : x + b[i]));
  const ends = {
    sd: () => [minus(curve.mean, curve.sd), plus(curve.mean, curve.sd)],
    interval: () => [curve.low.map((x, i) => x ?? curve.mean[i]), curve.high.map((x, i) => x ?? curve.mean[i])],
    quantiles: () => [curve.q05, curve.q95],
  }[band];
  const positive = (list) => (log ? list.map((x) => (x > 0.1 ? x : null)) : list);
  const common = { x: curve.x, type: "scatter", mode: "lines", legendgroup: learner.label, showlegend: false, ...axes };
  const traces = [];
  if (ends && !log) {
    const [low, high] = ends();
    const edge = { ...common, hoverinfo: "skip", line: { width: 0, color: colour } };
    traces.push({ ...edge, y: low }, { ...edge, y: high, fill: "tonexty", fillcolor: alpha(colour, 0.14) });
  }
  traces.push({
    ...common,
    y: positive(curve.mean),
    name: plain(learner.label),
    connectgaps: false,
    line: { color: colour, width: 2, dash: dashOf(chapter, learner) },
    hovertemplate: `%{y:${log ? ".3s" : ".4f"}}${unit}`,
  });
  return traces;
}

const axis = (more) => ({
  color: css("--soft"),
  gridcolor: css("--line"),
  linecolor: css("--line"),
  zeroline: false,
  showline: true,
  ticks: "outside",
  tickcolor: css("--line"),
  ticklen: 3,
  tickfont: { size: 11 },
  ...more,
});
const base = (more) => ({
  paper_bgcolor: "rgba(0,0,0,0)",
  plot_bgcolor: css("--card"),
  font: { family: "system-ui, sans-serif", size: 12, color: css("--ink") },
  // The values of one plot at a time: those of all would cover them.
  hovermode: "x unified",
  hoverlabel: { bgcolor: css("--card"), bordercolor: css("--line"), font: { size: 12, color: css("--ink") } },
  modebar: { bgcolor: "rgba(0,0,0,0)", color: css("--soft"), activecolor: css("--ink"), orientation: "h" },
  showlegend: false,
  dragmode: "zoom",
  uirevision: "kept",
  ...more,
});

// The range of what can be read: curves once the window has begun to fill, and the levels.
function rangeOf(chapters, name, levels) {
  let low = Infinity;
  let high = -Infinity;
  const take = (x) => {
    if (x != null) {
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
  };
  for (const chapter of chapters)
    for (const learner of chapter.learners) {
      const curve = learner.curves[name];
      curve?.x.forEach((x, i) => {
        if (x >= chapter.rounds / 200) {
          take(curve.mean[i]);
          take(curve.mean[i] + 0.5 * (curve.sd[i] ?? 0));
          take(curve.mean[i] - 0.5 * (curve.sd[i] ?? 0));
        }
      });
    }
  levels.forEach(take);
  const room = 0.05 * (high - low || 1);
  return [low - room, high + room];
}

function levelsOf(chapter, signal) {
  const { optimal, fast, safe } = chapter.levels;
  if (signal === 0)
    return [
      ["optimum", optimal?.reward, "dash"],
      ["fast", fast?.reward, "dot"],
      ["safe", safe?.reward, "dot"],
    ];
  const budget = chapter.budgets[signal - 1];
  const at = optimal?.costs[signal - 1];
  return at != null && budget != null && Math.abs(at - budget) > 1e-6
    ? [
        ["optimum", at, "dash"],
        ["budget", budget, "dash"],
      ]
    : [["budget", budget ?? at, "dash"]];
}

// Moves labels apart that would overlap, each as near its own height as the others let it; heights are in pixels, from the
// bottom. Labels that touch move together: `first` is where the lowest of them would like to be.
function spread(labels, least) {
  labels.sort((a, b) => a.at - b.at);
  const clusters = [];
  for (const label of labels) {
    clusters.push({ first: label.at, labels: [label] });
    for (;;) {
      const [below, above] = clusters.slice(-2);
      if (!above || below.first + least * below.labels.length <= above.first) break;
      const [few, many] = [below.labels.length, above.labels.length];
      const first = (few * below.first + many * (above.first - least * few)) / (few + many);
      clusters.splice(-2, 2, { first, labels: [...below.labels, ...above.labels] });
    }
  }
  for (const { first, labels: together } of clusters)
    together.forEach((label, i) => {
      label.to = first + i * least;
    });
  return labels;
}

// The figure of one experiment: reward above, costs below, one x axis.
function averages(chapter, { height = 430, ranges = null, inset = true } = {}) {
  return (width) => {
    const names = ["reward", ...chapter.costs.map((_, i) => `cost_${i}`)];
    const titles = ["average reward", ...chapter.costs.map((cost) => `average cost ${cost}`)];
    const wide = width > 640;
    const tall = wide ? height * 1.35 : height + 150 * (names.length - 2);
    const margin = { l: 58, r: wide ? 150 : 56, t: 28, b: 40 };
    const layout = base({ height: tall, margin, shapes: [], annotations: [] });
    const traces = [];
    const gap = 0.07;
    const part = (1 - gap * (names.length - 1)) / names.length;
    const inner = (tall - margin.t - margin.b) * part;
    names.forEach((name, i) => {
      const suffix = i ? String(i + 1) : "";
      const top = 1 - i * (part + gap);
      const levels = levelsOf(chapter, i).filter(([, at]) => at != null);
      const range =
        ranges?.[name] ??
        rangeOf(
          [chapter],
          name,
          levels.map(([, at]) => at),
        );
      layout[`yaxis${suffix}`] = axis({
        domain: [Math.max(0, top - part), top],
        range,
        title: { text: plain(titles[i]), font: { size: 12 }, standoff: 6 },
        nticks: 6,
      });
      for (const [, at, dash] of levels)
        layout.shapes.push({
          type: "line",
          xref: "paper",
          x0: 0,
          x1: 1,
          yref: `y${suffix}`,
          y0: at,
          y1: at,
          layer: "above",
          line: { color: css("--ink"), width: 1.1, dash },
        });
      const pixels = (y) => ((y - range[0]) / (range[1] - range[0])) * inner;
      const labels = levels.map(([text, y]) => ({ text, y, at: pixels(y), colour: css("--soft") }));
      for (const learner of chapter.learners.filter(isShown)) {
        const curve = learner.curves[name];
        if (!curve) continue;
        traces.push(
          ...curveTraces(
            chapter,
            learner,
            curve,
            { xaxis: "x", yaxis: `y${suffix}` },
            { unit: i ? ` ${chapter.costs[i - 1]}` : " reward" },
          ),
        );
        if (wide)
          labels.push({
            text: plain(learner.label),
            y: curve.mean.at(-1),
            at: pixels(curve.mean.at(-1)),
            colour: colourOf(learner),
          });
      }
      for (const label of spread(
        labels.filter(({ at }) => at > -5 && at < inner + 5),
        13,
      ))
        layout.annotations.push({
          text: plain(label.text),
          xref: "paper",
          x: 1,
          xanchor: "left",
          xshift: 5,
          yref: `y${suffix}`,
          y: label.y,
          yshift: label.to - label.at,
          yanchor: "middle",
          showarrow: false,
          font: { size: 11, color: label.colour },
        });
    });
    layout.xaxis = axis({
      anchor: `y${names.length > 1 ? names.length : ""}`,
      range: [0, chapter.rounds],
      tickformat: "~s",
      title: { text: "round", font: { size: 12 } },
      nticks: wide ? 10 : 6,
      hoverformat: ",.0f",
    });
    if (inset) addInset(chapter, traces, layout, 1 - part, part);
    return { traces: bandsFirst(traces), layout };
  };
}

// Where the optimum and the safe level are close, the end is drawn once more, enlarged.
function addInset(chapter, traces, layout, bottom, part) {
  const { optimal, safe } = chapter.levels,
    [low, high] = layout.yaxis.range;
  if (!optimal || !safe || optimal.reward - safe.reward > 0.1 * (high - low)) return;
  const apart = optimal.reward - safe.reward;
  const from = 0.55 * chapter.rounds;
  const small = { tickfont: { size: 9 }, nticks: 4, mirror: true, ticks: "inside", ticklabelposition: "inside" };
  layout.xaxis9 = axis({
    ...small,
    domain: [0.46, 0.985],
    anchor: "y9",
    range: [from, chapter.rounds],
    tickformat: "~s",
  });
  layout.yaxis9 = axis({
    ...small,
    ticks: "outside",
    ticklabelposition: "outside",
    tickformat: ".3f",
    domain: [bottom + 0.2 * part, bottom + 0.66 * part],
    anchor: "x9",
    range: [safe.reward - 0.8 * apart, optimal.reward + 1.2 * apart],
  });
  for (const [, at, dash] of levelsOf(chapter, 0))
    if (at != null && at < optimal.reward + 1.2 * apart)
      layout.shapes.push({
        type: "line",
        xref: "x9",
        x0: from,
        x1: chapter.rounds,
        yref: "y9",
        y0: at,
        y1: at,
        line: { color: css("--ink"), width: 1, dash },
      });
  for (const learner of chapter.learners.filter(isShown))
    if (learner.curves.reward)
      traces.push(
        ...curveTraces(chapter, learner, learner.curves.reward, { xaxis: "x9", yaxis: "y9" }, { band: "none" }),
      );
}

// Sums over time: regret above, violations below, on logarithmic scales.
function sums(chapter) {
  return () => {
    const names = ["regret", ...chapter.costs.map((_, i) => `violation_${i}`)];
    const titles = ["regret", ...chapter.costs.map((cost) => `violation of ${cost}`)];
    const height = 420 + 150 * (names.length - 2);
    const layout = base({ height, margin: { l: 58, r: 14, t: 22, b: 40 } });
    const gap = 0.08;
    const part = (1 - gap * (names.length - 1)) / names.length;
    const traces = [];
    names.forEach((name, i) => {
      const suffix = i ? String(i + 1) : "";
      const top = 1 - i * (part + gap);
      const most = Math.max(10, ...chapter.learners.flatMap((learner) => learner.curves[name]?.mean ?? []));
      layout[`yaxis${suffix}`] = axis({
        type: "log",
        range: [-0.3, Math.log10(most) + 0.25],
        domain: [Math.max(0, top - part), top],
        title: { text: plain(titles[i]), font: { size: 12 }, standoff: 6 },
        tickformat: "~s",
        dtick: 1,
      });
      for (const learner of chapter.learners.filter(isShown))
        if (learner.curves[name])
          traces.push(
            ...curveTraces(
              chapter,
              learner,
              learner.curves[name],
              { xaxis: "x", yaxis: `y${suffix}` },
              { log: true, unit: i ? " violation" : " regret" },
            ),
          );
    });
    layout.xaxis = axis({
      type: "log",
      anchor: `y${names.length}`,
      title: { text: "round", font: { size: 12 } },
      tickformat: "~s",
      dtick: 1,
      hoverformat: ",.0f",
      range: [1, Math.log10(chapter.rounds)],
    });
    return { traces, layout };
  };
}
