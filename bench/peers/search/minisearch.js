// minisearch.js: reads pages and queries as JSON from standard input, and writes
// the paths of the pages that MiniSearch names, with the time that took.
import { readFileSync } from 'node:fs';
import MiniSearch from 'minisearch';

const { pages, queries, chinese } = JSON.parse(readFileSync(0, 'utf8'));

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
const segments = (text) => [...segmenter.segment(text)].filter((s) => s.isWordLike).map((s) => s.segment);

const index = new MiniSearch({
  idField: 'path',
  fields: ['title', 'headings', 'words', 'description', 'text'],
  ...(chinese && { tokenize: segments }),
  searchOptions: {
    boost: { title: 4, headings: 2.5, words: 2, description: 1.5 },
    prefix: (_, i, terms) => i === terms.length - 1,
    fuzzy: (term) => (term.length > 3 ? 0.2 : false),
  },
});
index.addAll(pages);

const answers = queries.map((query) => {
  const began = performance.now();
  const found = index.search(query).slice(0, 10);
  return { ms: performance.now() - began, paths: found.map((result) => result.id) };
});
process.stdout.write(JSON.stringify(answers));
