// The page: a state, what the server answers to it, and the view of that.

import { about, ask, grid, isStatic } from "./api.js";
import { choices, h } from "./dom.js";
import * as controls from "./controls.js";
import { curves, values as sweptValues } from "./curves.js";
import { begin, lesson } from "./lesson.js";
import { measured, table } from "./results.js";
import { fresh, question, read, views, write } from "./state.js";
import { timeline } from "./timeline.js";
import { waterfall } from "./waterfall.js";

const at = (id) => document.getElementById(id);
const first = "p5en-qwen3-32b";

let known; // what there is to ask for
let state;
let answer; // to the present state
let asking; // gives up the present question
let opening; // state of the lesson's first step

// change makes another state the present one. Small moves, such as a zoom, are no step back in the browser's history.
function change(next, small = false) {
  state = { ...state, ...next };
  history[small ? "replaceState" : "pushState"](null, "", write(state));
  if (!small) refresh();
}

// set sets keys to a value, or back to the scenario's own.
function set(keys, value) {
  const all = new Map(isStatic ? [...state.set].filter(([key]) => key in grid() || key === "workload.iterations") : state.set);
  for (const key of keys) {
    if (value === undefined) all.delete(key);
    else all.set(key, value);
  }
  change({ set: all, from: 0, to: 0, ...(isStatic ? { protocols: [] } : {}) });
}

// own are the values that a scenario has itself, before anything is changed.
function own() {
  return known.scenarios.find((s) => s.name === state.scenario)?.values ?? {};
}

function trouble(error) {
  at("trouble").hidden = !error;
  at("trouble").textContent = error ? error.message : "";
  at("view").classList.toggle("stale", Boolean(error));
}

// refresh asks for the present state and shows what comes. A later change gives up an earlier one's question.
async function refresh() {
  asking?.abort();
  const mine = (asking = new AbortController());
  const began = performance.now();
  document.body.dataset.busy = "1";
  showFrame();
  try {
    const next = await ask("run", question(state), own(), mine.signal);
    if (mine.signal.aborted) return;
    answer = next;
    showControls();
    await showView(mine.signal);
    if (mine.signal.aborted) return;
    trouble(null);
    at("status").textContent = `${isStatic ? "Fetched" : "Simulated"} and drawn in ${Math.round(performance.now() - began)} ms.`;
  } catch (error) {
    if (mine.signal.aborted) return;
    trouble(error);
    at("status").textContent = "";
  }
  delete document.body.dataset.busy;
  document.body.dataset.shown = write(state);
}

// showFrame shows what does not need an answer.
function showFrame() {
  at("scenario").value = state.scenario;
  at("about").textContent = known.scenarios.find((s) => s.name === state.scenario)?.description ?? "";
  at("views").replaceChildren(...Object.entries(views).map(([name, text]) => h("a", {
    href: write(name === "lesson" ? { ...state, ...opening } : { ...state, view: name }), "aria-current": name === state.view ? "page" : null,
  }, text)));
  at("lesson").hidden = state.view !== "lesson";
}

function showControls() {
  at("command").firstElementChild.textContent = answer.command;
  controls.show(at("controls"), {
    values: answer.values, own: own(), protocols: known.protocols, grid: grid(), chosen: answer.results.map((r) => r.protocol), state,
    change: set, choose: (protocols) => protocols.length && change({ protocols }),
  });
}

// requestChoice asks whose way is shown. A mean has no timeline: there the median request stands for it.
function requestChoice(named = ["mean", "p50", "p90", "p99"]) {
  if (isStatic) return []; // it has the mean and the median only
  const chosen = state.request === "mean" && !named.includes("mean") ? "p50" : state.request;
  const number = named.includes(chosen) ? "" : chosen;
  return h("div", { class: "whose" },
    choices("Whose", "request", named.map((n) => [n, n === "mean" ? "mean of all" : n]), chosen, (request) => change({ request, from: 0, to: 0 })),
    h("label", {}, "or request ", h("input", { type: "number", min: 0, step: 1, value: number, onchange: (event) => change({ request: event.target.value || "mean", from: 0, to: 0 }) })));
}

const show = {
  async path() {
    return [requestChoice(), waterfall(answer.results, state.short, (short) => change({ short })), table(known.figures, answer.results), measured(answer.measured)];
  },

  async timeline(signal) {
    const names = answer.results.map((r) => r.protocol);
    const protocol = names.includes(state.protocol) ? state.protocol : names[0];
    const data = await ask("timeline", { ...question(state), protocols: [protocol], all: state.all }, own(), signal);
    return [choices("Protocol", "protocol-shown", names.map((n) => [n, n]), protocol, (next) => change({ protocol: next, from: 0, to: 0 })), requestChoice(["p50", "p90", "p99"]),
      isStatic ? [] : h("label", { class: "fold" }, h("input", { type: "checkbox", checked: state.all, onchange: (event) => change({ all: event.target.checked }) }), "all requests in the window"),
      timeline(data, state, at("view").clientWidth, (from, to) => change({ from, to }, true))];
  },

  async load(signal) {
    const [key, values] = sweptValues(answer.values);
    const data = await ask("sweep", { ...question(state), key, values }, own(), signal);
    return [curves(data), h("p", { class: "quiet" }, "Each point is a run on servers of its own, with the settings of the controls.")];
  },

  async lesson() {
    return [waterfall(answer.results, state.short, (short) => change({ short })), table(known.figures, answer.results)];
  },
};

async function showView(signal) {
  const parts = await show[state.view](signal);
  if (signal.aborted) return;
  if (state.view === "lesson") await lesson(at("lesson"), state, answer, change);
  at("view").replaceChildren(...parts.flat());
}

// flash says on a button that it did what it says.
function flash(button, text) {
  const before = button.textContent;
  button.textContent = text;
  setTimeout(() => { button.textContent = before; }, 1200);
}

async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    flash(button, "Copied");
  } catch {
    prompt("Copy this:", text); // without leave to use the clipboard
  }
}

function download() {
  const link = h("a", { href: URL.createObjectURL(new Blob([answer.toml], { type: "application/toml" })), download: `${state.scenario}.toml` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function start() {
  [known, opening] = await Promise.all([about(), begin()]);
  const names = known.scenarios.map((s) => s.name);
  at("scenario").replaceChildren(...names.map((name) => h("option", { value: name }, name)));
  at("scenario").addEventListener("change", (event) => change({ ...fresh(event.target.value), view: state.view === "lesson" ? "path" : state.view }));
  at("copy-command").addEventListener("click", (event) => answer && copy(event.target, answer.command));
  at("copy-link").addEventListener("click", (event) => copy(event.target, location.href));
  at("download").addEventListener("click", () => answer && download());
  at("controls").addEventListener("submit", (event) => event.preventDefault());
  at("skip").addEventListener("click", (event) => { event.preventDefault(); at("main").focus(); }); // the fragment is the state's
  if (matchMedia("(max-width: 60rem)").matches) at("controls-box").open = false;
  const restore = () => { state = read(location.hash, names, first); refresh(); };
  addEventListener("popstate", restore);
  restore();
}

start().catch(trouble);
