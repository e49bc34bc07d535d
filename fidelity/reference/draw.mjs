#!/usr/bin/env node
// Draws the expected frames of cases with headless Chromium.
//   node draw.mjs [area | area/name]…     those cases, or every case
import { chromium } from 'playwright-core';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const reference = path.dirname(fileURLToPath(import.meta.url));
const fidelity = path.dirname(reference);
const fonts = path.join(fidelity, '../testdata/fonts');
const origin = 'http://reference.invalid/';

const blank =
  '<!doctype html><meta charset="utf-8"><style>*{box-sizing:border-box;margin:0;padding:0}' +
  'html{font-size:16px;background:#fff}body{font-synthesis:none;font-family:Inter;color:#000}</style><body></body>';
const types = { '.png': 'image/png', '.jpg': 'image/jpeg', '.ttf': 'font/ttf' };

// Plain scripts that share one scope, in dependency order.
const scripts = [
  'base.js', 'easing.js', 'presets.js', 'text.js', 'media.js', 'shapes.js', 'gradients.js', 'captions.js', 'effects.js',
  'page.js',
];

// Greyscale, unhinted glyphs and plain sRGB on every machine.
const flags = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--font-render-hinting=none', '--disable-lcd-text',
  '--force-color-profile=srgb', '--hide-scrollbars',
];

function cases(wanted) {
  const root = path.join(fidelity, 'cases');
  const folders = fs.readdirSync(root).sort().flatMap(area =>
    fs.readdirSync(path.join(root, area)).sort().map(name => `${area}/${name}`));
  const unknown = wanted.filter(w => !folders.some(f => f === w || f.startsWith(`${w}/`)));
  if (unknown.length) throw new Error(`There is no case ${unknown.join(', ')}.`);
  return wanted.length ? folders.filter(f => wanted.some(w => f === w || f.startsWith(`${w}/`))) : folders;
}

function framesOf(folder) {
  const facts = fs.readFileSync(path.join(folder, 'test.toml'), 'utf8');
  return JSON.parse(facts.match(/^frames = (\[.*\])$/m)[1]);
}

// Paths under /fonts/ are the test fonts, all others are in the folder of the suite.
function serve(route) {
  const asked = decodeURIComponent(new URL(route.request().url()).pathname);
  if (asked === '/') return route.fulfill({ contentType: 'text/html; charset=utf-8', body: blank });
  const file = asked.startsWith('/fonts/') ? path.join(fonts, asked.slice(7)) : path.join(fidelity, asked);
  if (!fs.existsSync(file)) return route.fulfill({ status: 404, body: '' });
  return route.fulfill({ contentType: types[path.extname(file)], body: fs.readFileSync(file) });
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: flags });
const page = await browser.newPage({ deviceScaleFactor: 1 });
await page.route('**/*', serve);
page.on('console', message => message.type() === 'error' && console.error(message.text()));
page.on('pageerror', error => console.error(error.message));
await page.goto(origin);
for (const script of scripts) await page.addScriptTag({ path: path.join(reference, script) });
await page.evaluate(list => window.loadFonts(list), JSON.parse(fs.readFileSync(path.join(reference, 'fonts.json'))));

let drawn = 0;
for (const name of cases(process.argv.slice(2))) {
  const folder = path.join(fidelity, 'cases', name);
  const composition = JSON.parse(fs.readFileSync(path.join(folder, 'composition.json')));
  const { width, height } = composition;
  const own = path.join(folder, 'reference.js');
  if (fs.existsSync(own)) await page.addScriptTag({ path: own });
  await page.setViewportSize({ width, height });
  for (const file of fs.readdirSync(folder)) if (file.startsWith('expected-')) fs.rmSync(path.join(folder, file));
  for (const frame of framesOf(folder)) {
    await page.evaluate(([c, f, base]) => window.renderFrame(c, f, base), [composition, frame, `${origin}cases/${name}/`]);
    const picture = path.join(folder, `expected-${frame}.png`);
    await page.screenshot({ path: picture, clip: { x: 0, y: 0, width, height } });
    drawn++;
  }
}
await browser.close();
console.log(`${drawn} pictures drawn.`);
