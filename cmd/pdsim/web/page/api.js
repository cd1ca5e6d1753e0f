// What the page asks: the server, or in a static site the files that hold its answers.

// isStatic says whether this is an exported site.
export const isStatic = "static" in document.documentElement.dataset;

let index; // of a static site: its grid, and which file answers what

async function answer(response) {
  const body = await response.json().catch(() => ({ error: `no answer (${response.status})` }));
  if (!response.ok) throw new Error(body.error ?? response.statusText);
  return body;
}

// about is what there is to ask for.
export async function about() {
  if (isStatic) index = await answer(await fetch("data/index.json"));
  return answer(await fetch(isStatic ? "data/about.json" : "api/about"));
}

// grid is the keys that a static site has answers for, with their values; undefined where anything can be asked.
export function grid() {
  return index && Object.fromEntries(index.grid.map((axis) => [axis.key, axis.values]));
}

// file finds the answer to a question: of the lesson as it is, or of the grid with what was left unsaid filled in.
function file(what, { scenario, set, protocols }, own) {
  const find = (names, settings) => index.files[[what, scenario, names.join(","), ...settings.sort()].join(" ")];
  const exact = find(protocols, [...set]);
  if (exact) return exact;
  const given = Object.fromEntries(set.map((s) => [s.slice(0, s.indexOf("=")), s.slice(s.indexOf("=") + 1)]));
  const full = index.grid.map(({ key }) => `${key}=${given[key] ?? own[key]}`);
  const rest = set.filter((s) => s !== index.always && !(s.slice(0, s.indexOf("=")) in grid()));
  const filled = rest.length ? undefined : find(what === "timeline" ? protocols : [], [...full, index.always]);
  if (!filled) throw new Error("This copy of the page has no answer to that. It has the lesson and the settings that the controls offer; `pdsim serve` has the rest.");
  return filled;
}

// ask asks for a run, a timeline or a sweep. A signal gives it up. own are the scenario's own values.
export async function ask(what, question, own, signal) {
  if (isStatic) return answer(await fetch(file(what, question, own), { signal }));
  const body = JSON.stringify(question);
  return answer(await fetch(`api/${what}`, { method: "POST", headers: { "Content-Type": "application/json" }, body, signal }));
}
