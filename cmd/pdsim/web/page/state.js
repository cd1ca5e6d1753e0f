// What the page shows, as it stands in the address: a link restores it.

export const views = { path: "Time to first token", timeline: "Timeline", load: "Load", lesson: "Why is pull slower?" };

// fresh is the state of a scenario that nothing was changed of. One iteration answers at once.
export function fresh(scenario) {
  const set = new Map([["workload.iterations", "1"]]);
  if (scenario.startsWith("azure")) set.set("workload.requests", "200");
  return { scenario, set, protocols: [], request: "mean", view: "path", protocol: "", all: false, short: false, from: 0, to: 0, step: 0 };
}

// read makes a state of an address's fragment.
export function read(fragment, scenarios, first) {
  const query = new URLSearchParams(fragment.replace(/^#/, ""));
  const name = query.get("scenario");
  const state = fresh(scenarios.includes(name) ? name : first);
  if (query.has("scenario")) state.set = new Map();
  for (const text of query.getAll("set")) {
    const at = text.indexOf("=");
    if (at > 0) state.set.set(text.slice(0, at), text.slice(at + 1));
  }
  state.protocols = (query.get("protocols") ?? "").split(",").filter(Boolean);
  if (query.get("view") in views) state.view = query.get("view");
  state.request = query.get("request") || "mean";
  state.protocol = query.get("protocol") ?? "";
  state.all = query.get("all") === "1";
  state.short = query.get("short") === "1";
  for (const name of ["from", "to", "step"]) state[name] = Math.round(Number(query.get(name))) || 0;
  return state;
}

// write is the fragment of a state.
export function write(state) {
  const query = new URLSearchParams();
  query.set("scenario", state.scenario);
  query.set("view", state.view);
  for (const [key, value] of state.set) query.append("set", `${key}=${value}`);
  if (state.protocols.length) query.set("protocols", state.protocols.join(","));
  if (state.request !== "mean") query.set("request", state.request);
  if (state.protocol) query.set("protocol", state.protocol);
  for (const name of ["all", "short"]) if (state[name]) query.set(name, "1");
  for (const name of ["from", "to", "step"]) if (state[name]) query.set(name, String(state[name]));
  return `#${query}`;
}

// question is what of a state the server is asked.
export function question(state) {
  return { scenario: state.scenario, set: [...state.set].map(([k, v]) => `${k}=${v}`), protocols: state.protocols, request: state.request };
}
