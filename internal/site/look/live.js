// The script of a live site beside site.js: a search shows what it finds while it
// is typed, a link to a heading copies its address, and a page says when it has
// changed.
"use strict";

(() => {
	const words = window.octavoWords;
	const filled = (phrase, value) => phrase.replace("%s", () => value);

	// What the server has marked is escaped text with mark elements, and stays text
	// here.

	const entities = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&#34;": '"', "&#39;": "'" };
	const plain = (text) => text.replace(/&(lt|gt|amp|#34|#39);/g, (entity) => entities[entity]);
	const marked = (html) => html.split(/<mark>(.*?)<\/mark>/s).map((part, i) =>
		i % 2 ? Object.assign(document.createElement("mark"), { textContent: plain(part) }) : plain(part));

	const send = (address, fields, more) => fetch(address, { method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams(fields), ...more });

	// A query counts when one of its results is opened, or when it rests for a while.

	const rest = 2000;

	function search(form) {
		const language = form.querySelector("[name=language]")?.value;
		let last, resting, uncounted;
		const count = () => {
			clearTimeout(resting);
			if (uncounted) send(form.action.replace(/search$/, "searched"), uncounted, { keepalive: true }).catch(() => {});
			uncounted = null;
		};
		form.addEventListener("click", (event) => { if (event.target.closest("a")) count(); });
		window.octavoDialog(form, async (query, show) => {
			last?.abort();
			clearTimeout(resting);
			uncounted = null;
			if (query.trim() === "") return;
			last = new AbortController();
			try {
				const answer = await fetch(form.action + "?" + new URLSearchParams({ ...(language && { language }), q: query }), { headers: { Accept: "application/json" }, signal: last.signal });
				if (!answer.ok) throw new Error(answer.statusText);
				const results = await answer.json();
				uncounted = { q: query, results: results.length };
				resting = setTimeout(count, rest);
				show(results.length === 0 ? words.nothing : results.length === 1 ? words.onePage : filled(words.pages, results.length), results.map((result) => ({
					href: result.url, trail: result.trail.map((title) => `\u2068${title}\u2069`).join(" › "), title: [result.title], within: result.section ? [result.section] : null, excerpt: marked(result.highlight),
				})));
			} catch (error) {
				if (error.name !== "AbortError") show(words.noIndex, []);
			}
		});
	}

	// What readers think of a page is sent without leaving it.

	function feedback(form) {
		const said = Object.assign(document.createElement("p"), { className: "site-thanks" });
		said.setAttribute("role", "status");
		form.after(said);
		form.addEventListener("submit", async (event) => {
			event.preventDefault();
			const sent = await send(form.action, new FormData(form, event.submitter)).then((answer) => answer.ok, () => false);
			said.textContent = sent ? words.thanks : words.notSent;
			if (!sent) return;
			form.remove();
			said.tabIndex = -1;
			said.focus();
		});
	}

	// Whoever is signed in sees their name, and what they may do with the page. Pages are the
	// same for everybody, so a script asks, and where nobody is signed in not again for a
	// while.

	const fresh = 60_000;

	async function whoReads(link) {
		const name = "octavo-me", tools = document.querySelector(".site-tools");
		let me;
		try { me = JSON.parse(sessionStorage.getItem(name)); } catch { /* as if it had not asked */ }
		if (!(me?.at > Date.now() - fresh)) {
			const answer = await fetch(link.dataset.me + (tools ? "?page=" + tools.dataset.page : ""));
			if (!answer.ok) return;
			me = { at: Date.now(), ...await answer.json() };
			try { // a name is not kept: it would outlive signing out
				if (!me.name) sessionStorage.setItem(name, JSON.stringify(me));
			} catch { /* it asks again */ }
		}
		if (me.name) link.textContent = me.name;
		const edit = me.actions?.find((action) => action.rel === "edit");
		if (edit) tools.prepend(Object.assign(document.createElement("a"), { href: edit.href, textContent: words.edit }), " ");
	}

	// A page is copied as it was written. The text may arrive after the click, which
	// browsers permit where the clipboard is promised it.

	function copiesPage(link) {
		const button = Object.assign(document.createElement("button"), { type: "button", textContent: words.copyPage });
		button.addEventListener("click", async () => {
			const text = fetch(link.href).then((answer) => answer.ok ? answer.blob() : Promise.reject(new Error(answer.statusText))).then((blob) => new Blob([blob], { type: "text/plain" }));
			const copied = await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]).then(() => true, () => false);
			button.textContent = copied ? words.copied : words.notCopied;
			setTimeout(() => { button.textContent = words.copyPage; }, 2000);
		});
		link.after(" ", button);
	}

	function copies(link) {
		link.addEventListener("click", () => navigator.clipboard.writeText(link.href).catch(() => {}));
	}

	// A page that is looked at asks now and then whether it is still what it was.

	const pause = 60_000;

	async function watch() {
		const ask = async (cache) => {
			const answer = await fetch(location.href, { cache, headers: { Accept: "text/html" } });
			if (!answer.ok && answer.status !== 404 || new URL(answer.url).pathname.endsWith("/login")) throw new Error("not told");
			return answer.status === 404 ? null : answer.headers.get("ETag");
		};
		const first = await ask("force-cache");
		let timer;
		const look = async () => {
			clearTimeout(timer);
			if (document.hidden) return;
			const now = await ask("no-cache").catch(() => first); // the server is away, or nobody is signed in any more
			if (now !== first) {
				tell(now === null ? words.gone : words.changed);
				return;
			}
			timer = setTimeout(look, pause);
		};
		document.addEventListener("visibilitychange", look);
		timer = setTimeout(look, pause);
	}

	function tell(text) {
		if (document.querySelector(".site-news")) return;
		const again = Object.assign(document.createElement("a"), { href: location.href, textContent: words.reload });
		again.addEventListener("click", (event) => {
			event.preventDefault();
			location.reload();
		});
		const news = Object.assign(document.createElement("p"), { className: "site-news" });
		news.setAttribute("role", "status");
		news.append(text, " ", again);
		document.body.append(news);
	}

	document.addEventListener("DOMContentLoaded", () => {
		document.querySelectorAll(".site-search").forEach(search);
		if (navigator.clipboard) document.querySelectorAll(".oct-anchor").forEach(copies);
		if (navigator.clipboard) document.querySelectorAll('.site-tools a[href$=".md"]').forEach(copiesPage);
		document.querySelectorAll(".site-feedback").forEach(feedback);
		document.querySelectorAll("a[data-me]").forEach((link) => whoReads(link).catch(() => {}));
		if (document.querySelector('link[rel="canonical"]')) watch().catch(() => {});
	});
})();
