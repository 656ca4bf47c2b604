// The script of an exported site: colours, the menu of narrow windows, the
// place in the contents, and buttons that copy code. Without it every page can
// be read and reached.
"use strict";

(() => {
	const root = document.documentElement;
	const words = window.octavoWords;

	// Colours: what the reader chose, else what the system says.

	const stored = {
		get() { try { return localStorage.getItem("octavo-colours"); } catch { return null; } },
		set(value) { try { localStorage.setItem("octavo-colours", value); } catch { /* the choice lasts for this page */ } },
	};
	const follows = root.classList.contains("oct-system");
	const system = matchMedia("(prefers-color-scheme: dark)");
	const isDark = () => root.classList.contains("oct-system") ? system.matches : root.classList.contains("oct-dark");

	function colour(choice) {
		root.classList.remove("oct-system");
		root.classList.toggle("oct-dark", choice === "dark");
	}
	if (follows && ["dark", "light"].includes(stored.get())) colour(stored.get());

	function themeSwitch(button) {
		const show = () => button.setAttribute("aria-pressed", String(isDark()));
		button.addEventListener("click", () => {
			const choice = isDark() ? "light" : "dark";
			colour(choice);
			stored.set(choice);
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
		root.classList.add("site-script");
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
			for (const link of links.values()) link.classList.remove("site-here");
			if (here) links.get(here.id).classList.add("site-here");
		};
		let waiting = false;
		addEventListener("scroll", () => {
			if (waiting) return;
			waiting = true;
			requestAnimationFrame(() => { waiting = false; mark(); });
		}, { passive: true });
		mark();
	}

	document.addEventListener("DOMContentLoaded", () => {
		const one = (selector, use, ...more) => {
			const found = document.querySelector(selector);
			if (found) use(found, ...more);
		};
		if (follows) one(".site-theme", themeSwitch);
		one(".site-menu", menu, document.querySelector(".site-pages"));
		one(".site-contents", follow);
		if (navigator.clipboard) document.querySelectorAll("article pre").forEach(copyButton);
		document.querySelector('.site-pages [aria-current="page"]')?.scrollIntoView({ block: "nearest" });
	});
})();
