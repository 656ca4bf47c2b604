// The script of every site: colours, the menu of narrow windows, the place in the
// contents, buttons that copy code, tabs that stay chosen, and the dialog in which a
// search shows what it finds. Without it every page can be read and reached.
"use strict";

(() => {
	const root = document.documentElement;
	const words = window.octavoWords;
	root.classList.add("site-script"); // before anything is painted that hides then

	// Colours: what the reader chose, else what the system says.

	const stored = (name) => ({
		get() { try { return localStorage.getItem(name); } catch { return null; } },
		set(value) { try { localStorage.setItem(name, value); } catch { /* the choice lasts for this page */ } },
	});
	const colours = stored("octavo-colours");
	const follows = root.classList.contains("oct-system");
	const system = matchMedia("(prefers-color-scheme: dark)");
	const isDark = () => root.classList.contains("oct-system") ? system.matches : root.classList.contains("oct-dark");

	function colour(choice) { // "" is that of the system
		root.classList.toggle("oct-system", choice === "");
		root.classList.toggle("oct-dark", choice === "dark");
	}
	if (follows && ["dark", "light"].includes(colours.get())) colour(colours.get());

	function themeSwitch(button) {
		const show = () => button.setAttribute("aria-pressed", String(isDark()));
		button.addEventListener("click", () => {
			// Colours that are the system's are followed, not chosen.
			const choice = isDark() === system.matches ? isDark() ? "light" : "dark" : "";
			colour(choice);
			colours.set(choice);
			show();
		});
		system.addEventListener("change", show);
		show();
		button.hidden = false;
	}

	// The tree of pages in a narrow window.

	function menu(button, pages) {
		const show = (open) => {
			button.setAttribute("aria-expanded", String(open));
			pages.classList.toggle("site-shown", open);
		};
		button.addEventListener("click", () => show(button.getAttribute("aria-expanded") !== "true"));
		document.addEventListener("keydown", (event) => {
			if (event.key !== "Escape" || button.getAttribute("aria-expanded") !== "true") return;
			show(false);
			button.focus();
		});
		button.hidden = false;
	}

	// Code can be copied.

	function copyButton(pre) {
		const button = document.createElement("button");
		const say = (text) => { button.textContent = text; };
		button.type = "button";
		button.className = "site-copy";
		say(words.copy);
		button.addEventListener("click", async () => {
			try {
				await navigator.clipboard.writeText(pre.querySelector("code").textContent);
				say(words.copied);
			} catch {
				say(words.notCopied);
			}
			setTimeout(() => say(words.copy), 2000);
		});
		const frame = document.createElement("div");
		frame.className = "site-code";
		pre.replaceWith(frame);
		frame.append(pre, button);
	}

	// The contents tell which heading is being read.

	function follow(contents) {
		const links = new Map([...contents.querySelectorAll("a")].map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
		const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
		const mark = () => {
			let here = headings[0];
			for (const heading of headings) {
				if (heading.getBoundingClientRect().top < innerHeight / 4) here = heading;
			}
			for (const link of links.values()) link.removeAttribute("aria-current");
			if (here) links.get(here.id).setAttribute("aria-current", "location");
		};
		let waiting = false;
		addEventListener("scroll", () => {
			if (waiting) return;
			waiting = true;
			requestAnimationFrame(() => { waiting = false; mark(); });
		}, { passive: true });
		mark();
	}

	// Of tabs that have the same name the one stays open that was chosen last.

	function tabs(all) {
		const chosen = stored("octavo-tab");
		const name = (tab) => tab.querySelector("summary").textContent.trim();
		const choose = (wanted) => all.forEach((tab) => { if (name(tab) === wanted) tab.open = true; });
		all.forEach((tab) => tab.querySelector("summary").addEventListener("click", (event) => {
			if (tab.open) return event.preventDefault(); // one is always open
			chosen.set(name(tab));
			setTimeout(choose, 0, name(tab));
		}));
		if (chosen.get() !== null) choose(chosen.get());
	}

	// A picture that is shown smaller than it is can be looked at as it is.

	function enlarge(image) {
		const smaller = () => image.naturalWidth > image.clientWidth * 1.2 && !image.closest("a, button, summary");
		const opener = element("button", "site-enlarge");
		opener.type = "button";
		opener.setAttribute("aria-label", words.enlarge + (image.alt ? ": " + image.alt : ""));
		const fit = () => {
			if (!smaller()) return;
			image.replaceWith(opener);
			opener.append(image);
		};
		opener.addEventListener("click", () => {
			const dialog = element("dialog", "site-picture", image.cloneNode());
			dialog.setAttribute("aria-label", image.alt || words.enlarge);
			dialog.tabIndex = 0; // it may have to be scrolled
			dialog.addEventListener("click", () => dialog.close());
			dialog.addEventListener("close", () => {
				dialog.remove();
				opener.focus();
			});
			document.body.append(dialog);
			dialog.showModal();
		});
		if (image.complete) fit();
		else image.addEventListener("load", fit);
	}

	// The search is a dialog, which a button opens in place of its field, and /, Ctrl-K
	// and Cmd-K. find(query, show) calls show with a text and with results: {href, trail,
	// title, within, excerpt}, the last three as nodes. Without a query there are the last
	// ones that led somewhere. What is returned has the query answered anew.

	function element(name, className, ...content) {
		const e = document.createElement(name);
		if (className) e.className = className;
		e.append(...content);
		return e;
	}

	const maxRecent = 5;

	window.octavoDialog = (form, find) => {
		const input = form.querySelector(".site-query"), panel = form.querySelector(".site-results");
		const status = form.querySelector(".site-status"), list = panel.querySelector("ol");
		const dialog = element("dialog", "site-dialog"), opener = element("button", "site-opener", form.querySelector("svg").cloneNode(true), element("span", "", input.placeholder), form.querySelector("kbd"));
		const recent = stored("octavo-recent");
		const button = (text, className, act) => {
			const b = element("button", className, text);
			b.type = "button";
			b.addEventListener("click", act);
			return b;
		};

		const searches = () => { try { return JSON.parse(recent.get()) ?? []; } catch { return []; } };
		const remember = () => {
			const query = input.value.trim();
			if (query) recent.set(JSON.stringify([query, ...searches().filter((other) => other !== query)].slice(0, maxRecent)));
		};
		const again = (query) => element("li", "", button(query, "site-recent", () => {
			input.value = query;
			input.focus();
			update();
		}));
		const item = ({ href, trail, title, within, excerpt }) => {
			const link = element("a", "");
			link.href = href;
			if (trail) link.append(element("span", "site-excerpt", trail));
			link.append(element("span", "site-result", ...title));
			if (within) link.append(element("span", "site-within", ...within));
			link.append(element("span", "site-excerpt", ...excerpt));
			return element("li", "", link);
		};
		const update = () => {
			const query = input.value, blank = query.trim() === "", last = blank ? searches() : [];
			panel.hidden = blank && last.length === 0;
			find(query, (text, results) => {
				if (query !== input.value) return;
				status.textContent = text;
				list.replaceChildren(...results.map(item));
				status.dataset.query = query; // what is shown belongs to it
			});
			if (!blank) return;
			status.replaceChildren(words.recent, " ", button(words.forget, "site-forget", () => {
				recent.set("[]");
				input.focus();
				update();
			}));
			list.replaceChildren(...last.map(again));
		};
		const open = () => {
			if (!dialog.open) dialog.showModal();
			input.focus();
			input.select();
			update();
		};

		let timer;
		input.addEventListener("input", () => {
			clearTimeout(timer);
			timer = setTimeout(update, 60);
		});
		form.addEventListener("submit", remember, true);
		dialog.addEventListener("click", (event) => {
			const led = event.target.closest("a");
			if (led) remember();
			if (led || event.target === dialog) dialog.close(); // which is what is around it
		});
		dialog.addEventListener("keydown", (event) => {
			if (event.key === "Escape") { // an input would be emptied first
				event.preventDefault();
				dialog.close();
			}
			if (event.key !== "ArrowDown" && event.key !== "ArrowUp" || panel.hidden) return;
			const stops = [input, ...list.querySelectorAll("a, button")];
			const next = Math.max(0, stops.indexOf(document.activeElement)) + (event.key === "ArrowDown" ? 1 : -1);
			stops[Math.min(Math.max(next, 0), stops.length - 1)].focus();
			event.preventDefault();
		});
		document.addEventListener("keydown", (event) => {
			const typing = event.target.closest("input, textarea, select, [contenteditable]");
			const wanted = event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey || event.key === "k" && (event.ctrlKey || event.metaKey);
			if (!wanted) return;
			event.preventDefault();
			open();
		});
		opener.type = "button";
		opener.setAttribute("aria-haspopup", "dialog");
		opener.addEventListener("click", () => {
			opener.focus(); // which not every browser does
			open();
		});
		dialog.setAttribute("aria-label", input.getAttribute("aria-label"));
		form.replaceWith(opener);
		form.hidden = false;
		dialog.append(form);
		document.body.append(dialog);
		return update;
	};

	document.addEventListener("DOMContentLoaded", () => {
		const one = (selector, use, ...more) => {
			const found = document.querySelector(selector);
			if (found) use(found, ...more);
		};
		if (follows) one(".site-theme", themeSwitch);
		one(".site-menu", menu, document.querySelector(".site-pages"));
		one(".site-contents", follow);
		tabs(document.querySelectorAll(".oct-tabs > details"));
		if (navigator.clipboard) document.querySelectorAll("article pre").forEach(copyButton);
		document.querySelectorAll("article img").forEach(enlarge);
		document.querySelector('.site-pages [aria-current="page"]')?.scrollIntoView({ block: "nearest" });
	});
})();
