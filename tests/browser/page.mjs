// The report's page in headless Chromium, from a file and without a network: what a reader does works, and looks right in
// the pictures that are left behind.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { chromium } from "playwright-core";

const [, , file, pictures] = process.argv;
const url = `file://${resolve(file)}`;
const DESKTOP = { width: 1280, height: 850 },
  PHONE = { width: 390, height: 844 };
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });

// Opens the page; anything that it says or asks for is a fault.
async function open(viewport, colorScheme) {
  const context = await browser.newContext({ viewport, colorScheme, offline: true });
  const page = await context.newPage(),
    faults = [];
  page.on("console", (message) => faults.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (request) => {
    if (request.url() !== url && !request.url().startsWith("data:")) faults.push(`asks for ${request.url()}`);
  });
  await page.goto(url);
  await page.waitForSelector("#main-figures .main-svg");
  return { page, faults, close: () => context.close() };
}

const tests = {
  async "the page is small and shows its figure on the first screen"() {
    assert.ok(statSync(file).size < 10e6);
    const { page, close } = await open(DESKTOP, "light");
    const box = await page.locator("#main-figures .main-svg").first().boundingBox();
    assert.ok(box.y + 200 < DESKTOP.height, `the figure begins at ${box.y}`);
    await close();
  },

  async "a hover shows the values of the learners"() {
    const { page, close } = await open(DESKTOP, "light");
    const plot = await page.locator("#main-figures .chart").first().boundingBox();
    await page.mouse.move(plot.x + plot.width / 2, plot.y + plot.height / 4, { steps: 5 });
    const shown = page.locator("#main-figures .chart .hoverlayer").first();
    await page.waitForFunction(() =>
      document.querySelector("#main-figures .hoverlayer")?.textContent.includes("psrl-transitions"),
    );
    assert.match(await shown.textContent(), /psrl-transitions : [−-]0\.\d{4} reward/);
    assert.equal((await shown.textContent()).match(/reward/g).length, 5, "one row for each learner");
    assert.doesNotMatch(await shown.textContent(), / risk/, "the values of the other plot");
    await close();
  },

  async "the first screen says what was found"() {
    const { page, close } = await open(DESKTOP, "light");
    const said = page.locator("#findings li");
    assert.equal(await said.count(), 3);
    assert.match(await said.nth(0).textContent(), /^There is no chance in the environments/);
    assert.match(await said.nth(1).textContent(), /^The coefficient of the bonus decides Box: of the runs of cucrl-optimistic, \d+ of \d+ with 0\.01/);
    assert.match(await said.nth(2).textContent(), /cucrl-optimistic \(by round \d+\), \d+\.\d times as early/);
    assert.match(await page.locator("#main-figures .ended").first().textContent(), /\d+ of \d+ runs/);
    await close();
  },

  async "a heading that is jumped to stands below the bar"() {
    for (const viewport of [DESKTOP, PHONE]) {
      const { page, close } = await open(viewport, "light");
      await page.locator("nav a[href='#effort']").click();
      await page.waitForTimeout(300);
      const [bar, heading] = [page.locator("#controls"), page.locator("#effort h2")];
      const [above, below] = [await bar.boundingBox(), await heading.boundingBox()];
      assert.ok(below.y >= above.y + above.height - 1, `${below.y} is under ${above.y + above.height}`);
      await close();
    }
  },

  async "a table is whole, or shows that it goes on"() {
    for (const viewport of [DESKTOP, PHONE]) {
      const { page, close } = await open(viewport, "light");
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll(".scroll")]
          .filter((one) => one.scrollWidth > one.clientWidth + 1)
          .map((one) => ({
            section: one.closest("section").id,
            cue: getComputedStyle(one).overflowX === "auto" && getComputedStyle(one).backgroundImage.includes("gradient"),
          })),
      );
      assert.ok(cut.every(({ cue }) => cue), JSON.stringify(cut));
      const narrow = viewport === PHONE ? ["claims"] : ["claims", "ends", "effort"];
      assert.deepEqual(cut.filter(({ section }) => narrow.includes(section)), [], "there is room for these");
      await close();
    }
  },

  async "labels stand beside their levels in an enlarged figure, and the inset has an axis"() {
    const { page, close } = await open(DESKTOP, "light");
    const card = page.locator("#main-figures .card[data-chapter^=box]");
    await card.locator("header button").click();
    await page.waitForFunction(() => document.querySelector("#main-figures .card.wide .main-svg")?.clientWidth > 1000);
    const found = await card.locator(".chart").evaluate((plot) => {
      const level = plot.layout.annotations.filter(({ text, yref }) => text === "safe" && yref === "y");
      const ticks = plot.querySelectorAll(".y9tick text").length;
      const budget = plot.layout.shapes.filter(({ yref, line }) => yref === "y2" && line.dash === "dash").length;
      return { shift: level[0].yshift, ticks, budget };
    });
    assert.ok(Math.abs(found.shift) <= 14, `the label is ${found.shift} px off`);
    assert.ok(found.ticks > 1 && found.budget >= 1, JSON.stringify(found));
    await close();
  },

  async "a button hides a learner in every figure, and shows it again"() {
    const { page, close } = await open(DESKTOP, "light");
    const lines = () => page.locator("#main-figures .chart").first().locator(".scatterlayer .trace").count();
    const before = await lines(),
      chip = page.locator(".chip[data-learner=psrl-transitions]");
    await chip.click();
    assert.ok((await lines()) < before, "the curve is still there");
    assert.equal(await chip.getAttribute("aria-pressed"), "false");
    assert.equal(await page.locator("#ends td", { hasText: "psrl-transitions" }).count(), 0);
    await chip.click();
    assert.equal(await lines(), before);
    await close();
  },

  async "bands can be switched off, figures enlarged and zoomed"() {
    const { page, close } = await open(DESKTOP, "light");
    const chart = page.locator("#main-figures .chart").first(),
      fills = () => chart.locator(".fills path.js-fill").count();
    assert.ok((await fills()) > 0);
    await page.locator("#controls button", { hasText: "none" }).click();
    assert.equal(await fills(), 0);
    await page.locator("#main-figures .card button").first().click();
    await page.waitForFunction(() => document.querySelector("#main-figures .main-svg").clientWidth > 1000);
    const all = await chart.evaluate((plot) => plot.layout.xaxis.range[1]),
      plot = await chart.boundingBox();
    await page.mouse.move(plot.x + 200, plot.y + 80);
    await page.mouse.down();
    await page.mouse.move(plot.x + 500, plot.y + 180, { steps: 8 });
    await page.mouse.up();
    await page.waitForFunction(
      (before) => document.querySelector("#main-figures .chart").layout.xaxis.range[1] < before,
      all,
    );
    await close();
  },

  async "the slider moves through the epochs"() {
    const { page, close } = await open(DESKTOP, "light");
    const worlds = page.locator("#policy-worlds"),
      slider = page.locator("#epochs");
    await slider.scrollIntoViewIfNeeded();
    const last = await worlds.innerHTML();
    await slider.focus();
    await page.keyboard.press("Home");
    assert.match(await page.locator("#policies output").textContent(), /^round 0 of/);
    assert.notEqual(await worlds.innerHTML(), last);
    await page.keyboard.press("End");
    assert.equal(await worlds.innerHTML(), last);
    await close();
  },

  async "a hover shows what regret is made of"() {
    const { page, close } = await open(DESKTOP, "light");
    const chart = page.locator("#terms .chart").first();
    await chart.scrollIntoViewIfNeeded();
    await chart.locator(".main-svg").first().waitFor();
    const plot = await chart.boundingBox();
    await page.mouse.move(plot.x + plot.width / 2, plot.y + plot.height / 4, { steps: 5 });
    await page.waitForFunction(() => /by epoch \d+/.test(document.querySelector("#terms .hoverlayer")?.textContent));
    assert.match(await chart.locator(".hoverlayer").textContent(), /2 Lagrangian relaxation : /);
    assert.match(await page.locator("#terms figcaption").first().textContent(), /Term \d is the largest/);
    await close();
  },

  async "on paper nothing is cut, and there is nothing to press"() {
    const { page, close } = await open({ width: 1039, height: 710 }, "dark");
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll(".card, .scroll, .tables")]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth + 1)
        .map((one) => `${one.closest("section").id} ${one.className}: ${one.scrollWidth} of ${one.clientWidth}`),
    );
    assert.deepEqual(cut, []);
    assert.equal(await page.locator("button:visible:not([aria-pressed=true]), input:visible").count(), 0);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
    await page.pdf({ path: `${pictures}/paper.pdf`, preferCSSPageSize: true });
    await close();
  },

  async "another preset changes the figures"() {
    const { page, close } = await open(DESKTOP, "light");
    const cards = page.locator("#main-figures .card");
    const before = await cards.count();
    await page.locator("#controls button", { hasText: "sound" }).click();
    assert.ok((await cards.count()) < before);
    assert.match(await page.locator("#figure-note").textContent(), /Preset sound/);
    await close();
  },

  async "the theme follows the system, and its button changes it"() {
    const { page, close } = await open(DESKTOP, "dark");
    const dark = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const before = await dark();
    await page.locator("#theme").click();
    assert.notEqual(await dark(), before);
    await close();
  },

  async "nothing is said, asked for or wider than the screen, in both themes and sizes"() {
    for (const [size, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE }))
      for (const theme of ["light", "dark"]) {
        const { page, faults, close } = await open(viewport, theme);
        await page.screenshot({ path: `${pictures}/${size}-${theme}.png` });
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        for (let y = 0; y < height; y += viewport.height) {
          await page.evaluate((to) => scrollTo(0, to), y);
          await page.waitForTimeout(60);
        }
        await page.evaluate(() => scrollTo(0, 0));
        await page.screenshot({ path: `${pictures}/${size}-${theme}-whole.png`, fullPage: true });
        assert.deepEqual(faults, []);
        assert.ok(
          (await page.evaluate(() => document.documentElement.scrollWidth)) <= viewport.width,
          `${size} is too wide`,
        );
        await close();
      }
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`ok    ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILS ${name}\n${error.stack}`);
  }
}
await browser.close();
console.log(failed ? `${failed} of ${Object.keys(tests).length} fail` : `all pass; pictures in ${pictures}`);
process.exit(failed ? 1 : 0);
