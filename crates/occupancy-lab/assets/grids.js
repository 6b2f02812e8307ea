"use strict";
// Gridworlds: cells, arrows as wide as their probability, discs as large as their share of time.

const SVG = "http://www.w3.org/2000/svg";
function shape(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
const FILL = { "#": "var(--wall)", ".": "var(--free)", S: "var(--start)", G: "var(--goal)", R: "var(--risky)" };
const ROOM = 40; // a cell's side in the picture's own units
const WAYS = [
  [0, -1],
  [0, 1],
  [-1, 0],
  [1, 0],
];

function arrow([x, y], to, p, visited) {
  const [dx, dy] = WAYS[to];
  const [tail, tip] = p > 0.999 ? [-0.25 * ROOM, 0.25 * ROOM] : [0, 0.36 * ROOM];
  const head = ROOM * (visited ? 0.08 + 0.06 * p : 0.075);
  const half = ROOM * (visited ? 0.014 + 0.026 * p : 0.012);
  const neck = tip - 1.5 * head;
  const points = [
    [tail, half],
    [neck, half],
    [neck, head],
    [tip, 0],
    [neck, -head],
    [neck, -half],
    [tail, -half],
  ].map(([along, across]) => `${x + along * dx - across * dy},${y + along * dy + across * dx}`);
  return shape("polygon", {
    points: points.join(" "),
    fill: visited ? "var(--ink)" : "var(--soft)",
    "fill-opacity": visited ? 0.45 + 0.55 * p : 0.55,
  });
}

// One panel; `ways` are lists of cells with a colour each.
function world(grid, panel, { size = 160, box = null, ways = [], text = "", percents = true } = {}) {
  const { width, cells } = grid;
  const height = cells.length / width;
  const centre = (at) => [((at % width) + 0.5) * ROOM, (Math.floor(at / width) + 0.5) * ROOM];
  const svg = shape("svg", {
    viewBox: `-1 -1 ${width * ROOM + 2} ${height * ROOM + 2}`,
    width: size,
    height: (size * height) / width,
    role: "img",
    "aria-label": text,
  });
  const letters = Math.min(1, (45 * width) / size); // the same on a screen, however large a cell is
  const most = Math.max(...(panel?.shares ?? [0]), 1e-9);
  [...cells].forEach((cell, at) => {
    const [x, y] = centre(at);
    svg.append(
      shape("rect", {
        x: x - ROOM / 2,
        y: y - ROOM / 2,
        width: ROOM,
        height: ROOM,
        fill: FILL[cell],
        stroke: "var(--line)",
      }),
    );
    const share = panel?.shares[at] ?? 0;
    if (share > 0)
      svg.append(
        shape("circle", {
          cx: x,
          cy: y,
          r: ROOM * 0.44 * Math.sqrt(share / most),
          fill: "var(--accent)",
          "fill-opacity": 0.28,
        }),
      );
    if (box === at)
      svg.append(
        shape("rect", {
          x: x - 0.3 * ROOM,
          y: y - 0.3 * ROOM,
          width: 0.6 * ROOM,
          height: 0.6 * ROOM,
          rx: 3,
          fill: "var(--box)",
          stroke: "var(--ink)",
          "stroke-width": 1,
        }),
      );
  });
  for (const { way, colour, shift } of ways) {
    const points = way
      .map((at) =>
        centre(at)
          .map((x) => x + shift)
          .join(","),
      )
      .join(" ");
    svg.append(
      shape("polyline", {
        points,
        fill: "none",
        stroke: colour,
        "stroke-width": 3.5,
        "stroke-linejoin": "round",
        "stroke-linecap": "round",
        "stroke-opacity": 0.8,
      }),
    );
    const [x, y] = centre(way.at(-1));
    svg.append(shape("circle", { cx: x + shift, cy: y + shift, r: 5, fill: colour }));
  }
  [...cells].forEach((cell, at) => {
    const [x, y] = centre(at);
    const share = panel?.shares[at] ?? 0;
    const move = panel?.moves[at];
    if (box !== at && move != null) {
      const moves = Array.isArray(move) ? move.map((p, to) => [to, p / 100]).filter(([, p]) => p > 0) : [[move, 1]];
      for (const [to, p] of moves.sort((a, b) => a[1] - b[1])) svg.append(arrow([x, y], to, p, share > 0));
    }
    if (cell === "S" || cell === "G")
      svg.append(
        shape(
          "text",
          {
            x: x - 0.44 * ROOM,
            y: y - 0.47 * ROOM + 10 * letters,
            "font-size": 11 * letters,
            "font-weight": 700,
            fill: cell === "G" ? "#fff" : "var(--ink)",
          },
          cell,
        ),
      );
    if (percents && share >= 0.05 && size / width >= 34)
      svg.append(
        shape(
          "text",
          {
            x: x + 0.46 * ROOM,
            y: y + 0.44 * ROOM,
            "font-size": 8.5 * letters,
            "text-anchor": "end",
            fill: cell === "G" ? "#fff" : "var(--ink)",
          },
          `${number(share, share < 9.95 ? 1 : 0)}%`,
        ),
      );
  });
  return svg;
}

// All panels of a policy side by side, one without a box; sizes are those of the first panels, the last of all others.
function worlds(grid, panels, { size, ways = [], text }) {
  const boxes = grid.boxes ?? [null];
  return element(
    "div",
    { class: "worlds" },
    panels.map((panel, i) => {
      const time = panel.shares.reduce((sum, share) => sum + (share ?? 0), 0);
      const said = grid.boxes ? `${number(time, 0)} % of time` : null;
      return element(
        "figure",
        { class: "world" },
        world(grid, panel, {
          size: size[i] ?? size.at(-1),
          box: boxes[i],
          ways: i ? [] : ways,
          text: said ? `${text}; ${said}` : text,
        }),
        said ? element("figcaption", {}, said) : null,
      );
    }),
  );
}

const key = (colour, text, round = false) =>
  element("span", {}, element("i", { style: `background:${colour};${round ? "border-radius:50%" : ""}` }), text);
function keys(grid, ways) {
  const has = (cell) => grid.cells.includes(cell);
  return element(
    "p",
    { class: "keys" },
    key("var(--start)", "start"),
    key("var(--goal)", "goal"),
    has("#") ? key("var(--wall)", "wall") : null,
    has("R") ? key("var(--risky)", "risky") : null,
    grid.boxes ? key("var(--box)", "box") : null,
    key("color-mix(in srgb, var(--accent) 28%, transparent)", "share of time", true),
    ways ? [key("#d55e00", "fast way"), key("#009e73", "safe way")] : null,
  );
}
