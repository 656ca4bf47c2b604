// pagefind.js FOLDER: reads pages and queries as JSON from standard input, and
// writes the paths of the pages that Pagefind names, with the time that took.
// Its index is written to FOLDER and searched by its own script for browsers,
// over HTTP as there.
import { createServer } from 'node:http';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { close, createIndex } from 'pagefind';

const folder = resolve(process.argv[2]);
const { pages, queries, chinese } = JSON.parse(readFileSync(0, 'utf8'));
const language = chinese ? 'zh' : 'en';
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

rmSync(folder, { recursive: true, force: true });
const { index } = await createIndex({ forceLanguage: language });
for (const page of pages) {
  const content = `<html lang="${language}"><body><h1>${escaped(page.title)}</h1><p>${escaped(page.description)}</p>${page.html}</body></html>`;
  const { errors } = await index.addHTMLFile({ url: `/${page.path}`, content });
  if (errors.length > 0) throw new Error(`${page.path}: ${errors.join(', ')}`);
}
await index.writeFiles({ outputPath: folder });
await close();
writeFileSync(join(folder, 'package.json'), '{"type": "module"}'); // for Node, which imports the script

const server = createServer((request, response) => {
  try {
    response.end(readFileSync(join(folder, decodeURI(new URL(request.url, 'http://local').pathname))));
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const address = `http://127.0.0.1:${server.address().port}/`;

const pagefind = await import(pathToFileURL(join(folder, 'pagefind.js')));
await pagefind.options({ basePath: address, baseUrl: '/' });
await pagefind.init(language);

const answers = [];
for (const query of queries) {
  const began = performance.now();
  const { results } = await pagefind.search(query);
  const found = await Promise.all(results.slice(0, 10).map((result) => result.data()));
  answers.push({ ms: performance.now() - began, paths: found.map((page) => decodeURI(page.url).replace(/^\//, '')) });
}
process.stdout.write(JSON.stringify(answers), () => process.exit());
