// Search in an exported site. It works from a disk, where scripts are all that
// a page may load, and asks no server for anything: the index is scripts too,
// loaded when it is wanted for the first time.
"use strict";

(() => {
	const folder = document.currentScript.src.replace(/[^/]*$/, "");
	const home = folder.replace(/site\/$/, "");
	const pages = [];
	const said = window.octavoWords;
	const filled = (phrase, value) => phrase.replace("%s", () => value);
	let expected = -1, arrived = 0, failed = false;
	let changed = () => {};

	function load(name) {
		const script = document.createElement("script");
		script.src = folder + name;
		script.onerror = () => { failed = true; changed(); };
		document.head.append(script);
	}

	window.octavoSearch = {
		begin(count) {
			expected = count;
			for (let i = 1; i <= count; i++) load("search-" + i + ".js");
			changed();
		},
		add(records) {
			for (const [file, title, description, sections] of records) {
				pages.push({
					file, title, name: fold(title), about: fold(description), description,
					sections: sections.map(([anchor, heading, text, code]) => ({ anchor, heading, text, code, head: fold(heading), body: fold(text), source: fold(code) })),
				});
			}
			arrived++;
			changed();
		},
	};

	// fold makes letters comparable, each in its place: case and accents count
	// for nothing.
	const folded = new Map();
	function fold(text) {
		const lower = text.toLowerCase();
		if (lower.length !== text.length) return Array.from({ length: text.length }, (_, i) => foldUnit(text[i])).join("");
		return /^[\x00-\x7f]*$/.test(lower) ? lower : lower.replace(/[^\x00-\x7f]/g, foldUnit);
	}
	function foldUnit(unit) {
		let result = folded.get(unit);
		if (result === undefined) {
			result = unit.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
			if (result.length !== 1) result = unit;
			folded.set(unit, result);
		}
		return result;
	}

	const wide = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]/u; // scripts that put no spaces between words
	const letter = /[\p{L}\p{N}]/u;

	// termsOf returns the words of a query. Those of scripts without spaces are
	// looked for as pairs of characters.
	function termsOf(query) {
		const terms = new Set();
		for (const word of fold(query).match(/[\p{L}\p{N}\p{M}_]+/gu) ?? []) {
			const units = [...word];
			if (!wide.test(word) || units.length < 3) terms.add(word);
			else for (let i = 0; i + 1 < units.length; i++) terms.add(units[i] + units[i + 1]);
		}
		return [...terms].slice(0, 12);
	}

	// worth says how well a term stands in a text: a whole word counts most, the
	// beginning of one less, and the inside of one little; more of them add ever
	// less.
	function worth(text, term) {
		let whole = 0, start = 0, inside = 0;
		for (let at = text.indexOf(term), n = 0; at >= 0 && n < 50; at = text.indexOf(term, at + term.length), n++) {
			const opens = at === 0 || !letter.test(text[at - 1]);
			const closes = at + term.length === text.length || !letter.test(text[at + term.length]);
			if (wide.test(term) || opens && closes) whole++;
			else if (opens) start++;
			else inside++;
		}
		if (whole + start + inside === 0) return 0;
		return whole ? 1 + Math.log2(whole + start) / 8 : start ? 0.6 + Math.log2(start) / 16 : 0.15;
	}

	// weigh returns what each term is worth on a page, and in each section of it.
	function weigh(page, terms) {
		const title = terms.map((term) => 10 * worth(page.name, term));
		const about = terms.map((term) => 3 * worth(page.about, term));
		const sections = page.sections.map((section) => terms.map((term) =>
			(section.head === page.name ? 0 : 5 * worth(section.head, term)) + 2 * worth(section.body, term) + worth(section.source, term)));
		const best = terms.map((_, i) => title[i] + about[i] + Math.max(0, ...sections.map((section) => section[i])));
		return { page, title, sections, best };
	}

	// words are those of all pages with how often they come, gathered when a word
	// is sought that no page has.
	let words = null;
	function vocabulary() {
		if (words) return words;
		words = new Map();
		const gather = (text) => {
			for (const [word] of text.matchAll(/[\p{L}\p{N}]{3,40}/gu)) words.set(word, (words.get(word) ?? 0) + 1);
		};
		for (const page of pages) {
			gather(page.name);
			for (const section of page.sections) {
				gather(section.head);
				gather(section.body);
			}
		}
		return words;
	}

	// distance returns how many letters have to be changed, added, left out or
	// swapped to come from one word to another, or more than most.
	function distance(a, b, most) {
		if (Math.abs(a.length - b.length) > most) return most + 1;
		let before = [], above = Array.from({ length: b.length + 1 }, (_, i) => i);
		for (let i = 1; i <= a.length; i++) {
			const row = [i];
			for (let j = 1; j <= b.length; j++) {
				row[j] = Math.min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
				if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
			}
			if (Math.min(...row) > most) return most + 1;
			[before, above] = [above, row];
		}
		return above[b.length];
	}

	// corrected returns the word of the pages that a term was probably meant to
	// be, or the term where none is near.
	function corrected(term) {
		const most = term.length < 4 || wide.test(term) ? 0 : term.length < 8 ? 1 : 2;
		let best = term, nearest = most + 1, often = 0;
		if (most > 0) {
			for (const [word, count] of vocabulary()) {
				const far = distance(term, word, Math.min(most, nearest));
				if (far > most || far > nearest || far === nearest && count <= often) continue;
				[best, nearest, often] = [word, far, count];
			}
		}
		return best;
	}

	// find returns the pages that have all terms, or else those with some, best
	// first. A term that no page has is taken for a mistyped word.
	function find(query) {
		const typed = termsOf(query);
		const terms = typed.map((term) => pages.some((page) => holds(page, term)) ? term : corrected(term));
		const instead = terms.filter((term, i) => term !== typed[i]);
		return { ...findTerms(query, terms), instead };
	}

	// holds reports whether a page has a term anywhere.
	function holds(page, term) {
		return page.name.includes(term) || page.about.includes(term) ||
			page.sections.some((section) => section.head.includes(term) || section.body.includes(term) || section.source.includes(term));
	}

	function findTerms(query, terms) {
		if (terms.length === 0) return { results: [], terms, all: true };
		const weighed = pages.map((page) => weigh(page, terms));
		const rarity = terms.map((_, i) => Math.log(1 + pages.length / (1 + weighed.filter((w) => w.best[i] > 0).length)));
		const sum = (worths) => worths.reduce((total, worth, i) => total + worth * rarity[i], 0);
		let all = true;
		let found = weighed.filter((w) => w.best.every((worth) => worth > 0));
		if (found.length === 0) {
			all = false;
			found = weighed.filter((w) => w.best.some((worth) => worth > 0));
		}
		const phrase = fold(query.trim().replace(/\s+/g, " "));
		const results = found.map((w) => {
			let section = null, most = 0;
			w.page.sections.forEach((candidate, i) => {
				let worth = sum(w.sections[i]);
				if (terms.length > 1 && (candidate.body.includes(phrase) || candidate.head.includes(phrase))) worth *= 1.5;
				if (worth > most) [section, most] = [candidate, worth];
			});
			let score = sum(w.title) + most + sum(w.best) / 4;
			if (w.page.name === phrase) score *= 2;
			return { page: w.page, section, score, terms: w.best.filter((worth) => worth > 0).length };
		});
		results.sort((a, b) => b.terms - a.terms || b.score - a.score || (a.page.file < b.page.file ? -1 : 1));
		return { results, terms, all };
	}

	// excerpt returns the text around the first place with a term.
	function excerpt(page, section, terms) {
		let text = section?.text, hay = section?.body;
		const has = (hay) => hay && terms.some((term) => hay.includes(term));
		if (!has(hay) && has(page.about)) [text, hay] = [page.description, page.about];
		else if (!has(hay) && has(section?.source)) [text, hay] = [section.code, section.source];
		if (!text) [text, hay] = [page.description || page.sections[0]?.text || "", ""];
		const places = terms.map((term) => hay.indexOf(term)).filter((at) => at >= 0);
		const first = places.length ? Math.min(...places) : 0;
		let from = Math.max(0, first - 60);
		if (from > 0) from = text.indexOf(" ", from) + 1 || from;
		if (from > first) from = Math.max(0, first - 20);
		const to = Math.min(text.length, from + 170);
		return (from > 0 ? "… " : "") + text.slice(from, to).replace(/\s+/g, " ") + (to < text.length ? " …" : "");
	}

	// marked returns text with its terms marked.
	function marked(text, terms) {
		const hay = fold(text), nodes = [];
		for (let at = 0; at < text.length;) {
			let next = text.length, length = 0;
			for (const term of terms) {
				const found = hay.indexOf(term, at);
				if (found >= 0 && (found < next || found === next && term.length > length)) [next, length] = [found, term.length];
			}
			if (next > at) nodes.push(text.slice(at, next));
			if (length > 0) nodes.push(Object.assign(document.createElement("mark"), { textContent: text.slice(next, next + length) }));
			at = next + length;
		}
		return nodes;
	}

	const most = 20; // results that are shown

	function shown({ page, section }, terms) {
		const inside = section?.heading && section.head !== page.name;
		return {
			href: home + page.file + (inside && section.anchor ? "#" + encodeURIComponent(section.anchor) : ""),
			title: marked(page.title, terms), within: inside ? marked(section.heading, terms) : null, excerpt: marked(excerpt(page, section, terms), terms),
		};
	}

	let asked = false;

	function answer(query, show) {
		if (!asked) {
			asked = true;
			load("search.js");
		}
		if (query.trim() === "") return;
		if (failed || expected < 0 || arrived < expected) {
			show(failed ? said.noIndex : said.loading, []);
			return;
		}
		const { results, terms, all, instead } = find(query);
		show((instead.length ? filled(said.instead, instead.join(", ")) + " " : "") + (results.length === 0 ? said.nothing :
			(all ? "" : said.notAll + " ") + (results.length === 1 ? said.onePage : filled(said.pages, results.length)) +
			(results.length > most ? filled(said.best, most) : "")), results.slice(0, most).map((result) => shown(result, terms)));
	}

	document.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".site-search").forEach((form) => {
		changed = window.octavoDialog(form, answer);
		form.addEventListener("submit", (event) => {
			event.preventDefault();
			changed();
			form.querySelector("ol a")?.click();
		});
	}));
})();
